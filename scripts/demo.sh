#!/usr/bin/env bash
# Shows the bounds on the optimal value of each built-in environment.
#
#   scripts/demo.sh [PROGRAM]

set -euo pipefail
glimpse=${1:-$(dirname "$0")/../build/release/glimpse}
if [[ ! -x $glimpse ]]; then
  echo "demo: there is no program $glimpse" >&2
  exit 1
fi

environments=(
  robot-delivery:n=3
  robot-delivery:n=5
  robot-delivery:n=7
  tag
  toy
  tiger
  lemma2
  'rock-sample:n=4,k=4'
)
for environment in "${environments[@]}"; do
  printf '$ glimpse bounds %s\n' "$environment"
  "$glimpse" bounds "$environment"
  echo
done
