#!/usr/bin/env bash
# Checks the names that the libraries define, and what the shared one needs.
#
#   tests/symbols.sh [STATIC SHARED]      by default those of build/release
#
# The static library may define glimpse_* (public) and gli_* (internal); the shared library exports
# glimpse_* alone and needs libc, libm and threads alone.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
static=${1:-$root/build/release/libglimpse.a}
shared=${2:-$root/build/release/libglimpse.so}
bad=0

# check WHAT PATTERN NAMES: each of NAMES matches PATTERN, and there is at least one.
check() {
  local strangers
  if [[ -z $3 ]]; then
    echo "symbols: $1: none found"
    bad=1
    return
  fi
  if strangers=$(grep -Ev "$2" <<<"$3"); then
    printf "symbols: $1: %s\n" "${strangers//$'\n'/ }"
    bad=1
  fi
}

# nm -P prints "name type ..." for each symbol, and "archive[member]:" for each member.
names() {
  local table
  table=$(nm -P -g --defined-only "$@") || exit 1
  awk 'NF > 1 { print $1 }' <<<"$table" | LC_ALL=C sort -u
}

defined=$(names "$static")
# Older linkers export these marks of sections from each shared library.
exported=$(names -D "$shared" | { grep -Evx '_init|_fini|_edata|_end|__bss_start' || true; })
needed=$(LC_ALL=C readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')

check "static library defines" '^(glimpse|gli)_' "$defined"
check "shared library exports" '^glimpse_' "$exported"
check "shared library needs" '^(libc|libm|libpthread|ld-linux.*)\.so' "$needed"

((bad == 0)) || exit 1
echo "symbols: $(wc -l <<<"$defined") defined, $(wc -l <<<"$exported") exported"
