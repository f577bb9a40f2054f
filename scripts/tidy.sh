#!/usr/bin/env bash
# clang-tidy on one file: all that it finds at once, so that several can run side by side, and nothing of what it
# has left out.
#
#   scripts/tidy.sh DIRECTORY FILE          DIRECTORY: where compile_commands.json is

set -euo pipefail
status=0
found=$(clang-tidy --quiet --warnings-as-errors='*' -p "$1" "$2" 2>&1) || status=$?
grep -Ev '^([0-9]+ warnings? (and [0-9]+ errors? )?generated|[0-9]+ warnings? treated as errors?)' <<<"$found" |
  sed '/^$/d' || true
exit "$status"
