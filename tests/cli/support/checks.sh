# Checks for the tests of the program; sourced by each of them.
#
#   run ARGUMENT ...        runs glimpse: $status, and the files out and err
#   expect_status N         how it ended
#   expect_out, expect_err  exactly the text on standard input
#   expect_no_out, expect_no_err
#   out_has, err_has TEXT   somewhere the text, to the letter
#   expect_json PATH VALUE  out is one JSON object in which PATH has VALUE
#   json_keys               the paths of that object
#   expect_near PATH X TOL  likewise a number, X up to TOL
#   has_terminals           are there pseudo-terminals?  Not in a bare root without /dev/pts
# Each ends the test with an account of what was run and what it printed.

set -euo pipefail
checks=$(dirname "${BASH_SOURCE[0]}")
cd "$WORK"
ran=
: >out
: >err
unset NO_COLOR

fail() {
  printf 'FAILED: %s\n  after: %s (exit status %s)\n' "$*" "$ran" "${status:-}"
  printf -- '-- stdout\n%s\n-- stderr\n%s\n' "$(head -c 3000 out)" "$(head -c 3000 err)"
  exit 1
}

run() {
  ran="glimpse $*"
  status=0
  "$GLIMPSE" "$@" >out 2>err || status=$?
}

expect_status() { [[ $status == "$1" ]] || fail "expected exit status $1"; }
expect_out() { cat >want; cmp -s want out || fail "expected on stdout: $(diff want out || true)"; }
expect_err() { cat >want; cmp -s want err || fail "expected on stderr: $(diff want err || true)"; }
expect_no_out() { [[ ! -s out ]] || fail "expected nothing on stdout"; }
# Progress is shown where a run takes long, which it may anywhere on a slow machine.
expect_no_err() { ! grep -qv '^glimpse: episode ' err || fail "expected nothing on stderr"; }
out_has() { grep -qF -e "$1" out || fail "expected on stdout: $1"; }
err_has() { grep -qF -e "$1" err || fail "expected on stderr: $1"; }

has_terminals() {
  if command -v python3 >/dev/null; then python3 -c 'import os; os.openpty()' 2>/dev/null
  elif command -v script >/dev/null; then script -qec true /dev/null >/dev/null 2>&1
  else [[ -c /dev/ptmx && -e /dev/pts/ptmx ]]; fi
}

flatten() { LC_ALL=C awk -f "$checks/json.awk" out >leaves 2>why || fail "$(cat why)"; }
json_keys() { flatten; cut -f1 leaves; }
json_value() {
  flatten
  awk -F '\t' -v path="$1" '$1 == path { print $2; found = 1 } END { exit !found }' leaves
}
expect_json() {
  local value
  value=$(json_value "$1") || fail "expected $1 in the JSON object"
  [[ $value == "$2" ]] || fail "expected $1 to be $2, found $value"
}
expect_near() {
  local value
  value=$(json_value "$1") || fail "expected $1 in the JSON object"
  awk -v a="$value" -v b="$2" -v tolerance="$3" \
    'BEGIN { d = a - b; exit !(a ~ /^-?[0-9]/ && d <= tolerance && d >= -tolerance) }' ||
    fail "expected $1 to be $2 up to $3, found $value"
}
