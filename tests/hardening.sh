#!/usr/bin/env bash
# Checks that program and shared library were built with the guards of CMakeLists.txt (GLIMPSE_HARDENING).
#
#   tests/hardening.sh PROGRAM SHARED-LIBRARY MODULE-OR-EMPTY KNOWN ...
#
# KNOWN: what compiler and linker know, of protector, fortify, relro, now. Exits with 77 where the files are not ELF.

set -euo pipefail
program=$1 shared=$2 module=$3
shift 3
known=" $* "
bad=0

complain() {
  echo "hardening: $*"
  bad=1
}
if ! readelf -h "$program" >/dev/null 2>&1; then
  echo "hardening: $program is no ELF file, or there is no readelf"
  exit 77
fi
elf() { LC_ALL=C readelf -W "$@"; }
# has FILE PATTERN READELF-OPTION: does some line match?
has() { [[ -n $(elf "$3" "$1" | grep -E "$2") ]]; }

# The type of a program that may lie anywhere is that of a shared object; its flag tells them apart.
if ! has "$program" 'Type: +DYN' -h || ! has "$program" 'Flags:.* PIE' -d; then
  complain "$program always lies at the same address"
fi

for file in "$program" "$shared" $module; do
  if has "$file" 'GNU_STACK.* RWE ' -l; then complain "$file has a stack that can be executed"; fi
  has "$file" 'GNU_STACK' -l || complain "$file does not say that its stack is not executed"
  if has "$file" 'LOAD.* RWE ' -l; then complain "$file has memory that can be written and executed"; fi
  if [[ $known == *" relro "* ]] && ! has "$file" 'GNU_RELRO' -l; then
    complain "$file leaves its tables of addresses writable"
  fi
  if [[ $known == *" now "* ]] && ! has "$file" 'BIND_NOW|Flags:.* NOW' -d; then
    complain "$file binds functions late, so that the table of them stays writable"
  fi
  if has "$file" '(RPATH|RUNPATH).*\[(\.|[^/$])' -d; then complain "$file looks for libraries in the present directory"; fi
done

# Functions with arrays on the stack, and calls whose room the compiler knows: both libraries have some.
for file in "$program" "$shared"; do
  if has "$file" '__assert_fail' --dyn-syms; then complain "$file has asserts, which are for debug builds"; fi
  if [[ $known == *" protector "* ]] && ! has "$file" '__stack_chk_fail' --dyn-syms; then
    complain "$file does not guard its stack"
  fi
  # glibc alone has the functions that check.
  if [[ $known == *" fortify "* ]] && has "$file" '@GLIBC' --dyn-syms && ! has "$file" '__[a-z]*_chk@' --dyn-syms; then
    complain "$file calls no function that checks the room"
  fi
done
if has "$program" ' (gets|strcpy|strcat|sprintf|vsprintf|scanf|mktemp|tmpnam|system|popen)@' --dyn-syms; then
  complain "$program calls a function that cannot be used safely:" \
    "$(elf --dyn-syms "$program" | grep -Eo ' (gets|strcpy|strcat|sprintf|vsprintf|scanf|mktemp|tmpnam|system|popen)@')"
fi

((bad == 0)) || exit 1
echo "hardening: $(basename "$program") and $(basename "$shared") are guarded:$known"
