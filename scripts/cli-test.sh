#!/usr/bin/env bash
# Runs one shell test of the program.
#
#   scripts/cli-test.sh TEST.sh [WRAPPER ...] PROGRAM
#
# The test runs in a fresh directory, which is removed afterwards, with
#   GLIMPSE   path of the program (or of a script that runs it under WRAPPER)
#   WORK      the fresh directory
#   SOURCE    root of the source tree
# and no standard input. It passes with exit status 0 and is skipped with 77.

set -euo pipefail
test=$1
shift

SOURCE=$(cd "$(dirname "$0")/.." && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
WORK=$temporary/work
mkdir "$WORK"

if (($# == 1)); then
  GLIMPSE=$1
else
  GLIMPSE=$temporary/glimpse
  printf '#!/bin/sh\nexec %s "$@"\n' "$(printf '%q ' "$@")" >"$GLIMPSE"
  chmod +x "$GLIMPSE"
fi

export GLIMPSE WORK SOURCE
cd "$WORK"
bash "$test" </dev/null
