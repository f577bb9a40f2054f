#!/usr/bin/env bash
# Installs a build into a directory of its own, and from there builds and runs the C program of
# the README: with pkg-config where there is one, and with CMake against both libraries.
#
#   tests/install.sh [BUILD-DIRECTORY]      by default build/release

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
work=$build/install-test
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/installed" # it may be moved
cd "$work"

for file in installed/bin/glimpse installed/share/man/man1/glimpse-bounds.1; do
  [[ -s $file ]] || { echo "install: there is no $file"; exit 1; }
done
installed/bin/glimpse --version

awk '/^```/ { inside = !inside; file = ""; next }
     inside && /^discount:/ { file = "machine.pomdp" }
     inside && /^#include/ { file = "value.c" }
     file != "" { print > file }' "$root/README.md"
expect() { # expect NAME TEXT: what a program prints
  [[ $2 == "the value is at most 12.225269" ]] || { echo "install: $1 prints: $2"; exit 1; }
  echo "install: $1: $2"
}

config=$(find installed -name glimpse.pc)
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$work/${config%/*}
  # shellcheck disable=SC2046 # the flags are words
  "${CC:-cc}" value.c $(pkg-config --cflags --libs glimpse) -o value
  expect pkg-config "$(LD_LIBRARY_PATH=$(pkg-config --variable=libdir glimpse) ./value)"
fi

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(consumer LANGUAGES C)
find_package(glimpse REQUIRED)
add_executable(shared value.c)
target_link_libraries(shared PRIVATE glimpse::glimpse)
add_executable(static value.c)
target_link_libraries(static PRIVATE glimpse::static)
END
if ! { cmake -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$work/installed" && cmake --build build; } >log 2>&1; then
  cat log
  exit 1
fi
expect shared "$(build/shared)"
expect static "$(build/static)"
