#!/usr/bin/env bash
# Checks the names that the libraries define, and what the shared one needs.
#
#   tests/symbols.sh [STATIC SHARED]      by default those of build/release
#
# The static library may define glimpse_* (public) and gli_* (internal). The shared library exports
# just the functions that include/glimpse.h declares, each under the version that goes with its soname,
# and needs libc, libm and threads alone.

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
# Older linkers export these marks of sections from each shared library; GLIMPSE_N is the version itself.
exported=$(names -D "$shared" | sed 's/@.*//' | { grep -Evx '_init|_fini|_edata|_end|__bss_start|GLIMPSE_[0-9]+' || true; })
needed=$(LC_ALL=C readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')

check "static library defines" '^(glimpse|gli)_' "$defined"
check "shared library exports" '^glimpse_' "$exported"
check "shared library needs" '^(libc|libm|libpthread|ld-linux.*)\.so' "$needed"

# The functions of the header, and nothing else.
declared=$(sed -n '/^#/!s/^GLIMPSE_API .*[ *]\(glimpse_[a-z0-9_]*\)(.*/\1/p' "$root/include/glimpse.h" | LC_ALL=C sort -u)
check "header declares" '^glimpse_' "$declared"
if ! difference=$(diff <(echo "$declared") <(echo "$exported")); then
  echo "symbols: declared (<) and exported (>) differ:"
  grep '^[<>]' <<<"$difference"
  bad=1
fi

# Each has the version GLIMPSE_N, N being the number of the soname libglimpse.so.N.
soname=$(LC_ALL=C readelf -d "$shared" | sed -n 's/.*(SONAME).*\[libglimpse\.so\.\(.*\)\]/\1/p')
versions=$(LC_ALL=C readelf -W --dyn-syms "$shared" | awk '$7 != "UND" && $8 ~ /^glimpse_/ { sub(/^[^@]*/, "", $8); print $8 }' |
  LC_ALL=C sort | uniq -c | awk '{ print $2, $1 }')
if [[ $versions != "@@GLIMPSE_$soname $(wc -l <<<"$exported")" ]]; then
  echo "symbols: expected @@GLIMPSE_$soname for each of $(wc -l <<<"$exported") functions, found: $versions"
  bad=1
fi

((bad == 0)) || exit 1
echo "symbols: $(wc -l <<<"$defined") defined, $(wc -l <<<"$exported") exported as GLIMPSE_$soname"
