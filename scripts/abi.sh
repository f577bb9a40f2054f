#!/usr/bin/env bash
# Does the library still fit programs that were linked with the last release?
#
#   scripts/abi.sh                                        compares with cmake/libglimpse.abi
#   scripts/abi.sh --write                                writes that file, for a release
#   scripts/abi.sh OLD OLD-HEADERS NEW.so NEW-HEADERS     compares two libraries that have debugging information;
#                                                         OLD may also be such a file
#
# The promise is in CONTRIBUTING.md ("Versions"): as long as the number behind ".so" stays, functions and types of
# include/glimpse.h may be added, and none may change or go. cmake/libglimpse.abi is what abidw (Debian: abigail-tools)
# noted of the functions and types of the last release, on a 64-bit machine; abidiff compares. Exits with 0 if the
# promise holds, with 1 if not, and with 77 where abidiff is missing or the machine is another.

set -euo pipefail
if ! command -v abidiff >/dev/null; then
  echo "abi: abidiff was not found (Debian: apt install abigail-tools)" >&2
  exit 77
fi
soname() {
  case $1 in
    *.abi) sed -n "s/^<abi-corpus .*soname='\([^']*\)'.*/\1/p" "$1" ;;
    *) LC_ALL=C readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p' ;;
  esac
}

compare() { # compare OLD OLD-HEADERS NEW.so NEW-HEADERS
  local report status=0 headers
  if [[ $(soname "$1") != "$(soname "$3")" ]]; then
    echo "abi: $(soname "$1") became $(soname "$3"): anything may have changed since $1"
    return 0
  fi
  headers=(--headers-dir2 "$4")
  if [[ $1 != *.abi ]]; then headers+=(--headers-dir1 "$2"); fi # a file has public types alone
  report=$(abidiff --no-added-syms --drop-private-types "${headers[@]}" "$1" "$3") || status=$?
  if ((status & 3)); then # it failed itself
    echo "$report"
    echo "abi: abidiff failed"
    return 1
  elif ((status)); then
    echo "$report"
    echo "abi: programs that were linked with $1 do not fit any more: undo what is named above, or raise SOVERSION (CMakeLists.txt), GLIMPSE_0 (cmake/glimpse.map) and the second number of the version. If that version was not published yet: scripts/abi.sh --write"
    return 1
  fi
  echo "abi: fits $1"
}

if (($# == 4)); then
  compare "$@"
  exit
elif (($#)) && [[ $* != --write ]]; then
  echo "usage: scripts/abi.sh [--write | OLD OLD-HEADERS NEW.so NEW-HEADERS]" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
if [[ $(uname -m) != x86_64 ]]; then
  echo "abi: cmake/libglimpse.abi is for x86_64, this is $(uname -m)" >&2
  exit 77
fi
# As one file, of which abidw makes what abidiff can read again.
number=$(sed -n 's/.* SOVERSION \([0-9]*\).*/\1/p' CMakeLists.txt)
rm -rf build/abi
mkdir -p build/abi
python3 scripts/amalgamate.py build/abi
"${CC:-cc}" -std=c17 -g -O0 -fPIC -fvisibility=hidden -shared -Wl,-soname,"libglimpse.so.$number" \
  -Wl,--version-script=cmake/glimpse.map build/abi/glimpse.c -pthread -lm -o build/abi/libglimpse.so
if [[ ${1:-} == --write ]]; then
  abidw --no-corpus-path --no-comp-dir-path --short-locs --drop-private-types \
    --type-id-style hash --headers-dir build/abi build/abi/libglimpse.so >build/abi/new.abi
  mv build/abi/new.abi cmake/libglimpse.abi
  echo "abi: wrote cmake/libglimpse.abi"
else
  compare cmake/libglimpse.abi build/abi build/abi/libglimpse.so build/abi
fi
