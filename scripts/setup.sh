#!/usr/bin/env bash
# Installs what is needed to build, test or check glimpse, and does nothing if it is there.
#
#   scripts/setup.sh [--check] [demo|page|browser|test|sanitize|tsan|valgrind|coverage|fuzz|analyse|format|dist|wheel|amalgamation|abi|deb] ...
#
# On Debian and its relatives the missing packages, and only those, are installed with apt-get;
# elsewhere they are named, and the script fails. With --check nothing is installed anywhere.

set -euo pipefail

# --- What is missing is found by looking, not by asking a package manager -------------------------

missing=()
need() { # need PACKAGE TEST ...: PACKAGE is missing if the test fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
have() { command -v "$1"; }
compiler() { # the one that CMake would take
  local name
  for name in ${CC:-} cc gcc clang; do
    if have "$name" >/dev/null; then
      echo "$name"
      return
    fi
  done
  return 1
}
compiles() { # compiles COMPILER FLAG ...: can it make a program of standard input?
  local compiler=$1
  shift
  "$compiler" -o /dev/null -x c - -x none "$@"
}
has_libc() { compiles "$(compiler)" <<<'#include <stdio.h>
int main(void) { return puts("") < 0; }'; }
has_cmocka() { compiles "$(compiler)" -lcmocka <<<'#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
int main(void) { return 0; }'; }
has_sqlite() { compiles "$(compiler)" -lsqlite3 <<<'#include <sqlite3.h>
int main(void) { return 0; }'; }
has_expat() { compiles "$(compiler)" -lexpat <<<'#include <expat.h>
int main(void) { return !XML_ExpatVersion(); }'; }
has_module() { # has_module NAME: of Python; the system's comes first, to which Debian's packages belong
  local python
  for python in /usr/bin/python3 python3; do
    if "$python" -c "import $1"; then return; fi
  done
  return 1
}
has_package() { [[ $(dpkg-query -W -f '${Status}' "$1") == "install ok installed" ]]; } # where packages themselves are asked for
has_sanitizer() { compiles "$1" "-fsanitize=$2" <<<'int main(void) { return 0; }'; }

has_fuzzer() { compiles clang -fsanitize=fuzzer <<<'int LLVMFuzzerTestOneInput(const void *data, unsigned long size);
int LLVMFuzzerTestOneInput(const void *data, unsigned long size) { return data && size == 7 && *(const char *)data < 0; }'; }

look_build() {
  need gcc compiler
  need libc6-dev has_libc
  need cmake have cmake
  need ninja-build have ninja
  need make have make
  need libsqlite3-dev has_sqlite # bench and report
  need libexpat1-dev has_expat # POMDPX files
}
wasm_clang() {
  local major
  for major in 14 15 16 17 18 19; do
    if have "clang-$major" >/dev/null && have "wasm-ld-$major" >/dev/null; then
      echo "$major"
      return
    fi
  done
  return 1
}
has_wasi() { [[ -e /usr/lib/wasm32-wasi/libc.a ]]; }
has_wasm_builtins() { compgen -G "/usr/lib/llvm-$(wasm_clang)/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a"; }
look_page() { # the planner in a web page
  need clang-14 wasm_clang
  need lld-14 wasm_clang
  need wasi-libc has_wasi
  need "libclang-rt-$(wasm_clang || echo 14)-dev-wasm32" has_wasm_builtins
  need cmake have cmake
  need ninja-build have ninja
  need nodejs have node
  need npm have npm
}
has_browser() { have chromium || have chromium-browser || have google-chrome; } >/dev/null
look_gcc() {
  need gcc have gcc
  need libc6-dev has_libc
}
look_clang() {
  need clang have clang
  if have clang >/dev/null; then
    local major
    major=$(clang -dumpversion | cut -d. -f1)
    need "libclang-rt-$major-dev" has_sanitizer clang "$1"
  fi
}
look() {
  case $1 in
  demo) look_build ;;
  page) look_page ;;
  browser) has_browser || need chromium false ;; # for the tests of the page
  test)
    look_build
    need libcmocka-dev has_cmocka
    # The tests of bench; without them they are skipped.
    need sqlite3 have sqlite3
    need libopenmpi-dev have mpicc
    need openmpi-bin have mpirun
    need gnuplot-nox have gnuplot # the plots of report, price and map
    need graphviz have dot        # draws what 'plan --dot' writes
    need pkg-config have pkg-config # what is installed, as others find it
    need g++ have c++               # C++ programs that use the library
    need abigail-tools have abidiff # what a release may not change
    need python3 have python3       # the Python package, and its examples
    need python3-pytest has_module pytest
    need python3-pip has_module pip # the wheel
    need python3-numpy has_module numpy
    need python3-scipy has_module scipy
    need python3-matplotlib has_module matplotlib
    need python3-joblib has_module joblib
    need mypy has_module mypy # its types
    need zsh have zsh               # completion
    need tmux have tmux           # the terminal of 'run --watch'
    ;;
  sanitize)
    look test
    look_gcc
    look_clang address,undefined
    ;;
  tsan)
    look test
    look_clang thread
    ;;
  valgrind)
    look test
    need valgrind have valgrind
    # Valgrind needs the symbols of the dynamic linker.
    if have valgrind >/dev/null; then need libc6-dbg valgrind -q true; fi
    ;;
  coverage)
    look test
    look_gcc
    need gcovr have gcovr
    ;;
  fuzz)
    look test
    look_clang address,undefined
    if have clang >/dev/null; then need "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" has_fuzzer; fi
    need afl++ have afl-clang-fast
    ;;
  analyse)
    look_build
    look_gcc
    need clang-tidy have clang-tidy
    need cppcheck have cppcheck
    need shellcheck have shellcheck
    need libcmocka-dev has_cmocka # to understand the tests
    need libopenmpi-dev have mpicc
    ;;
  format) need clang-format have clang-format ;;
  dist)
    need python3 have python3
    if [[ ! -e MANIFEST ]]; then need git have git; fi # which lists the files
    ;;
  amalgamation) need python3 have python3 ;;
  deb)
    look test
    look dist
    need build-essential has_package build-essential
    need dpkg-dev have dpkg-buildpackage
    need debhelper have dh
    need dh-python have dh_python3
    need fakeroot have fakeroot
    need lintian have lintian
    ;;
  abi)
    look_gcc
    need cmake have cmake
    need abigail-tools have abidiff
    ;;
  wheel)
    look_gcc
    need cmake have cmake
    need python3 have python3
    ;;
  *)
    echo "setup: unknown group '$1'" >&2
    exit 2
    ;;
  esac
}

# --- Installing -----------------------------------------------------------------------------------

as_root=()
become_root() {
  if [[ $(id -u) == 0 ]]; then return; fi
  if ! have sudo >/dev/null; then
    echo "setup: please install these packages as root: $*" >&2
    exit 1
  fi
  as_root=(sudo)
  # Nobody is there to type a password.
  if [[ ! -t 0 || ${CI:-} == true ]]; then as_root=(sudo -n); fi
}
apt() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
install_packages() {
  if ! have apt-get >/dev/null; then
    echo "setup: please install what Debian calls: $*" >&2
    exit 1
  fi
  become_root "$@"
  echo "setup: installing $*"
  local log
  log=$(mktemp)
  if ! { apt update && apt install --no-install-recommends "$@"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "setup: could not install: $*" >&2
    exit 1
  fi
  rm -f "$log"
}

check=false
if [[ ${1:-} == --check ]]; then
  check=true
  shift
fi
groups=("${@:-demo}")

# What a package lacks may show only once it is there, hence more than one round.
tried=
while :; do
  missing=()
  for group in "${groups[@]}"; do look "$group"; done
  if ((${#missing[@]} == 0)); then exit 0; fi
  mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
  if $check; then
    echo "setup: missing: ${missing[*]}; scripts/setup.sh ${groups[*]} installs them" >&2
    exit 1
  fi
  if [[ ${missing[*]} == "$tried" ]]; then
    echo "setup: installed, but still not usable: ${missing[*]}" >&2
    exit 1
  fi
  tried=${missing[*]}
  install_packages "${missing[@]}"
done
