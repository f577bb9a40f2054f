#!/usr/bin/env bash
# Runs one shell test of the program.
#
#   scripts/cli-test.sh DIRECTORY TEST.sh [WRAPPER ...] PROGRAM
#
# DIRECTORY is emptied first and left as the test leaves it, to be looked at. The test runs with
#   GLIMPSE   path of the program (or of a script that runs it under WRAPPER)
#   WORK      a fresh directory, which is also the current one
#   SOURCE    root of the source tree
# and no standard input. It passes with exit status 0 and is skipped with 77.

set -euo pipefail
absolute() { if [[ $1 == /* ]]; then echo "$1"; else echo "$PWD/$1"; fi; }
directory=$1
test=$(absolute "$2")
shift 2
set -- "${@:1:$#-1}" "$(absolute "${@: -1}")" # the test runs in a directory of its own

rm -rf "$directory"
mkdir -p "$directory/work"
WORK=$(cd "$directory/work" && pwd)
SOURCE=$(cd "$(dirname "$0")/.." && pwd)

if (($# == 1)); then
  GLIMPSE=$1
else
  GLIMPSE=$(dirname "$WORK")/glimpse
  printf '#!/usr/bin/env bash\nexec %s "$@"\n' "$(printf '%q ' "$@")" >"$GLIMPSE"
  chmod +x "$GLIMPSE"
fi

export GLIMPSE WORK SOURCE
cd "$WORK"
exec bash "$test" </dev/null
