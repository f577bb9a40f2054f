# glimpse run: known returns, the same bytes for any number of jobs, traces, signals.
#
# Covers tool/progress.c, tool/trace.c.
. "$SOURCE/tests/cli/support/checks.sh"

# Tiger at a price of 1: ask and open the right door every time, 9 at each of N steps.
run run tiger --episodes 3 --max-steps 20 --expansions 50 --json
expect_status 0
expect_no_err
wanted=$(awk 'BEGIN { y = 1; while (n++ < 20) y *= 0.95; printf "%.10f", 180 * (1 - y) }')
expect_json episodes 3
expect_near return.mean "$wanted" 1e-6
expect_near return.se 0 1e-9
expect_near return.low "$wanted" 1e-6
expect_near return.high "$wanted" 1e-6
expect_near error_reduction 100 1e-6
expect_json requests 20
expect_json steps 20
expect_json unfinished 3
expect_json interrupted false
expect_near lower 180 1e-6
expect_json planner '"aems-loop"'
expect_json settings '"aems-loop, 50 expansions per decision, seed 1"'
expect_json discount 0.95
expect_json cost 1
keys=$(json_keys | tr '\n' ' ')
[[ $keys == "episodes return.mean return.se return.low return.high expansions error_reduction requests steps \
seconds_per_step lower upper return_undiscounted.mean return_undiscounted.se return_undiscounted.low \
return_undiscounted.high unfinished interrupted model planner seed discount cost settings " ]] || fail "other keys: $keys"
run run tiger --max-steps 1 --expansions 5 --json
expect_json episodes 20
# Returns of any size have an error, and are printed with a few digits.
for size in 1e200 1e-200; do
  printf 'discount: 0.5\nvalues: reward\nstates: a b\nactions: 1\nobservations: 1\nT: * : * : * 0.5\nO: * : * : * 1\nR: * : a : * : * %s\n' $size >scale.pomdp
  run run scale.pomdp --episodes 40 --max-steps 1 --expansions 3 --json
  expect_status 0
  awk -v mean="$(json_value return.mean)" -v se="$(json_value return.se)" -v size=$size 'BEGIN {
    share = mean / size; wanted = sqrt(share * (1 - share) / 39); exit !(share > 0.2 && share < 0.8 && se / size / wanted > 0.999999 && se / size / wanted < 1.000001) }' ||
    fail "mean $(json_value return.mean), s.e. $(json_value return.se)"
  run run scale.pomdp --episodes 40 --max-steps 1 --expansions 3
  grep -Eq "^return +[0-9.]+e[+-][0-9]+ +[0-9.]+e[+-][0-9]+ +[0-9.]+e[+-][0-9]+ to [0-9.]+e[+-][0-9]+$" out || fail "no short numbers"
  grep -Eq "between [0-9.]+e[+-][0-9]+ and [0-9.]+e[+-][0-9]+\.$" out || fail "no short bounds"
done
run run tiger --episodes 1 --max-steps 3 --expansions 50 --json
expect_json return.se null
expect_json return.low null

# The same bytes with any number of jobs, but for the time; another seed, other bytes.
plain() { grep -v '"seconds_per_step"' out; }
for line in "robot-delivery:n=3 --expansions 20 --episodes 7 --max-steps 40" \
  "tag --expansions 15 --episodes 5 --max-steps 30 --planner pomcp"; do
  run run $line --trace one.jsonl --json
  expect_status 0
  expect_no_err
  plain >one
  for jobs in 2 3 16; do
    run run $line --jobs "$jobs" --trace many.jsonl --json
    expect_status 0
    plain | cmp -s one - || fail "another result with $jobs jobs"
    cmp -s one.jsonl many.jsonl || fail "another trace with $jobs jobs"
  done
  run run $line --seed 99 --json
  ! plain | cmp -s one - || fail "another seed changes nothing"
done

# The trace tells what the summary sums up: steps, requests and the discounted return.
run run robot-delivery:n=3 --expansions 20 --episodes 6 --max-steps 60 --trace trace.jsonl --json
cp out summary
mean=$(json_value return.mean)
undiscounted=$(json_value return_undiscounted.mean)
steps=$(json_value steps)
requests=$(json_value requests)
while IFS= read -r line; do
  printf '%s\n' "$line" >out
  flatten
  tr '\t' ' ' <leaves | awk '{ k = $1; sub(/^[^ ]* /, ""); v[k] = $0 }
    END { print v["episode"], v["step"], v["ask"], v["reward"], v["cost"], v["return"], v["last"],
                v["belief.states"], v["belief.entropy"], v["belief.largest[0].probability"], v["lower"], v["upper"],
                v["after.lower"] == "" ? "-" : v["after.lower"], v["return_undiscounted"] }'
done <trace.jsonl >steps
cp summary out
awk -v mean="$mean" -v undiscounted="$undiscounted" -v steps="$steps" -v requests="$requests" '
  function near(a, b) { return a - b < 1e-9 && b - a < 1e-9 }
  $2 == 0 { if ($1 != episodes) exit 2; episodes++; total = plain = 0; factor = 1; at = 0 }
  {
    if ($2 != at++) exit 3
    total += factor * ($4 - $5)
    factor *= 0.99
    if (!near(total, $6)) exit 4
    if (($5 > 0) != ($3 == "true")) exit 5
    plain += $4 - $5
    if (!near(plain, $14)) exit 10
    if (($13 != "-") != ($3 == "true")) exit 6
    if ($9 < 0 || $10 <= 0 || $10 > 1 || $11 > $12 || ($8 == 1) != ($10 == 1)) exit 7
    asked += $3 == "true"
  }
  $7 == "true" { sum += total; plain_sum += plain; done++ }
  END {
    if (done != 6 || !near(sum / 6, mean) || !near(plain_sum / 6, undiscounted)) exit 8
    if (NR / 6 != steps || !near(asked / 6, requests)) exit 9
  }' steps || fail "the trace and the summary disagree ($?)"
! grep -q seconds trace.jsonl || fail "times in the trace of an expansion budget"
run run toy --time 0.001 --episodes 2 --trace trace.jsonl
grep -q '"seconds": ' trace.jsonl || fail "no times in the trace of a time budget"

# Files that cannot be written are noticed.
run run toy --expansions 5 --episodes 2 --trace nowhere/trace
expect_status 1
expect_no_out
err_has "error: 'nowhere/trace' cannot be written: No such file or directory"
if [[ -c /dev/full ]]; then
  run run toy --expansions 5 --episodes 200 --trace /dev/full
  expect_status 1
  expect_no_out
  err_has "error: '/dev/full' cannot be written: No space left on device"
fi

# The text.
run run tiger --episodes 2 --max-steps 20 --expansions 50
expect_status 0
expect_no_err
sed -E 's/^(seconds per step) .*/\1 S/; s/^(expansions per step +)[0-9.]+/\1N/' out >some
mv some out
expect_out <<'END'
tiger: 2 states, 3 actions, 2 observations
aems-loop, 50 expansions per decision, seed 1

                              mean    s.e.         95 % interval
return                    115.4725  0.0000  115.4725 to 115.4725
undiscounted              180.0000  0.0000  180.0000 to 180.0000
requests per episode         20.00    0.00        20.00 to 20.00
steps per episode             20.0     0.0          20.0 to 20.0
expansions per step            N
error reduction, percent     100.0
seconds per step S

2 episodes, 2 of them ended after 20 steps.
At the first step the planner knew the value to lie between 180.0000 and 180.0000.
END

# Step by step.
run run robot-delivery:n=3 --expansions 20 --episodes 2 --max-steps 2 --show
expect_status 0
expect_no_err
out_has "-- episode 2, step 2 --"
out_has "the world             the belief"
out_has "#           #         W     R     E   W           E"
(($(grep -c '^so far     return' out) == 4)) || fail "expected four steps"
(($(grep -c '^o pickup point' out) == 1)) || fail "expected one legend"
run run tiger --expansions 20 --episodes 1 --max-steps 1 --show
out_has "believed: tiger-left 50.0 %, tiger-right 50.0 %"
out_has "ask        worth 180.000 to 180.000; told 'tiger-"
run run tag --expansions 5 --episodes 1 --max-steps 2 --show --planner pomcp --delay 0
expect_status 0

# A start that is the end: no step is played.
cat >end.pomdp <<'END'
discount: 0.9
values: reward
states: 1
actions: 1
observations: 1
T: 0 identity
O: 0 uniform
END
run run end.pomdp --episodes 2 --expansions 5 --json
expect_status 0
expect_json episodes 2
expect_json return.mean 0
expect_json steps 0
expect_json unfinished 0
expect_json interrupted false

# A start that may be the end: episodes that are over at once say nothing of the bounds on its value.
cat >half.pomdp <<'END'
discount: 0.9
values: reward
states: here gone
actions: leave
observations: nothing
start: 0.5 0.5
T: leave
0 1
0 1
O: leave uniform
R: leave : here : * : * 1
END
run run half.pomdp --episodes 20 --expansions 5 --json
expect_status 0
expect_near lower 0.5 1e-9
expect_near upper 0.5 1e-9

# A signal ends the run with the summary of what was finished.
set -m
for signal in "INT 130" "TERM 143"; do
  rm -f live.jsonl
  ran="glimpse run tiger --episodes 100000 ..., and a signal $signal"
  "$GLIMPSE" run tiger --episodes 100000 --max-steps 10 --expansions 5 --jobs 2 --trace live.jsonl --json >out 2>err &
  for ((i = 0; i < 600; i++)); do
    if [[ -e live.jsonl ]] && (($(wc -l <live.jsonl) > 20)); then break; fi
    sleep 0.1
  done
  kill "-${signal% *}" $!
  status=0
  wait $! || status=$?
  expect_status "${signal#* }"
  expect_json interrupted true
  expect_near return.mean "$(awk 'BEGIN { y = 1; while (n++ < 10) y *= 0.95; printf "%.10f", 180 * (1 - y) }')" 1e-6
  err_has "warning: interrupted: $(json_value episodes) of 100000 episodes were finished"
  tail -c 2 live.jsonl | cmp -s - <(printf '}\n') || fail "the trace ends within a line"
done
# One that is ignored from the start stays ignored.
ran="glimpse run in the background, and a signal it ignores"
(
  trap '' INT
  exec "$GLIMPSE" run tiger --episodes 3 --max-steps 10 --time 0.05 --planner pomcp --json >out 2>err
) &
sleep 0.7
kill -INT $! 2>/dev/null || true
status=0
wait $! || status=$?
expect_status 0
expect_json interrupted false
