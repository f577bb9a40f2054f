#!/usr/bin/env bash
# Draws the figures of docs/ALGORITHM.md: the bounds over expansions.
#
#   scripts/figures.sh [GLIMPSE [DIRECTORY]]     default: build/release/glimpse docs/figures
#
# Needs gnuplot.  Budgets are expansions, so the curves are the same on every machine.

set -euo pipefail
cd "$(dirname "$0")/.."
glimpse=$(realpath "${1:-build/release/glimpse}")
directory=${2:-docs/figures}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v gnuplot > /dev/null; then
  echo "figures: gnuplot is not installed; 'scripts/setup.sh' installs it" >&2
  exit 1
fi
mkdir -p "$directory"

# One number of the JSON of plan, the first of that name.
field() { sed -n "s/^ *\"$1\": \([-0-9.e+]*\),*\$/\1/p" | head -n 1; }

# The start belief: expansions, lower, upper, one line per budget.
search() { # ENVIRONMENT OPTION ...
  local environment=$1 n json
  shift
  for n in 1 3 10 30 100 200 500 1000 2000 5000 10000 20000 50000 100000; do
    json=$("$glimpse" plan "$environment" --expansions $n --json "$@")
    echo "$n $(field lower <<< "$json") $(field upper <<< "$json")"
  done
}

# Episodes: expansions so far, and the mean bounds of the beliefs in which the agent then decides.
episodes() { # ENVIRONMENT OPTION ...
  local environment=$1
  shift
  "$glimpse" run "$environment" --expansions 1000 --episodes 50 --max-steps 20 --trace "$work/trace" "$@" > /dev/null 2>&1
  sed -n 's/.*"step": \([0-9]*\),.*"request": [a-z]*, "lower": \([-0-9.e+]*\), "upper": \([-0-9.e+]*\),.*/\1 \2 \3/p' "$work/trace" |
    awk '{ n[$1]++; l[$1] += $2; u[$1] += $3; if ($1 > last) last = $1 }
         END { for (i = 0; i <= last; i++) if (n[i] >= 10) print i + 1, l[i] / n[i], u[i] / n[i] }'
}

draw() { # NAME TITLE ENVIRONMENT
  echo "figures: $2" >&2
  search "$3" > "$work/sound"
  search "$3" --improve none > "$work/none"
  episodes "$3" --graph keep > "$work/keep"
  episodes "$3" --graph reset > "$work/reset"
  gnuplot << PLOT
set terminal svg size 1000,440 font "sans-serif,13" background "#ffffff"
set output "$directory/bounds-$1.svg"
set multiplot layout 1,2 title "$2: bounds on the value"
set grid ytics lc rgb "#dddddd"
set key below maxcols 2
set xlabel "expansions from the start belief"
set ylabel "value"
set logscale x
set format x "10^{%T}"
plot "$work/sound" using 1:3 with lines lw 2 lc rgb "#0072b2" title "U, corners teach the fringe", \
     "$work/sound" using 1:2 with lines lw 2 lc rgb "#d55e00" title "L", \
     "$work/none" using 1:3 with lines lw 2 dt 2 lc rgb "#0072b2" title "U, they do not", \
     "$work/none" using 1:2 with lines lw 2 dt 2 lc rgb "#d55e00" title "L"
unset logscale x
set format x "%g"
set xtics 5
set xlabel "thousand expansions, one per step; mean of 50 episodes"
plot "$work/keep" using 1:3 with linespoints pt 7 ps 0.5 lw 2 lc rgb "#0072b2" title "U, graph kept", \
     "$work/keep" using 1:2 with linespoints pt 7 ps 0.5 lw 2 lc rgb "#d55e00" title "L", \
     "$work/reset" using 1:3 with linespoints pt 6 ps 0.5 lw 2 dt 2 lc rgb "#0072b2" title "U, graph reset", \
     "$work/reset" using 1:2 with linespoints pt 6 ps 0.5 lw 2 dt 2 lc rgb "#d55e00" title "L"
unset multiplot
PLOT
}

draw robot-delivery-3 "RobotDelivery-3" robot-delivery:n=3
draw robot-delivery-5 "RobotDelivery-5" robot-delivery:n=5
draw robot-delivery-7 "RobotDelivery-7" robot-delivery:n=7
draw tag "Tag" tag
