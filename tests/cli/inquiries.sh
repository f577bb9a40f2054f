# Inquiries and limits in the program: what is shown of them, and what is refused.
. "$SOURCE/tests/cli/support/checks.sh"

cat >coin.pomdp <<'END'
discount: 0.9
values: reward
states: heads tails
actions: say-heads say-tails
observations: 1
T: *
uniform
O: *
uniform
R: say-heads : heads : * : * 1
R: say-tails : tails : * : * 1
# glimpse: inquiry look before 0.1 blocks up: heads down: tails
END
sed 's/look before/look joint/' coin.pomdp >joint.pomdp
{ cat coin.pomdp; echo '# glimpse: inquiry ear step 0.01 state'; echo '# glimpse: limit horizon 3'; } >menu.pomdp

run info menu.pomdp
expect_status 0
out_has 'look: before, price 0.1, 2 answers'
out_has 'ear: step, price 0.01, 2 answers (the state)'
out_has 'horizon       3 steps'
run info menu.pomdp --json
expect_json 'inquiries[0].name' '"look"'
expect_json 'inquiries[1].timing' '"step"'
expect_json 'inquiries[0].answers[1]' '"down"'
expect_json horizon 3
expect_json planning_states 13

# V = 1 - 0.1 + 0.9 V = 9; three steps: 0.9 (1 + 0.9 + 0.81).
run plan coin.pomdp --expansions 500 --json
expect_status 0
expect_json ask true
expect_json inquiry '"look"'
expect_json action null
expect_near lower 9 0.001
expect_near upper 9 0.001
expect_json 'choices[0].inquiry' null
expect_json 'choices[1].inquiry' '"look"'
expect_near 'choices[1].lower' 9 0.001
run plan menu.pomdp --expansions 500 --json
expect_near lower 2.439 1e-6
expect_near upper 2.439 1e-6
run plan coin.pomdp --expansions 500
out_has 'decision   ask look'
out_has 'act without asking'
run plan joint.pomdp --expansions 500
out_has "and ask look"
# Asked with an action at 0.1, the next coin is known: 0.5 + (9 - 0.1 / 0.9) 0.9 - 0.9 (1 - 0.1 / 0.9) ... in a line:
# W = 0.5 - 0.1 + 0.9 w, w = 1 - 0.1 + 0.9 w = 9.
run plan joint.pomdp --expansions 500 --json
expect_json action '"say-heads"'
expect_json inquiry '"look"'
expect_near lower 8.5 0.001

run run menu.pomdp --expansions 100 --episodes 20 --max-steps 50 --trace trace.jsonl --json
expect_status 0
expect_near 'return.mean' 2.439 1e-6
expect_json requests 3
expect_json inquiries.look 3
expect_json inquiries.ear 0
expect_json steps 3
head -n 1 trace.jsonl >out
expect_json 'inquiries[0].inquiry' '"look"'
expect_near 'inquiries[0].price' 0.1 1e-12
run run menu.pomdp --expansions 100 --episodes 20
out_has '  look '

printf '%s\n' '{"do":"decide"}' '{"answer":"sideways"}' '{"answer":"down"}' '{"observation":"0"}' '{"do":"explain"}' |
  { ran='glimpse agent'; "$GLIMPSE" agent coin.pomdp --expansions 200 >all 2>err; }
sed -n 1p all >out; expect_json inquiry '"look"'; expect_json next '"answer"'
sed -n 2p all >out; out_has "this is no answer of 'look'"
sed -n 3p all >out; expect_json act '"say-tails"'
sed -n 4p all >out; expect_json next '"decide"'
sed -n 5p all >out; out_has 'does not show models with inquiries'
printf '%s\n' '{"do":"decide"}' '{"observation":"0","answer":"up"}' '{"do":"decide"}' |
  { ran='glimpse agent'; "$GLIMPSE" agent joint.pomdp --expansions 200 >all 2>err; }
sed -n 2p all >out; expect_json ok true
sed -n 3p all >out; expect_json act '"say-heads"'
printf '%s\n' '{"answer":"up"}' | { ran='glimpse agent'; "$GLIMPSE" agent tiger --expansions 20 >out 2>err; }
out_has 'this model has no inquiries'

# The planning model is an ordinary POMDP of the same value.
run convert coin.pomdp --equivalent -o plain.pomdp
expect_status 0
run plan plain.pomdp --expansions 500 --json
expect_near lower 9 0.001
run convert menu.pomdp -o again.pomdp
expect_status 0
run plan again.pomdp --expansions 500 --json
expect_near upper 2.439 1e-6
run solve coin.pomdp -o coin.policy
expect_status 0
out_has 'it asks 10 times, discounted'
run verify coin.pomdp coin.policy
expect_status 0
out_has 'requests  10.000000, expected and discounted'
run policy coin.policy
out_has 'Expected requests, discounted: 10.'
out_has "'--model MODEL' tells which actions ask"
run policy coin.policy --model coin.pomdp
out_has 'start: ask look'
out_has 'node 1: do say-heads'
# At 0.6 asking is not worth its price; with two coins to ask for, it is asked twice and no more.
run solve coin.pomdp --cost 0.6 -o dear.policy
run policy dear.policy --model coin.pomdp --cost 0.6
out_has 'Expected requests, discounted: 0.'
out_has 'start: act without asking'
{ sed 's/discount: 0.9/discount: 1/' coin.pomdp; echo '# glimpse: limit horizon 3'; } >short.pomdp
run solve short.pomdp -o short.policy --json
tail -n 1 out >last && mv last out
expect_near requests 3 1e-9
run run short.pomdp --policy short.policy --episodes 5 --json
expect_json requests 3
{ cat coin.pomdp; echo '# glimpse: limit requests 2'; } >two.pomdp
run solve two.pomdp -o two.policy --json
tail -n 1 out >last && mv last out
expect_near requests 1.9 1e-9
run solve joint.pomdp -o joint.policy
run policy joint.policy --model joint.pomdp
out_has 'node 1: do say-heads and ask look'

run explain coin.pomdp
expect_status 1
err_has "'explain' does not show models with inquiries or limits"
run map coin.pomdp
expect_status 1
err_has "'map' does not show models with inquiries or limits"
run map coin.pomdp --policy coin.policy
expect_status 1
err_has "'map' does not show models with inquiries or limits"
run plan loss:timing=joint --planner act-then-measure
expect_status 1
err_has 'act-then-measure follows a rule for asking for the state before an action'
run run coin.pomdp --ask-when-lost
expect_status 1
err_has "'--ask-when-lost' is about asking for the state before an action"
run plan coin.pomdp --dot -
expect_status 1
err_has "'--dot' does not show"
run run coin.pomdp --show
expect_status 1
err_has "'--show' does not show"
run price coin.pomdp
expect_status 1
err_has 'without other inquiries and limits'
run run menu.pomdp --planner never-ask
expect_status 1
err_has 'follows a rule for asking for the state before an action'
run plan menu.pomdp --cost 1
expect_status 1
err_has 'a cost is for a model with one inquiry'
run plan coin.pomdp --cost off
expect_status 1
err_has "'--cost off' does not fit: it forbids requests for the state, and this model has 1 inquiry of its own"
err_has "take the '# glimpse: inquiry' and 'cost' lines out of the file"
run plan maintenance --cost off
expect_status 1
err_has 'set prices that are not worth paying, by the parameters'
run plan coin.pomdp --discount 0
expect_status 1
err_has "'--discount 0' does not fit"
sed '/inquiry/d' short.pomdp >bare.pomdp
run plan bare.pomdp --cost 1
expect_status 1
err_has "'# glimpse: cost PRICE' in the file allows asking"
run check <(sed 's/inquiry look/enquire look/' coin.pomdp)
err_has "expected cost, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' comment"

# What the agent waits for has its name, and a horizon its end.
printf '%s\n' '{"do":"decide"}' '{"do":"decide"}' '{"state":"heads"}' |
  { ran='glimpse agent'; "$GLIMPSE" agent coin.pomdp --expansions 200 >all 2>err; }
for line in 2 3; do
  sed -n ${line}p all >out; out_has "the agent has asked 'look' and waits for the answer"; out_has '{\"answer\":\"NAME\"}'
  expect_json next '"answer"'
done
sed -i 's/horizon 3/horizon 1/' bare.pomdp
printf '%s\n' '{"do":"decide"}' '{"observation":"0"}' '{"do":"decide"}' '{"do":"reset"}' '{"do":"decide"}' |
  { ran='glimpse agent'; "$GLIMPSE" agent bare.pomdp --expansions 20 >all 2>err; }
sed -n 2p all >out; expect_json "done" true
sed -n 3p all >out; out_has 'the horizon of 1 step is over'; out_has 'begins anew'
sed -n 5p all >out; expect_json ask false
run plan coin.pomdp --cost 0.2 --expansions 500 --json
expect_near lower 8 0.001
