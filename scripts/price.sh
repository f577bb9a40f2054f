#!/usr/bin/env bash
# Draws docs/pictures/price.svg: return and requests over the price of asking (needs gnuplot and python3).
#
#   glimpse bench cost --scale quick -o cost.db
#   scripts/price.sh cost.db [PROGRAM]      by default build/release/glimpse
#
# The optimum, or the interval that it lies in, comes from a search of SECONDS (5) for each model and price.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
results=$(realpath "${1:?which results?}")
program=$(realpath "${2:-$root/build/release/glimpse}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$program" report "$results" --format csv --table results >results.csv

# A file for each model and planner: place on the axis, return, its standard error, requests.  "off" stands at 4 times
# the highest price.
python3 - <<'END'
import csv
places = {}
for row in csv.DictReader(open("results.csv")):
    model = row["environment"]
    prices = places.setdefault(model, set())
    if row["cost"]:
        prices.add(float(row["cost"]))
files = {}
for row in csv.DictReader(open("results.csv")):
    model, off = row["environment"], not row["cost"]
    place = 4 * max(places[model]) if off else float(row["cost"])
    name = model.replace(":", "-").replace("=", "") + "." + row["planner"]
    files.setdefault(name, []).append((place, row["return"], row["return_se"], row["requests"]))
for name, rows in files.items():
    with open(name, "w") as out:
        for row in sorted(rows):
            print(*row, file=out)
with open("models", "w") as out:
    for model, prices in places.items():
        for price in sorted(prices):
            print(model, price, price, file=out)
        print(model, "off", 4 * max(prices), file=out)
END

number() { awk -v key="\"$1\":" '$1 == key { sub(/,$/, "", $2); print $2; exit }'; }
while read -r model cost place; do
  "$program" plan "$model" --cost "$cost" --time "${SECONDS_EACH:-5}" --json >plan.json </dev/null
  name=${model//:/-}
  echo "$place $(number lower <plan.json) $(number upper <plan.json)" >>"${name//=/}.optimum"
done <models

panel() { # panel MODEL TITLE RANGE TICS RETURNS LABEL
  cat <<END
set title "$2" offset 0,-0.5
set xrange [$3]
set xtics ($4)
set yrange [$5]
set ylabel "$6"
plot "$1.optimum" using 1:2:3 with filledcurves @optimum, "$1.always-ask" using 1:2 with lines @always, \\
     "$1.never-ask" using 1:2 with lines @never, "$1.ask-entropy" using 1:2 with lines @entropy, \\
     "$1.aems-sr" using 1:2 with linespoints @paper, "$1.aems-loop" using 1:2:3 with yerrorlines @loop
END
}
below() { # below MODEL RANGE TICS LABEL: requests
  cat <<END
unset title
set xrange [$2]
set xtics ($3)
set yrange [0:*]
set ylabel "$4"
plot "$1.ask-entropy" using 1:4 with lines @entropy, "$1.aems-sr" using 1:4 with linespoints @paper, \\
     "$1.aems-loop" using 1:4 with linespoints @loop
END
}
robot='"0.01" 0.01, "0.1" 0.1, "1" 1, "off" 8'
tag='"0.1" 0.1, "1" 1, "10" 10, "off" 80'
{
  cat <<'END'
set terminal svg size 1120,560 font "sans-serif,12" background "white"
set output "price.svg"
optimum = 'fc rgb "#dddddd" fs solid border lc rgb "#aaaaaa"'
always = 'lw 1.5 dt 4 lc rgb "#999999"'
never = 'lw 1.5 dt 2 lc rgb "#999999"'
entropy = 'lw 1.5 lc rgb "#e69f00"'
paper = 'lw 1.5 pt 6 ps 0.5 lc rgb "#56b4e9"'
loop = 'lw 2 pt 7 ps 0.5 lc rgb "#0072b2"'
set multiplot layout 2,4 columnsfirst margins 0.055,0.985,0.14,0.94 spacing 0.045,0.06
set border 3 lc rgb "#666666"
set tics nomirror textcolor rgb "#333333"
set logscale x
unset key
END
  panel robot-delivery-n3 RobotDelivery-3 0.008:10 "$robot" 0:3.4 "return"
  below robot-delivery-n3 0.008:10 "$robot" "requests per episode"
  panel robot-delivery-n5 RobotDelivery-5 0.008:10 "$robot" 0:3.4 ""
  below robot-delivery-n5 0.008:10 "$robot" ""
  panel robot-delivery-n7 RobotDelivery-7 0.008:10 "$robot" 0:3.4 ""
  below robot-delivery-n7 0.008:10 "$robot" ""
  panel tag Tag 0.08:100 "$tag" -22:0 ""
  below tag 0.08:100 "$tag" ""
  cat <<'END'
set lmargin at screen 0.03
set rmargin at screen 0.97
set bmargin at screen 0.01
set tmargin at screen 0.07
unset border
unset tics
unset ylabel
unset logscale
set xrange [0:1]
set yrange [0:1]
set key center center horizontal samplen 3 width -1
plot NaN with filledcurves @optimum title "the optimum, or where it lies", NaN with linespoints @loop title "aems-loop, the default", \
     NaN with linespoints @paper title "AEMS-SR of the paper", NaN with lines @entropy title "ask above 1 bit", \
     NaN with lines @always title "always ask", NaN with lines @never title "never ask"
unset multiplot
END
} >price.gnuplot
gnuplot price.gnuplot
sed -i 's/ *$//' price.svg
cp price.svg "$root/docs/pictures/price.svg"
