# The planners that follow a rule: never-ask, always-ask, ask-every, ask-entropy, act-then-measure, spi.
. "$SOURCE/tests/cli/support/checks.sh"

# One decision each, at a belief of half a bit or so.
unsure=tiger-left=0.9,tiger-right=0.1
decides() { # REQUEST ACTION OPTION ...
  local request=$1 action=$2
  shift 2
  run plan tiger "$@" --json
  expect_status 0
  expect_no_err
  expect_json ask "$request"
  expect_json action "$action"
  expect_json stop '"rule"'
  expect_json expansions 0
  expect_json error_reduction null
}
decides false '"listen"' --planner never-ask
decides false '"open-right"' --planner never-ask --belief tiger-left=0.99,tiger-right=0.01
decides false '"listen"' --planner never-ask --act lower --belief tiger-left=0.99,tiger-right=0.01
decides false '"listen"' --planner never-ask --cost off
decides true null --planner always-ask
decides true null --planner always-ask --belief tiger-left
decides true null --planner ask-every --every 7
decides false '"listen"' --planner ask-entropy --entropy 1
decides true null --planner ask-entropy # 0 bits
decides true null --planner ask-entropy --entropy 0.999
decides true null --planner ask-entropy --entropy 0.4 --belief "$unsure"
decides false '"listen"' --planner ask-entropy --entropy 0.5 --belief "$unsure"
decides false '"open-right"' --planner ask-entropy --entropy 0 --belief tiger-left --act lower
decides true null --planner act-then-measure --cost 10.9 # the state gains 200 - 189
decides false '"listen"' --planner act-then-measure --cost 11.1
decides true null --planner spi
decides false '"open-right"' --planner spi --belief tiger-left
decides false '"listen"' --planner spi --cost off

# The bounds are those of the best plan, whatever the rule does.
for upper in fib-sr qmdp; do
  run plan tiger --planner never-ask --upper "$upper" --json
  expect_near lower 180 1e-6
  expect_near request_lower 180 1e-6
  expect_near request_upper 180 1e-6
  expect_near 'actions[0].lower' 170 1e-6
  expect_near upper 180 1e-6 # with qmdp, too: tib-sr is among the offline bounds
done

# The text.
run plan tiger --planner ask-every
expect_out <<'END'
decision   ask for the state

    choice                  lower       upper
    listen             170.000000  170.950000
    open-left          126.000000  126.000000
    open-right         126.000000  126.000000
->  ask for the state  180.000000  180.000000

value      between 180.000000 and 180.000000
search     none: the planner follows a rule and does not search
END
words() { tr '\n' ' ' <out >flat; grep -qF -e "$1" flat || fail "expected on stdout: $1"; }
run explain tiger --cost 3 --planner always-ask
words "The rule: ask before every action. The bounds agree: it is worth at least 140, and no other choice is \
worth more than 134.9 ('listen')."
run explain tiger --planner never-ask
words "The rule: never ask. The action is the best if the state were known for free"
words "The bounds disagree: it is worth at most 170.95, and asking is worth at least 180."
run explain robot-delivery:n=3 --planner ask-every --every 3 --act lower
out_has "ask-every, act lower, every 3, seed 1"
words "The rule: ask at the first step and then every 3 steps. The bounds do not say whether"
out_has "1. ask, be told 'row2col3-at1', then do 'right', see 'walls0'"
out_has "2. do 'right'"
run explain tiger --planner ask-entropy --entropy 0.25 --belief "$unsure"
words "The rule: ask when the belief has more than 0.25 bits; it has 0.469."
run explain tiger --planner act-then-measure
words "The rule: ask when knowing the state gains more than its price, if all were known afterwards."
run explain tiger --planner spi --cost 1000
words "The rule: do what the best known plan promises that acts blindly and then asks."
for planner in never-ask always-ask ask-every ask-entropy act-then-measure spi; do
  run explain tag --planner "$planner"
  expect_status 0
  awk 'length > 79 && !/^offline|^search/ { exit 1 }' out || fail "a line is longer than 79 characters"
done

# Returns that are known: in lemma2 who asks earns 1 - c, and who does not earns nothing on average.
for act in qmdp lower; do
  run run lemma2 --planner always-ask --act "$act" --cost 0.25 --discount 0.5 --episodes 4 --max-steps 60 --json
  expect_status 0
  expect_near return.mean 1.5 1e-9
  expect_near return.se 0 1e-9
  expect_json requests 60
  expect_json planner '"always-ask"'
done
run run lemma2 --planner ask-every --every 7 --episodes 3 --max-steps 30 --json
expect_json requests 5
run run lemma2 --planner ask-entropy --entropy 1 --episodes 3 --max-steps 30 --json
expect_json requests 0
run run tiger --planner never-ask --act lower --discount 0.5 --episodes 3 --max-steps 60 --json
expect_near return.mean -2 1e-9
expect_json requests 0

# The same numbers with any number of jobs and any budget, in the trace, too.
plain() { grep -v '"seconds_per_step"' out; }
for planner in never-ask always-ask ask-every ask-entropy act-then-measure spi; do
  run run tag --planner "$planner" --episodes 6 --max-steps 20 --trace one.jsonl --json
  expect_status 0
  expect_no_err
  plain >one
  for options in "--jobs 3" "--time 0.5" "--expansions 7 --max-memory 1M"; do
    run run tag --planner "$planner" --episodes 6 --max-steps 20 $options --trace many.jsonl --json
    plain | cmp -s one - || fail "another result with $options"
    cmp -s one.jsonl many.jsonl || fail "another trace with $options"
  done
done
run run tag --planner ask-entropy --entropy 2 --episodes 2 --max-steps 5
out_has "ask-entropy, act qmdp, entropy 2, seed 1"
! grep -q "expansions\|error reduction" out || fail "there is no search to report on"
out_has "the best possible value was known to lie between"
run run tag --planner always-ask --episodes 1 --max-steps 2 --show
expect_status 0
out_has "ask        worth"
