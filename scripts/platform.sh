#!/usr/bin/env bash
# Tests the library with another compiler, C library or processor: docs/ROBUSTNESS.md has where it was run.
#
#   scripts/platform.sh [TEST ...]      by default some that look at bits, numbers and formats
#
#   CC       the compiler with its options: "clang-19", "gcc -m32", "s390x-linux-gnu-gcc"
#   RUNNER   what runs its programs: "qemu-s390x -L /usr/s390x-linux-gnu"
#   CMOCKA   how to find cmocka there: "-Iroot/usr/include root/usr/lib/s390x-linux-gnu/libcmocka.so.0"
#
# The library is compiled as one file (scripts/amalgamate.py), without warnings; unit tests are linked with it and run.
# tests/test_signature.c has the bits that searches must give on every machine. Everything is in a temporary folder.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
read -ra cc <<<"${CC:-cc}"
read -ra runner <<<"${RUNNER:-}"
read -ra cmocka <<<"${CMOCKA:--lcmocka}"
headers=()
for word in "${cmocka[@]}"; do
  if [[ $word == -I* ]]; then headers+=("$word"); fi
done
tests=("$@")
(($#)) || tests=(signature number decimal random status tiger toy pomdp_entries)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v "${cc[0]}" >/dev/null || { echo "platform: ${cc[0]} was not found" >&2; exit 1; }

python3 "$root/scripts/amalgamate.py" "$work"
flags=(-std=c17 -O1 -D_POSIX_C_SOURCE=200809L -ffp-contract=off "-I$root/include" "-I$root/src" "-I$root/tests")
"${cc[@]}" -std=c17 -O1 -DNDEBUG -Wall -Wextra -Werror -c "$work/glimpse.c" -o "$work/glimpse.o"
objects=("$work/glimpse.o")
for source in "$root"/tests/support/*.c; do
  object=$work/$(basename "$source" .c).support.o
  "${cc[@]}" "${flags[@]}" ${headers[@]+"${headers[@]}"} -c "$source" -o "$object" 2>"$work/log" || { cat "$work/log"; exit 1; }
  objects+=("$object")
done
failed=0
for name in "${tests[@]}"; do
  "${cc[@]}" "${flags[@]}" "$root/tests/test_$name.c" "${objects[@]}" "${cmocka[@]}" -pthread -lm -o "$work/test_$name" \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
  if ! (cd "$root" && ${runner[@]+"${runner[@]}"} "$work/test_$name") >"$work/log" 2>&1; then
    grep -E 'FAILED|ERROR|!=|error' "$work/log" | head -8
    echo "platform: ${CC:-cc}: $name fails"
    failed=$((failed + 1))
  fi
done
echo "platform: ${CC:-cc}${RUNNER:+, $RUNNER}: $((${#tests[@]} - failed)) of ${#tests[@]} tests pass (${tests[*]})"
((failed == 0))
