#!/usr/bin/env bash
# Installs a build into a directory of its own, and from there builds and runs two C programs, that of
# the README and examples/plan.c: with pkg-config where there is one, and with CMake, each against the
# shared and the static library. Man pages, completion and documents are where they belong, and DESTDIR
# is honoured.
#
#   tests/install.sh [BUILD-DIRECTORY]      by default build/release

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
work=$build/install-test
rm -rf "$work"
mkdir -p "$work"
fail() { echo "install: $*"; exit 1; }
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/installed" # it may be moved
cd "$work"

for file in bin/glimpse include/glimpse.h share/man/man1/glimpse.1 share/man/man1/glimpse-bounds.1 \
  share/bash-completion/completions/glimpse share/zsh/site-functions/_glimpse \
  share/doc/glimpse/README.md share/doc/glimpse/CITATION.cff share/doc/glimpse/docs/ALGORITHM.md share/doc/glimpse/examples/plan.c \
  share/doc/glimpse/examples/models/lake.pomdp; do
  [[ -s installed/$file ]] || fail "there is no $file"
done
for library in libglimpse.a libglimpse.so; do
  [[ -n $(find installed -name "$library") ]] || fail "there is no $library"
done
installed/bin/glimpse --version
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/glimpse >/dev/null
[[ -x stage/opt/glimpse/bin/glimpse && ! -e installed/opt ]] || fail "DESTDIR is not honoured"
grep -q -e '-Wl,-rpath,' "$(find stage/opt -name glimpse.pc)" || fail "programs do not know where the library is"
DESTDIR=$work/stage cmake --install "$build" --prefix /usr >/dev/null
config=$(find stage/usr -name glimpse.pc)
[[ -s $config ]] || fail "there is no glimpse.pc below /usr"
! grep -q rpath "$config" || fail "an rpath of the system's directory"

awk '/^```/ { inside = !inside; file = ""; next }
     inside && /^discount:/ { file = "machine.pomdp" }
     inside && /^#include/ { file = "value.c" }
     inside && /^export PATH=PREFIX/ { file = "commands" }
     inside && /^cc value.c/ { file = "commands" }
     file != "" { print > file }' "$root/README.md"
cp "$root/examples/plan.c" .
(($(wc -l <plan.c) <= 60)) || fail "examples/plan.c has more than 60 lines"

# expect NAME VALUE PLAN: what the two programs print.
expect() {
  local name=$1 value plan
  value=$("$2")
  [[ $value == "the value is at most 12.225269" ]] || fail "$name: value prints: $value"
  [[ $("$3" machine.pomdp) == " 0  value "*"does run, sees fine"* ]] || fail "$name: plan does not run the machine"
  plan=$("$3")
  [[ $plan == *"asks, is told "*"does up, sees arrived"* ]] || fail "$name: plan prints: $plan"
  ! "$3" nowhere.pomdp 2>errors || fail "$name: plan reads a file that is not there"
  [[ $(<errors) == "plan: the file cannot be read" ]] || fail "$name: plan complains: $(<errors)"
  echo "install: $name: $value; $(wc -l <<<"$plan") steps"
}

config=$(find installed -name glimpse.pc)
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$work/${config%/*}
  libraries=$(pkg-config --variable=libdir glimpse)
  mkdir pc-shared pc-static
  for program in value plan; do
    # shellcheck disable=SC2046 # the flags are words
    "${CC:-cc}" $program.c $(pkg-config --cflags --libs glimpse) -o pc-shared/$program
    # shellcheck disable=SC2046 # likewise
    "${CC:-cc}" $program.c $(pkg-config --cflags glimpse) "$libraries/libglimpse.a" \
      $(pkg-config --static --libs glimpse | sed 's/-lglimpse//') -o pc-static/$program
  done
  (unset LD_LIBRARY_PATH && expect "pkg-config, shared" pc-shared/value pc-shared/plan)
  expect "pkg-config, static" pc-static/value pc-static/plan
fi

# The README's commands as they are printed, in a shell that knows nothing else of this directory.
grep -q '^cc value.c' commands || fail "no compiler in the README"
grep -q '^export PATH=PREFIX/bin' commands || fail "no paths in the README"
sed "s|PREFIX/lib/pkgconfig|$work/${config%/*}|; s|PREFIX|$work/installed|g; s|^cc |${CC:-cc} |" commands >commands.sh
if command -v pkg-config >/dev/null; then
  env -u PKG_CONFIG_PATH -u LD_LIBRARY_PATH -u PYTHONPATH bash -euc '. ./commands.sh; ./value >value.txt; glimpse --version >version.txt'
  [[ $(<value.txt) == "the value is at most 12.225269" ]] || fail "the README: value prints: $(<value.txt)"
fi

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(consumer LANGUAGES C)
find_package(glimpse 0.2 REQUIRED)
foreach(program value plan)
  add_executable(${program}-shared ${program}.c)
  target_link_libraries(${program}-shared PRIVATE glimpse::glimpse)
  add_executable(${program}-static ${program}.c)
  target_link_libraries(${program}-static PRIVATE glimpse::static)
endforeach()
END
# Before 1.0 the second number changes with the interface: neighbours do not fit.
for other in 0.1 0.3; do
  mkdir "other-$other"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(other LANGUAGES C)' "find_package(glimpse $other)" \
    'if(glimpse_FOUND)' '  message(FATAL_ERROR "found")' 'endif()' >"other-$other/CMakeLists.txt"
  cmake -G Ninja -S "other-$other" -B "other-$other/build" -DCMAKE_PREFIX_PATH="$work/installed" >log 2>&1 || fail "CMake takes this version for $other"
done
if ! { cmake -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$work/installed" && cmake --build build; } >log 2>&1; then
  cat log
  exit 1
fi
expect "CMake, shared" build/value-shared build/plan-shared
expect "CMake, static" build/value-static build/plan-static
