#!/usr/bin/env bash
# Builds the page, one HTML file with the planner inside: build/page/glimpse.html.
#
#   scripts/page.sh [BUILD]      BUILD is the directory to build in
#
# It needs node, npm, clang with lld, and wasi-libc ("scripts/setup.sh page" installs them on Debian); npm fetches
# the packages of page/package-lock.json once; where it cannot, the exit status is 77.

set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/page}

cmake -S page -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/page/wasi.cmake" >/dev/null
cmake --build "$build"
if ! cmp -s page/package-lock.json "$build/npm/package-lock.json"; then
  mkdir -p "$build/npm"
  cp page/package.json "$build/npm/"
  (cp page/package-lock.json "$build/npm/" && cd "$build/npm" && npm ci --no-audit --no-fund --loglevel=error >/dev/null) ||
    { rm -f "$build/npm/package-lock.json"; echo "page: npm could not fetch the packages of page/package-lock.json" >&2; exit 77; }
fi
node page/build.mjs "$build"
