#!/usr/bin/env bash
# The library fits programs that were linked with the last release, and scripts/abi.sh notices what breaks them, and
# nothing else.
#
#   tests/abi.sh [BUILD-DIRECTORY]      by default build/release
#
# The library as one file is changed in some ways and compared with what it was.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(cd "${1:-$root/build/release}" && pwd)/abi-test
fail() { echo "abi: $*"; exit 1; }
for tool in abidiff:abigail-tools python3:python3; do
  if ! command -v "${tool%:*}" >/dev/null; then
    echo "abi: there is no ${tool%:*} (Debian: ${tool#*:})"
    exit 77
  fi
done
rm -rf "$work"
mkdir -p "$work"
cd "$work"
python3 "$root/scripts/amalgamate.py" before

link() { "${CC:-cc}" -shared -Wl,-soname,libglimpse.so."$2" -Wl,--version-script="$root/cmake/glimpse.map" -o "$1/libglimpse.so" "$1/glimpse.o" -pthread -lm; }
# variant NAME SED-COMMAND ...: the library with a change of header and source.
variant() {
  local name=$1
  shift
  mkdir "$name"
  for file in glimpse.c glimpse.h; do
    sed -E "$@" before/$file >"$name/$file"
  done
  "${CC:-cc}" -std=c17 -g -O0 -fPIC -c "$name/glimpse.c" -o "$name/glimpse.o"
  link "$name" 0
}
# compare NAME: with the library as it is, and with what was published. What breaks one breaks the other.
released=$root/cmake/libglimpse.abi
compare() {
  local first=0 second=0
  "$root/scripts/abi.sh" same/libglimpse.so same "$1/libglimpse.so" "$1" >"$1.txt" 2>&1 || first=$?
  if [[ $(uname -m) == x86_64 ]]; then
    "$root/scripts/abi.sh" "$released" same "$1/libglimpse.so" "$1" >"$1.released.txt" 2>&1 || second=$?
    ((first == second)) || fail "$1 is judged otherwise with $released: $(<"$1.released.txt")"
  fi
  return "$first"
}

variant same ''
compare same || fail "a library does not fit itself: $(<same.txt)"

# A new function at the end of the source is no harm.
variant added -e 's/^(GLIMPSE_API const char \*glimpse_version)\(void\);/&\n\1_again(void);/' \
  -e 's/^const char \*glimpse_version\(void\) \{/const char *glimpse_version_again(void) { return ""; }\n&/'
compare added || fail "a new function is refused: $(<added.txt)"
[[ $(nm -D added/libglimpse.so) == *glimpse_version_again* ]] || fail "the new function is not there"

# Nor is what only the library knows.
variant inside -e 's/^struct glimpse_policy \{/&\n  uint64_t more;/'
! cmp -s inside/glimpse.c same/glimpse.c || fail "nothing was changed inside"
compare inside || fail "a struct of its own that grows is refused: $(<inside.txt)"

# A struct that grows, a constant of another number, and a function that goes, are.
variant grown -e 's/^typedef struct glimpse_budget \{/&\n  uint64_t more;/'
! compare grown || fail "a struct that grows is accepted"
grep -q 'glimpse_budget' grown.txt || fail "the struct is not named: $(<grown.txt)"
variant moved -e 's/^typedef enum glimpse_severity \{ /&GLIMPSE_NOTE, /'
! cmp -s moved/glimpse.h same/glimpse.h || fail "no constant was moved"
! compare moved || fail "constants that move are accepted"
variant gone -e 's/\bglimpse_version\(/glimpse_edition(/'
! compare gone || fail "a function that goes is accepted"
grep -q 'glimpse_version' gone.txt || fail "the function is not named: $(<gone.txt)"

# Unless the number rises.
link gone 1
compare gone || fail "another number, and still refused: $(<gone.txt)"
echo "abi: fits the last release; additions are accepted; a struct that grows, constants that move and a function that goes are refused"
