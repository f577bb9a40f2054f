#!/usr/bin/env bash
# Runs the soak test and draws memory and time over the steps.
#
#   scripts/soak.sh SOAK [DIRECTORY [MODEL [STEPS [EXPANSIONS [MEGABYTES]]]]]
#   scripts/soak.sh --draw DATA DIRECTORY NAME TITLE       only the figure, of what soak has written
#
# SOAK is the program build/release/bench/soak; the figure goes to DIRECTORY (docs/figures) as soak.svg.
# Needs gnuplot for the figure.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

draw() { # DATA DIRECTORY NAME TITLE
  if ! command -v gnuplot >/dev/null; then
    echo "soak: gnuplot is not installed, so there is no figure" >&2
    return
  fi
  # Two hundred parts: largest memory, median and 99th percentile of the time.
  local steps
  steps=$(grep -vc '^#' "$1")
  grep -v '^#' "$1" | awk -v size=$(((steps + 199) / 200)) '{ print int(($1 - 1) / size), $0 }' |
    sort -k1,1n -k3,3g | awk '
      function flush(i) {
        if (!n) return
        print last, resident, counted, ms[int((n + 1) / 2)], ms[int(0.99 * (n - 1)) + 1]
      }
      $1 != part { flush(); part = $1; n = 0; resident = counted = last = 0 }
      { ms[++n] = $3; if ($4 > resident) resident = $4; if ($5 > counted) counted = $5; if ($2 > last) last = $2 }
      END { flush() }' >"$work/parts"
  mkdir -p "$2"
  gnuplot <<PLOT
set terminal svg size 1000,420 font "sans-serif,13" background "#ffffff"
set output "$2/$3.svg"
set multiplot layout 1,2 title "$4"
set grid ytics lc rgb "#dddddd"
set key below
set xlabel "thousand steps"
set yrange [0:*]
set ylabel "MiB"
plot "$work/parts" using (\$1/1000):2 with lines lw 2 lc rgb "#d55e00" title "process, above its start", \
     "$work/parts" using (\$1/1000):3 with lines lw 2 lc rgb "#0072b2" title "counted by the planner"
set ylabel "ms of the processor per step"
plot "$work/parts" using (\$1/1000):5 with lines lw 1 lc rgb "#d55e00" title "99th percentile", \
     "$work/parts" using (\$1/1000):4 with lines lw 2 lc rgb "#0072b2" title "median"
unset multiplot
PLOT
}

if [[ ${1:-} == --draw ]]; then
  draw "${@:2:4}"
  exit
fi
soak=$(realpath "$1")
cd "$(dirname "$0")/.."
directory=${2:-docs/figures}
model=${3:-robot-delivery:n=3,e=0}
steps=${4:-100000}
expansions=${5:-1000}
megabytes=${6:-64}
status=0
"$soak" "$model" "$steps" "$expansions" "$megabytes" "$work/data" || status=$?
if [[ -s $work/data ]]; then
  draw "$work/data" "$directory" soak "$model, graph kept, $expansions expansions per step, limit $megabytes MiB"
fi
exit $status
