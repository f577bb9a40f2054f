#!/usr/bin/env bash
# The library as one file (scripts/amalgamate.py) is the library: it compiles without warnings, defines the same names,
# has the same texts, and passes the unit tests of the public interface, which are linked with it instead of the
# library. examples/plan.c and, where there is a C++ compiler, examples/plan.cpp print the same with both.
#
#   tests/amalgamation.sh [BUILD-DIRECTORY]      by default build/release, whose test programs have been built
#
# CC, CXX: the compilers. AMALGAMATION=all links and runs all unit tests, also those that look inside and those that
# take longer, but for those that include a source file of the library, which would be there twice.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
work=$build/amalgamation-test
cc=${CC:-cc}
fail() { echo "amalgamation: $*"; exit 1; }
if ! command -v python3 >/dev/null; then
  echo "amalgamation: there is no python3 (Debian: python3)"
  exit 77
fi
rm -rf "$work"
mkdir -p "$work"
cd "$work"

python3 "$root/scripts/amalgamate.py" .
"$cc" -std=c17 -O1 -DNDEBUG -Wall -Wextra -Wpedantic -Werror -c glimpse.c
cmp -s glimpse.h "$root/include/glimpse.h" || fail "glimpse.h is not the public header"

# Names: those of the library, and private ones stay private. Public functions are exported, the others hidden.
names() { nm -P -g --defined-only "$@" | awk 'NF > 1 { print $1 }' | LC_ALL=C sort -u; }
names "$build/libglimpse.a" >names-library
names glimpse.o >names-one
diff names-library names-one >differ || fail "names of the library (<) and of glimpse.c (>) differ: $(grep '^[<>]' differ)"
if readelf -h glimpse.o >/dev/null 2>&1; then
  exported=$(LC_ALL=C readelf -W -s glimpse.o | awk '($5 == "GLOBAL") && $6 == "DEFAULT" && $7 != "UND" { print $8 }')
  ! grep -v '^glimpse_' <<<"$exported" || fail "glimpse.c exports what is internal"
  [[ $(wc -l <<<"$exported") == $(grep -c '^glimpse_' names-one) ]] || fail "glimpse.c hides public functions"
fi

# Texts: a private name that a macro makes a text of would change with the name.
# (Left out: our pragma, and the system's headers, whose lines have a 3 behind their file.)
texts() {
  "$cc" -std=c17 -DNDEBUG -D_POSIX_C_SOURCE=200809L -I"$root/include" -I"$root/src" -E "$1" |
    awk '/^# [0-9]+ "/ { foreign = $0 ~ /" (1 |2 )?3/; next } !foreign && !/^#pragma/' |
    grep -oE '"([^"\\]|\\.)*"' || true
}
for source in "$root"/src/*/*.c; do texts "$source"; done | LC_ALL=C sort -u >texts-library
texts glimpse.c | LC_ALL=C sort -u >texts-one
diff texts-library texts-one >differ || fail "texts of the library (<) and of glimpse.c (>) differ: $(grep '^[<>]' differ)"

# It says when it cannot be right.
! "$cc" -std=c17 -ffast-math -fsyntax-only glimpse.c 2>errors || fail "-ffast-math is accepted"
grep -q 'without -ffast-math' errors || fail "-ffast-math: $(<errors)"

# examples/plan.c, and in C++.
"$cc" -std=c17 -I. "$root/examples/plan.c" glimpse.o -pthread -lm -o plan
"$cc" -std=c17 -I. "$root/examples/plan.c" "$build/libglimpse.a" -pthread -lm -o plan-library
./plan >plan.txt
./plan-library | cmp - plan.txt || fail "plan.c prints something else with glimpse.c than with the library"
cplusplus="there is no C++ compiler (Debian: g++)"
if command -v "${CXX:-c++}" >/dev/null; then
  "${CXX:-c++}" -std=c++20 -Wall -Wextra -Wpedantic -Werror -I. "$root/examples/plan.cpp" glimpse.o -pthread -o plan-cpp
  ./plan-cpp | cmp - plan.txt || fail "plan.cpp prints something else than plan.c"
  cplusplus="plan.cpp prints what plan.c prints"
fi

# Unit tests, from the objects of the build.
slow=" baseline_return battery_robot episode move promise prove rules_lose rules_of_others soak solved starved threads "
layers=$(cd "$root/src" && printf '%s|' */ | tr -d /)
run=0
for source in "$root"/tests/test_*.c; do
  name=$(basename "$source" .c)
  name=${name#test_}
  if [[ ${AMALGAMATION:-} != all ]]; then
    if [[ $slow == *" $name "* ]] || grep -qE "^#include \"(${layers%|})/" "$source"; then continue; fi
  fi
  if grep -q '^#include ".*\.c"' "$source"; then continue; fi
  object=$build/tests/CMakeFiles/test_$name.dir/test_$name.c.o
  [[ -e $object ]] || fail "$object is not there: build the tests first"
  "$cc" "$object" "$(find "$build" -name libtest_support.a | head -1)" glimpse.o -lcmocka -pthread -lm -o "test_$name" \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--undefined=__wrap_malloc
  (cd "$root" && "$work/test_$name") >log 2>&1 || { cat log; fail "test_$name fails with glimpse.c"; }
  rm "test_$name"
  run=$((run + 1))
done
((run > 20)) || fail "only $run unit tests were run"
echo "amalgamation: $(wc -l <glimpse.c) lines, $(wc -l <names-one) names, $(wc -l <texts-one) texts; $run unit tests pass; $cplusplus"
