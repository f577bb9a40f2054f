#!/usr/bin/env bash
# Checks that each source has its test, and that the structs of headers have their names for themselves.
#
#   tests/sources.sh [ROOT]      ROOT is the root of the source tree
#
# The test of a source is its namesake, tests/test_NAME.c or tests/DIRECTORY/test_NAME.c, for the program also
# tests/cli/NAME.sh (NAME without "command_"), or a test whose first comment says "Covers PATH".

set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# All of it but tests, benchmarks, examples and what was built, which CMake leaves its mark beside.
mapfile -t sources < <(find . -mindepth 1 -type d -exec test -e '{}/CMakeCache.txt' ';' -prune -o -name '*.c' -printf '%P\n' | grep -Ev '^(tests|bench|examples|build[^/]*)/' | LC_ALL=C sort)
mapfile -t tests < <(find tests -name 'test_*.c' -o -path 'tests/cli/*' -name '*.sh' -not -path '*/support/*' | LC_ALL=C sort)
bad=0

# The paths that tests cover, by the first comment of each: "test path".
covered=$(awk '
  FNR == 1 { head = 1; covers = 0 }
  !head { next }
  !/^(\/\*| \*|#)/ { head = 0; next }
  /Covers / { covers = 1 }
  covers {
    line = $0
    while (match(line, /[a-z]+\/[a-z_\/0-9]+\.c/)) {
      print FILENAME, substr(line, RSTART, RLENGTH)
      line = substr(line, RSTART + RLENGTH)
    }
  }
  /\*\/$/ { head = 0 }' "${tests[@]}")

for source in "${sources[@]}"; do
  name=$(basename "$source" .c)
  directory=${source%%/*}
  case $directory in
    src) namesakes=("tests/test_$name.c") ;;
    tool) namesakes=("tests/tool/test_$name.c" "tests/cli/${name#command_}.sh") ;;
    *) namesakes=("tests/$directory/test_$name.c") ;;
  esac
  found=0
  for namesake in "${namesakes[@]}"; do
    if [[ -e $namesake ]]; then found=1; fi
  done
  if ((!found)) && ! grep -q " $source\$" <<<"$covered"; then
    echo "sources: $source has no test: write ${namesakes[0]}, or \"Covers $source\" into the first comment of the test that covers it"
    bad=1
  fi
done

while read -r test source; do
  if [[ ! -e $source ]]; then
    echo "sources: $test covers $source, which is not there"
    bad=1
  fi
done <<<"$covered"

# A struct, enum or union of a header, defined once more; the library and what is around it never meet.
mapfile -t all < <(find src tool experiment common include -name '*.[ch]' | LC_ALL=C sort)
twice=$(awk '
  match($0, /^(typedef )?(struct|enum|union) [a-z_0-9]+ \{/) {
    name = substr($0, RSTART, RLENGTH - 2)
    sub(/^typedef /, "", name)
    name = (FILENAME ~ /^(src|include)\// ? "library" : "program") ": " name
    where[name] = where[name] " " FILENAME
    count[name]++
    if (FILENAME ~ /\.h$/) shared[name] = 1
  }
  END { for (name in shared) if (count[name] > 1) print name " in" where[name] }' "${all[@]}" | LC_ALL=C sort)
if [[ -n $twice ]]; then
  echo "sources: names of headers that are used once more:"
  echo "$twice"
  bad=1
fi

((bad == 0)) || exit 1
echo "sources: ${#sources[@]} sources with tests"
