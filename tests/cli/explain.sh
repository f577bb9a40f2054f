# glimpse explain: the same decision as plan, and statements that follow from its intervals.
#
# Covers tool/answers.c, tool/decide.c, common/reasons.c, common/range.c.
. "$SOURCE/tests/cli/support/checks.sh"

number() { json_value "$1"; }

# What asking gains, and whether the decision is certain, computed again from the bounds.
for line in "tiger" "tiger --cost 12" "tiger --cost 9.5" "toy --cost 2" "robot-delivery:n=3" "tag" \
  "tiger --belief tiger-left=0.9,tiger-right=0.1 --cost 3"; do
  run plan $line --expansions 60 --json
  expect_status 0
  grep -v '"seconds"' out | sed -e '$d' -e 's/,$//' >plan
  run explain $line --expansions 60 --json
  expect_status 0
  expect_no_err
  grep -v '"seconds"' out | sed -e 's/,$//' | head -n "$(wc -l <plan)" | cmp -s plan - || fail "plan decides otherwise"
  flatten
  awk -F '\t' '
    { v[$1] = $2 }
    function near(a, b) { return a - b < 1e-9 && b - a < 1e-9 }
    END {
      asks = v["request_lower"] != "null"
      low = high = other = -1e300
      for (i = 0; ("actions[" i "].lower") in v; i++) {
        l = v["actions[" i "].lower"] + 0
        u = v["actions[" i "].upper"] + 0
        if (l > low) low = l
        if (u > high) high = u
        if (v["actions[" i "].action"] == v["action"]) mine = l
        else if (u > other) other = u
      }
      if (v["ask"] == "true") mine = v["request_lower"] + 0
      else if (asks && v["request_upper"] + 0 > other) other = v["request_upper"] + 0
      if (asks != (v["gain_least"] != "null")) exit 1
      if (asks && !near(v["gain_least"] + 0, v["request_lower"] - high)) exit 2
      if (asks && !near(v["gain_most"] + 0, v["request_upper"] - low)) exit 3
      certain = mine >= other ? "true" : "false"
      if (v["certain"] != certain && !near(mine, other)) exit 4
      if (!("forecast[0].probability" in v) || v["forecast[0].probability"] + 0 > 1) exit 5
      for (i = 1; ("forecast[" i "].probability") in v; i++)
        if (v["forecast[" i "].probability"] > v["forecast[" i - 1 "].probability"] + 1e-12) exit 6
      if (v["forecast[0].ask"] != v["ask"]) exit 7
    }' leaves || fail "a statement does not follow from the bounds ($?)"
done

# The belief.
run explain tiger --belief tiger-left=0.25,tiger-right=0.75 --expansions 10 --json
expect_json belief.states 2
expect_near belief.entropy 0.8112781244591328 1e-12
expect_json 'belief.largest[0].state' '"tiger-right"'
expect_json 'belief.largest[0].probability' 0.75
expect_json 'belief.largest[1].state' '"tiger-left"'
run explain tag --expansions 10 --json
expect_json belief.states 841
expect_json 'picture[0]' '"R robot                   P prey"'
run explain tag --expansions 10
out_has "Current belief: 841 states, 9.716 bits"
out_has "and 835 more"
out_has "R robot                   P prey"

# Words.
run explain tiger --expansions 100
expect_status 0
expect_no_err
sed -E 's/^search .*/search/; s/(be told .tiger-left.), .*/\1.../' out >some
mv some out
expect_out <<'END'
tiger: 2 states, 3 actions, 2 observations
aems-loop, 100 expansions per decision, seed 1

Current belief: 2 states, 1.000 bits
   50.0 %  tiger-left
   50.0 %  tiger-right

Choices, and bounds on their values
    choice             lower  upper
    listen               170    170
    open-left            126    126
    open-right           126    126
->  ask for the state    180    180

Decision: ask for the state
This is certain: it is worth at least 180, and no other choice is worth more
than 170 ('listen').

Asking, at a price of 1, gains 10 compared with the best action without asking.

The most likely course, and its probability so far
  1. ask, be told 'tiger-left'...

value      between 180 and 180
offline    between 180 and 180; the search has closed 100.0 % of the gap
search
stopped    nothing is left to expand: the bounds are exact up to rounding
END
# Only digits that are certain, rounded outwards; statements stay true.
for line in "tag" "robot-delivery:n=3" "tiger --cost 9.5" "rock-sample:n=4,k=3"; do
  for expansions in 5 40 300; do
    run plan $line --expansions $expansions
    awk '/^(->|  ) / { print $(NF - 1), $NF }' out >exact
    run explain $line --expansions $expansions
    awk '/^Choices, and bounds/ { inside = 1 } /^Decision/ { inside = 0 } inside && /^(->|  ) / { print $(NF - 1), $NF }' out >shown
    paste -d' ' exact shown | awk '$1 ~ /^[a-z-]+$/ { next }
      { n++; width = $2 - $1; if ($3 > $1 + 1e-6 || $4 < $2 - 1e-6) exit 1
        if (width > 1e-5 && ($4 - $3 > 1.3 * width + 2e-6 || length($3) > length($1))) exit 2 }
      END { exit n < 3 ? 3 : 0 }' || fail "bounds are not those of plan ($?)"
    awk '/^This is certain/ { text = $0; getline; text = text " " $0 }
      END { if (match(text, /at least [-0-9.]+/)) { a = substr(text, RSTART + 9, RLENGTH - 9)
              match(text, /more than [-0-9.]+/); b = substr(text, RSTART + 10, RLENGTH - 10); exit !(a + 0 >= b + 0) } }' out ||
      fail "it contradicts itself"
  done
done
# Where many states are possible: which answers would change the action.
run explain tag --expansions 100
expect_status 0
out_has "What the answer may change: without asking, the best action is "
! grep -q '(0\.0 %)\|The most likely course' out || fail "a course of events that is not likely"
grep -Eq "^ +[0-9.]+ %  do '[a-z]+' when told 'robot[0-9]+-prey[0-9]+', 'robot.*' and [0-9]+ more$" out || fail "no answers"
grep -Eq "^ +[0-9.]+ %  do 'tag' when told 'robot0-prey0', 'robot1-prey1'" out || fail "it does not catch the prey"
awk '/^What the answer/ { inside = 1; next } inside && / %  / { sum += $1 } END { exit !(sum > 98 && sum < 102) }' out || fail "not all answers"
run explain tag --expansions 100 --json
flatten
awk -F '\t' '/^answers\[[0-9]+\]\.probability/ { p += $2 } /^answers\[[0-9]+\]\.states/ { n += $2 }
  END { exit !(n == 841 && p > 1 - 1e-9 && p < 1 + 1e-9) }' leaves || fail "not all answers in JSON"
run explain robot-delivery:n=3 --cost off --expansions 50 --json
expect_status 0
! json_keys | grep -q '^answers\[' || fail "answers without a request"
run explain tiger --cost 12 --expansions 3
out_has "This rests on the lower bounds"
out_has "the intervals overlap"
run explain tiger --cost 3 --expansions 500 --belief tiger-left=0.999,tiger-right=0.001
out_has "Asking, at a price of 3, loses 2."
run explain rock-sample:n=4,k=4 --cost 2 --expansions 150 --paper
out_has "Asking, at a price of 2, loses at most 14" # not "at least 0.0 and at most"
run explain tiger --cost off --expansions 20
out_has "The agent may not ask."
run explain tiger --belief tiger-left --expansions 20
out_has "The state is known, so there is nothing to ask for."
run explain tiger --planner pomcp --expansions 200
expect_status 0
out_has "mean returns of 200 simulations"
run explain tiger --planner pomcp --expansions 200 --json
expect_status 0
expect_json certain false
awk 'length > 79 && !/^offline|^search/ { exit 1 }' out || fail "a line is longer than 79 characters"

# Off its plan a policy searches, and then there are bounds, of the search for the same belief; on it there are none of
# its choices.
run solve tiger --epsilon 1 --expansions 200 -o tiger.policy
expect_status 0
run explain tiger --planner policy --policy tiger.policy --belief tiger-left=0.9,tiger-right=0.1 --expansions 50
expect_status 0
out_has "This is certain: it is worth at least 180, and no other choice is worth more"
out_has "value      between 180 and 180"
! grep -q 'simulation' out || fail "a policy does not simulate"
run explain tiger --planner policy --policy tiger.policy
expect_status 0
out_has "This is what the policy says at its start."
! grep -Eq 'nan|simulation' out || fail "a policy has no offline bounds and does not simulate"

run explain tiger --belief nowhere
expect_status 1
expect_no_out
err_has "tiger: error: there is no state 'nowhere'"
