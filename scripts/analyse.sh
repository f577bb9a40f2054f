#!/usr/bin/env bash
# Static analysis by cppcheck, clang-tidy, gcc and shellcheck. Each shows all that it finds, and any finding fails.
#
#   scripts/analyse.sh [cppcheck|clang-tidy|gcc|shellcheck|FILE.c] ...
#
# Without a tool all are run, without a file all files are read.
#
# Library, experiments, program and MPI module are read by all of them, benchmarks and examples by cppcheck and
# clang-tidy, so is the page's module (clang-tidy reads it for WebAssembly, where that can be built), tests by clang-tidy
# (cppcheck does not know that cmocka's assertions end a test), scripts by shellcheck.
# What is suppressed is explained where it is: in the files .clang-tidy, below, and beside each NOLINT in the sources.

set -euo pipefail
cd "$(dirname "$0")/.."
build=build/analyzer
tools=() files=()
for argument in "$@"; do
  if [[ $argument == *.c ]]; then files+=("$argument"); else tools+=("$argument"); fi
done
if ((${#tools[@]} == 0)); then tools=(shellcheck cppcheck clang-tidy gcc); fi

cmake --preset analyzer >/dev/null
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
mapfile -t sources < <(find src common xml experiment tool bench examples -name '*.c' | LC_ALL=C sort)
mapfile -t tests < <(find tests -name '*.c' | LC_ALL=C sort)
module=(page/*.c) targets=(product)
if ((${#files[@]} > 0)); then
  sources=("${files[@]}") tests=() module=() targets=()
  for file in "${files[@]}"; do targets+=("$PWD/$file^"); done # ninja's name for what is made of a file
fi
bad=()

run_shellcheck() {
  # What is but a hint is left out: a test may well mean that words are split.
  find .ci/run scripts tests \( -name run -o -name '*.sh' \) -print0 | xargs -0 shellcheck --shell=bash --severity=warning
}
run_cppcheck() {
  local options=(--quiet --std=c11 --platform=unix64 --inline-suppr --error-exitcode=1 -j "$jobs"
    '--enable=warning,performance,portability' --suppress=missingIncludeSystem
    # It does not follow the names that the tables of parameters there paste together.
    '--suppress=unknownMacro:src/environments/*'
    -D_POSIX_C_SOURCE=200809L -D GLIMPSE_EXPERIMENTS -D GLIMPSE_MPI -I include -I src -I . -I tool)
  cppcheck "${options[@]}" "${sources[@]}" ${module[@]+"${module[@]}"}
}
# One process for each file: clang's check of va_list mixes up the files that one process reads.
run_clang-tidy() {
  local status=0
  mkdir -p "$build/tidy"
  # Each file once, however many targets it is compiled for; and clang does not know the flag that makes gcc analyse.
  awk '/^\{/ { entry = $0; next }
       /^\}/ { if (!seen[file]++) { printf "%s%s\n}", separator, entry; separator = ",\n" } next }
       /^ *"file":/ { file = $0 }
       { sub(/ -fanalyzer /, " "); entry = entry "\n" $0 }
       BEGIN { print "[" } END { print "\n]" }' "$build/compile_commands.json" >"$build/tidy/compile_commands.json"
  printf '%s\0' "${sources[@]}" ${tests[@]+"${tests[@]}"} | xargs -0 -n 1 -P "$jobs" scripts/tidy.sh "$build/tidy" || status=1
  if ((${#module[@]} > 0)) && scripts/setup.sh --check page; then
    cmake -S page -B "$build/page" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/page/wasi.cmake" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    printf '%s\0' "${module[@]}" | xargs -0 -n 1 -P "$jobs" scripts/tidy.sh "$build/page" || status=1
  fi
  return $status
}
run_gcc() {
  cmake --build "$build" --target "${targets[@]}" -- -k 0
}

for tool in "${tools[@]}"; do
  echo "== $tool"
  begun=$SECONDS
  "run_$tool" || bad+=("$tool")
  echo "   $((SECONDS - begun)) s"
done
if ((${#bad[@]} > 0)); then
  echo "analyse: findings by ${bad[*]}"
  exit 1
fi
echo "analyse: no findings"
