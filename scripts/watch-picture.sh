#!/usr/bin/env bash
# Draws docs/pictures/watch.svg: a frame of 'glimpse run --watch' in a terminal (needs tmux and python3).
#
#   scripts/watch-picture.sh [PROGRAM]      by default build/release/glimpse

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$root/build/release/glimpse}")
work=$(mktemp -d)
tm() { env -u TMUX tmux -u -S "$work/socket" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
step=11

"$program" run robot-delivery:n=3 --expansions 200 --seed 8 --episodes 1 --record "$work/record.jsonl" >/dev/null
tm new-session -d -s pane -x 80 -y 24 env -u NO_COLOR LC_ALL=C.UTF-8 TERM=screen-256color \
  "$program" replay "$work/record.jsonl" --paused
for ((i = 1; i <= step; i++)); do
  for ((k = 0; ; k++)); do
    tm capture-pane -p -t pane >"$work/screen"
    if grep -q "step $i " "$work/screen"; then break; fi
    if ((k == 100)); then echo "watch-picture: step $i does not appear" >&2; exit 1; fi
    sleep 0.05
  done
  if ((i < step)); then tm send-keys -t pane n; fi
done
tm capture-pane -e -p -N -t pane | python3 "$root/scripts/screen-svg.py" 80 >"$root/docs/pictures/watch.svg"
