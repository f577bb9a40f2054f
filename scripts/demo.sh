#!/usr/bin/env bash
# A robot delivers packages: one episode live, then twenty more with their summary.
#
#   scripts/demo.sh [PROGRAM]

set -euo pipefail
glimpse=${1:-$(dirname "$0")/../build/release/glimpse}
if [[ ! -x $glimpse ]]; then
  echo "demo: there is no program $glimpse" >&2
  exit 1
fi

show() {
  printf '$ glimpse %s\n\n' "$*"
  "$glimpse" "$@"
  echo
}

cat <<'END'
A robot (R) brings packages (P) from the pickup points (o) to the delivery
point (D), for a reward of 1 each, and leaves by the exit (E), for another 1.
Its moves fail one time in ten, and it sees only how many walls are around it.
Before each move it may ask where everything is, for 0.1. It plans for 0.1 s
per move with the planner aems-loop.

END
show run robot-delivery:n=3 --episodes 1 --seed 8 --time 0.1 --show
show run robot-delivery:n=3 --episodes 20 --time 0.01
cat <<'END'
'glimpse explain robot-delivery:n=3' says why it does what it does, and
'glimpse help' what else there is.
END
here=$(cd "$(dirname "$0")/.." && pwd)
if "$here/scripts/setup.sh" --check page 2>/dev/null && "$here/scripts/page.sh" >/dev/null 2>&1; then
  echo "The same in a browser, with a slider for the price: $here/build/page/glimpse.html ('glimpse view' opens it)."
else
  echo "'make page' builds the same as a web page; it needs node, clang and wasi-libc."
fi
