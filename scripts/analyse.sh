#!/usr/bin/env bash
# Static analysis by cppcheck, clang-tidy and gcc; fails on any finding.
#
#   scripts/analyse.sh [cppcheck|clang-tidy|gcc] ...

set -euo pipefail
cd "$(dirname "$0")/.."
build=build/analyzer
tools=("$@")
if (($# == 0)); then tools=(cppcheck clang-tidy gcc); fi

cmake --preset analyzer >/dev/null
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
mapfile -t sources < <(find src experiment tool -name '*.c' -not -path '*/mpi/*' | LC_ALL=C sort)
bad=()

run_cppcheck() {
  # It does not follow the names that the tables of parameters in src/environments paste together.
  cppcheck --suppress='unknownMacro:src/environments/*' --quiet --std=c11 --platform=unix64 --inline-suppr --error-exitcode=1 -j "$jobs" \
    --enable=warning,performance,portability --suppress=missingIncludeSystem \
    -D_POSIX_C_SOURCE=200809L -D GLIMPSE_EXPERIMENTS -I include -I src -I . "${sources[@]}"
}
run_clang-tidy() {
  # clang does not know the flag that makes gcc analyse.
  mkdir -p "$build/tidy"
  sed 's/ -fanalyzer / /' "$build/compile_commands.json" >"$build/tidy/compile_commands.json"
  printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$jobs" clang-tidy --quiet --warnings-as-errors='*' -p "$build/tidy" 2>&1 |
    { grep -Ev '^([0-9]+ warnings? (and [0-9]+ errors? )?generated|.*warnings? treated as errors?)' || true; }
}
run_gcc() {
  cmake --build "$build"
}

for tool in "${tools[@]}"; do
  echo "== $tool"
  "run_$tool" || bad+=("$tool")
done
if ((${#bad[@]} > 0)); then
  echo "analyse: findings by ${bad[*]}"
  exit 1
fi
echo "analyse: no findings"
