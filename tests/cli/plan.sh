# glimpse plan: known values and decisions, the exact keys of the object, budgets, refusals.
. "$SOURCE/tests/cli/support/checks.sh"

check() { # check EXPRESSION over the numbers of the object: v["path"]
  flatten
  awk -F '\t' "{ v[\$1] = \$2 + 0 } END { exit !($1) }" leaves || fail "expected $1"
}

# Tiger: asking before every action is worth 20 (10 - c); not asking at all 19.371368.
run plan tiger --expansions 100 --json
expect_status 0
expect_no_err
expect_json ask true
expect_json action null
expect_near lower 180 1e-6
expect_near upper 180 1e-6
expect_near request_lower 180 1e-6
expect_near offline_lower 180 1e-6
expect_near error_reduction 100 1e-6
expect_json stop '"solved"'
expect_json 'actions[0].action' '"listen"'
expect_json 'actions[2].action' '"open-right"'
check 'v["offline_lower"] <= v["lower"] + 1e-9 && v["upper"] <= v["offline_upper"] + 1e-9 && v["bytes"] > 0 && v["corners"] <= 2'
keys=$(json_keys | tr '\n' ' ')
[[ $keys == "ask action lower upper offline_lower offline_upper error_reduction expansions nodes corners \
seconds bytes stop actions[0].action actions[0].lower actions[0].upper actions[1].action actions[1].lower \
actions[1].upper actions[2].action actions[2].lower actions[2].upper request_lower request_upper \
model discount cost planner settings " ]] ||
  fail "other keys: $keys"

run plan tiger --cost 12 --expansions 20000 --json
expect_json ask false
expect_json action '"listen"'
check 'v["lower"] <= 19.371369 && v["upper"] >= 19.371368 && v["request_upper"] < v["upper"]'
run plan tiger --cost off --expansions 300 --json
expect_json ask false
expect_json request_lower null
expect_json request_upper null
check 'v["lower"] <= 19.371369 && v["upper"] >= 19.371368'

# The toy of the appendix: 10 - 2c, 9 - c and what no asking gives, one discount of 0.99 later.
run plan toy --cost 2 --expansions 1000 --json
expect_json action '"right"'
expect_near lower 7.02 1e-3
expect_near upper 7.02 1e-3
run plan toy --cost 0.5 --expansions 1000 --json
expect_json action '"left"'

# The belief: a state, or states with probabilities.
run plan tiger --belief tiger-left --expansions 100 --json
expect_json ask false
expect_json action '"open-right"'
expect_near lower 181 1e-6
expect_json request_lower null
cp out first
for belief in tiger-left=1 0 tiger-left=1,tiger-right=0 tiger-right=0,0=1.0; do
  run plan tiger --belief "$belief" --expansions 100 --json
  expect_status 0
  grep -v '"seconds"' out | diff - <(grep -v '"seconds"' first) >/dev/null || fail "another decision at $belief"
done
run plan tiger --cost off --belief tiger-left=0.99,tiger-right=0.01 --expansions 300 --json
expect_json action '"open-right"'
usage() { # usage MESSAGE ARGUMENT ...
  local message=$1
  shift
  run "$@"
  expect_status 2
  expect_no_out
  err_has "error: $message"
}
usage "'x' is no probability of 'tiger-left' in '--belief'" plan tiger --belief tiger-left=x
usage "'' is no probability of 'tiger-left' in '--belief'" plan tiger --belief tiger-left=,tiger-right=1
usage "'1.5' is no probability of 'tiger-left' in '--belief'" plan tiger --belief tiger-left=1.5
usage "the probabilities of '--belief' sum to 0.9, not to 1" plan tiger --belief tiger-left=0.4,tiger-right=0.5
usage "'--belief' names the state 'tiger-left' twice" plan tiger --belief tiger-left=0.5,tiger-left=0.5
usage "'tiger-right' in '--belief' lacks its probability" plan tiger --belief tiger-left=0.5,tiger-right
run plan tiger --belief tiger-lift
expect_status 1
expect_no_out
err_has "tiger: error: there is no state 'tiger-lift'; did you mean 'tiger-left'?"

# Budgets: each ends the search, and the object says which.
run plan robot-delivery:n=3 --expansions 50 --json
expect_json stop '"expansions"'
expect_json expansions 50
grep -v '"seconds"' out >first
run plan robot-delivery:n=3 --expansions 50 --json
grep -v '"seconds"' out | cmp -s first - || fail "the same search differs"
run plan robot-delivery:n=3 --planner aems --time 0.02 --json
expect_json stop '"time"'
check 'v["seconds"] >= 0.019 && v["expansions"] > 0'
run plan robot-delivery:n=3 --planner aems --json
check 'v["seconds"] >= 0.09'
run plan robot-delivery:n=3 --time off --epsilon 1.5 --json
expect_json stop '"epsilon"'
check 'v["upper"] - v["lower"] <= 1.5'
run plan robot-delivery:n=3 --epsilon 0 --expansions 30 --json
expect_status 0
expect_json stop '"expansions"'
cp out wanted
run plan robot-delivery:n=3 --expansions 30 --json
cmp -s <(grep -v '"seconds"' wanted) <(grep -v '"seconds"' out) || fail "'--epsilon 0' changes something"
run plan robot-delivery:n=3 --epsilon -1
expect_status 2
err_has "'-1' is no value of '--epsilon'; expected a number, at least 0"
run plan toy --cost 3.5 --time off --decided --json
expect_json stop '"decided"'
expect_json action '"right"'
check 'v["actions[1].lower"] >= v["actions[0].upper"] - 1e-6'
run plan tag --time off --max-memory 1M --json
expect_json stop '"memory"'
check 'v["bytes"] <= 1048576'

# Planners and their settings.
for settings in "--planner aems-sr" "--planner aems" "--rule bi-pomdp" "--rule satia-lave" "--upper qmdp" \
  "--improve none" "--paper" "--paper --improve paper" "--plain"; do
  run plan tiger --cost 4 --expansions 400 $settings --json
  expect_status 0
  expect_json ask true
  check 'v["lower"] <= 120 + 1e-6 && v["upper"] >= 120 - 1e-6'
done
run plan tiger --planner pomcp --expansions 500 --json
expect_status 0
expect_json lower null
expect_json error_reduction null
expect_json expansions 500
check 'v["actions[0].visits"] + v["actions[1].visits"] + v["actions[2].visits"] + v["request_visits"] == 500'
grep -v '"seconds"' out >first
run plan tiger --planner pomcp --expansions 500 --seed 1 --json
grep -v '"seconds"' out | cmp -s first - || fail "the same seed differs"
run plan tiger --planner pomcp --expansions 500 --seed 2 --json
! grep -v '"seconds"' out | cmp -s first - || fail "another seed changes nothing"
for rollout in random silent upper; do
  run plan tiger --planner pomcp --expansions 100 --rollout "$rollout" --particles 10 --exploration 5 --json
  expect_status 0
done

# The text.
run plan tiger --expansions 10
expect_status 0
expect_no_err
sed -E 's/^search .*/search/' out >some
mv some out
expect_out <<'END'
decision   ask for the state

    choice                  lower       upper
    listen             170.000000  170.000000
    open-left          126.000000  126.000000
    open-right         126.000000  126.000000
->  ask for the state  180.000000  180.000000

value      between 180.000000 and 180.000000
offline    between 180.000000 and 180.000000; the search has closed 100.0 % of the gap
search
stopped    nothing is left to expand: the bounds are exact up to rounding
END
run plan tiger --cost 12 --expansions 100
out_has "decision   do 'listen'"
grep -q '^->  listen' out || fail "the choice is not marked"
run plan tiger --planner pomcp --expansions 100
out_has "visits"
out_has "100 simulations"

# Discount 1 is refused, with the reason and the way out.
for command in plan explain run; do
  run "$command" tiger --discount 1
  expect_status 1
  expect_no_out
  err_has "tiger: error: the discount is 1"
  err_has "hint: '--discount NUMBER' replaces the discount of the model"
done
run plan nowhere.pomdp
expect_status 1
expect_no_out

# A signal ends the search with the best decision so far.  How long the program takes to start
# is not known, so it is given more and more time.
set -m
for signal in "INT 130" "TERM 143"; do
  for pause in 0.5 2 8; do
    ran="glimpse plan robot-delivery:n=3 --planner aems --time 60 --json, and a signal $signal after $pause s"
    "$GLIMPSE" plan robot-delivery:n=3 --planner aems --time 60 --json >out 2>err &
    sleep "$pause"
    kill "-${signal% *}" $!
    status=0
    wait $! || status=$?
    [[ ! -s out ]] || break
  done
  expect_status "${signal#* }"
  expect_no_err
  expect_json stop '"interrupted"'
  check 'v["expansions"] > 0 && v["lower"] <= v["upper"]'
done

# Names that are nearly right, and those that are not.
run plan tiger --belief foo --expansions 3
expect_status 1
err_has "tiger: error: there is no state 'foo'; there are tiger-left, tiger-right"
cat >numbers.pomdp <<'END'
discount: 0.9
values: reward
states: 3
actions: 1
observations: 1
T: * identity
O: * uniform
R: * : * : * : * 1
END
run plan numbers.pomdp --belief foo --expansions 3
expect_status 1
err_has "numbers.pomdp: error: there is no state 'foo'; they are numbered 0 to 2"

# The object says what made it.
run plan tiger --planner pomcp --rollout upper --particles 7 --expansions 10 --cost 3 --json
expect_json model '"tiger"'
expect_json cost 3
expect_json planner '"pomcp"'
expect_json settings '"pomcp, rollout upper, particles 7, 10 simulations per decision, seed 1"'
run plan tag --paper --improve paper --rule bi-pomdp --upper qmdp --expansions 10 --max-memory 1M --seed 5 --json
expect_json settings '"aems-sr, improve paper, rule bi-pomdp, paper, max-memory 1048576, upper qmdp, 10 expansions per decision, seed 5"'
run plan tiger --cost off --expansions 50 --decided --plain --json
expect_json cost null
expect_json settings '"aems-loop, plain, 50 expansions per decision, until decided, seed 1"'
run plan tiger --planner pomcp --expansions 10
out_has "stopped    the simulations were used up"
