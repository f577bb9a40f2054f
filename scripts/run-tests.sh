#!/usr/bin/env bash
# Runs the tests of a build and counts them.
#
#   scripts/run-tests.sh BUILD-DIRECTORY [ctest option ...]
#
# Shows one line per test program, then the whole output of those that failed, and ends with the
# line "N passed, M failed". A cmocka program counts as many tests as it has test functions, any
# other test counts as one; so does a program that dies before it has reported a failure.
# If TALLY names a file, the counts are appended to it as "N M".

set -euo pipefail
build=$1
shift
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
log=$build/tests.log

echo "== Tests of $build"
status=0
ctest --test-dir "$build" --no-tests=error --verbose -j "$jobs" "$@" </dev/null 2>&1 |
  tee "$log" | { grep --line-buffered -E '^ *[0-9]+/[0-9]+ Test +#' || true; } || status=$?

# With --verbose ctest puts "NUMBER: " before each line that test NUMBER prints.
awk -v ctest="$status" -v tally="${TALLY:-}" '
/^[0-9]+: / {
  id = $1 + 0
  line = substr($0, index($0, ":") + 2)
  output[id] = output[id] line "\n"
  if (match(line, /\[  PASSED  \] [0-9]+ test\(s\)/)) {
    split(substr(line, RSTART), word, " ")
    good[id] += word[4]
    counted[id] = 1
  } else if (match(line, /\[  FAILED  \] .*[0-9]+ test\(s\), listed below/)) {
    sub(/ test\(s\), listed below.*/, "", line)
    sub(/.* /, "", line)
    bad[id] += line
    counted[id] = 1
  } else if (match(line, /\[  SKIPPED \] .*[0-9]+ test\(s\), listed below/)) {
    sub(/ test\(s\), listed below.*/, "", line)
    sub(/.* /, "", line)
    skipped += line
  }
  next
}
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
  line = $0
  sub(/^[^#]*#/, "", line)
  id = line + 0
  sub(/^[0-9]+: /, "", line)
  name = line
  sub(/ .*/, "", name)
  if (line ~ /   Passed /) {
    passed += counted[id] ? good[id] : 1
    failed += bad[id]
  } else if (line ~ /\*\*\*Skipped /) {
    skipped++
  } else {
    passed += good[id]
    failed += bad[id] ? bad[id] : 1
    printf "\n== %s\n%s", line, output[id]
    names = names " " name
  }
}
END {
  if (ctest != 0 && failed == 0) {
    print "== ctest itself failed, see tests.log in the build directory"
    failed = 1
  }
  print ""
  if (names != "") print "failed:" names
  if (skipped) print "skipped: " skipped
  if (tally != "") print passed + 0, failed + 0 >> tally
  print passed + 0 " passed, " failed + 0 " failed"
  exit failed > 0
}' "$log"
