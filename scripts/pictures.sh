#!/usr/bin/env bash
# Draws the plots of docs/ALGORITHM.md and docs/TUTORIAL.md from what the program computes (needs gnuplot, Graphviz and
# awk).
#
#   scripts/pictures.sh [PROGRAM]      by default build/release/glimpse; writes docs/pictures/
#
# The other pictures there are drawn by hand.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$root/build/release/glimpse}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# number KEY: a number of a JSON object that has one member per line.
number() { awk -v key="\"$1\":" '$1 == key { sub(/,$/, "", $2); print $2; exit }'; }

# --- What each choice is worth, over the belief: the machine of the README ------------------------

awk '/^```/ { inside = !inside; file = ""; next }
     inside && /^discount:/ { file = "machine.pomdp" }
     file != "" { print > file }' "$root/README.md"
for ((i = 0; i <= 200; i++)); do
  worn=$(awk -v i=$i 'BEGIN { print i / 200 }')
  good=$(awk -v i=$i 'BEGIN { print 1 - i / 200 }')
  "$program" plan machine.pomdp --belief "good=$good,worn=$worn" --time off --epsilon 0.0001 --json >plan.json
  echo "$worn $(number lower <plan.json)" >>value.dat
done
# The search tells the value V, not what the choices are worth that it does not take: these follow by one
# step of the recursion, R(b,a) + discount * sum of P(o|b,a) V(next belief). Asking: known states, less 0.5.
awk '
  function value(p, i) { i = int(p * 200); if (i > 199) i = 199; return v[i] + (p * 200 - i) * (v[i + 1] - v[i]) }
  { v[NR - 1] = $2 }
  END {
    for (i = 0; i <= 200; i++) {
      p = i / 200
      next_worn = p + (1 - p) * 0.1
      fine = (1 - next_worn) * 0.8 + next_worn * 0.4
      run = 1 - 2 * p + 0.95 * (fine * value(next_worn * 0.4 / fine) + (1 - fine) * value(next_worn * 0.6 / (1 - fine)))
      print p, run, -2 + 0.95 * value(0), (1 - p) * value(0) + p * value(1) - 0.5, value(p)
    }
  }' value.dat >choice.dat
# Where the best choice changes.
awk '{ best = $2 > $3 ? "run" : "repair"; v = $2 > $3 ? $2 : $3; if ($4 > v) best = "ask"
       if (NR > 1 && best != last) print ($1 + x) / 2; last = best; x = $1 }' choice.dat >changes
[[ $(wc -l <changes) == 2 ]] || { echo "pictures: expected run, ask, repair; found changes at $(xargs <changes)" >&2; exit 1; }
read -r first <changes
second=$(tail -n 1 changes)

# --- How the bounds close --------------------------------------------------------------------------

for planner in aems-loop aems-sr aems; do
  for n in 1 2 5 10 20 50 100 200 500 1000 2000 5000 10000 20000; do
    "$program" plan robot-delivery --planner $planner --expansions $n --json >plan.json
    echo "$n $(number lower <plan.json) $(number upper <plan.json)" >>$planner.dat
  done
done

style='set terminal svg size 760,400 font "sans-serif,13" background "white"
set border 3 lc rgb "#666666"
set tics nomirror textcolor rgb "#333333"'
gnuplot <<END
$style
set output "choice.svg"
set xlabel "how likely the machine is worn"
set ylabel "worth"
set key top right opaque
set xrange [0:1]
set yrange [6.5:11]
set arrow 1 from $first, graph 0 to $first, graph 1 nohead dt 2 lc rgb "#888888"
set arrow 2 from $second, graph 0 to $second, graph 1 nohead dt 2 lc rgb "#888888"
set label 1 "run" at $first / 2, 6.75 center textcolor rgb "#333333"
set label 2 "ask" at ($first + $second) / 2, 6.75 center textcolor rgb "#333333"
set label 3 "repair" at (1 + $second) / 2, 6.75 center textcolor rgb "#333333"
plot "choice.dat" using 1:5 with lines lw 9 lc rgb "#dddddd" title "value V", \
  "" using 1:2 with lines lw 2 lc rgb "#0072b2" title "run", \
  "" using 1:3 with lines lw 2 lc rgb "#d55e00" title "repair", \
  "" using 1:4 with lines lw 2 lc rgb "#009e73" title "ask, then act"
END
gnuplot <<END
$style
set output "bounds.svg"
set xlabel "expansions"
set ylabel "value at the start"
set logscale x
set xrange [1:20000]
set format x "10^{%L}"
set yrange [0.8:3]
set key bottom right
set style fill solid 0.3 noborder
plot "aems.dat" using 1:2:3 with filledcurves lc rgb "#d55e00" title "aems: no sharing", \
  "aems-sr.dat" using 1:2:3 with filledcurves lc rgb "#009e73" title "aems-sr: shared corners", \
  "aems-loop.dat" using 1:2:3 with filledcurves lc rgb "#0072b2" title "aems-loop: equal beliefs shared", \
  "aems.dat" using 1:2 with lines lw 2 lc rgb "#d55e00" notitle, "" using 1:3 with lines lw 2 lc rgb "#d55e00" notitle, \
  "aems-sr.dat" using 1:2 with lines lw 2 lc rgb "#009e73" notitle, "" using 1:3 with lines lw 2 lc rgb "#009e73" notitle, \
  "aems-loop.dat" using 1:2 with lines lw 2 lc rgb "#0072b2" notitle, "" using 1:3 with lines lw 2 lc rgb "#0072b2" notitle
END
"$program" price robot-delivery:n=2 --expansions 20000 --plot worth.svg >/dev/null
"$program" plan robot-delivery:n=3 --expansions 500 --dot - --dot-depth 2 --dot-choices plan --dot-probability 0.03 |
  dot -Tsvg -o search.svg
for picture in choice bounds worth search; do
  [[ -s $picture.svg ]] || { echo "pictures: nothing was drawn in $picture.svg" >&2; exit 1; }
  cp $picture.svg "$root/docs/pictures/"
done
if [[ -n ${KEEP:-} ]]; then cp ./*.dat changes "$KEEP"; fi
