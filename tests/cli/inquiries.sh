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
! grep -q 'request cost' out || fail 'a request cost beside the prices of inquiries'
run bounds menu.pomdp
out_has ', discount 0.9, 2 inquiries'
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
# All choices of the moment: two actions, 0.5 + 0.9 V = 8.6 at most, and the question.
expect_json 'choices[0].inquiry' null
expect_json 'choices[1].action' '"say-tails"'
expect_near 'choices[1].upper' 8.6 0.001
expect_json 'choices[2].action' null
expect_json 'choices[2].inquiry' '"look"'
expect_near 'choices[2].lower' 9 0.001
run plan menu.pomdp --expansions 500 --json
expect_near lower 2.439 1e-6
expect_near upper 2.439 1e-6
run plan coin.pomdp --expansions 500
out_has 'decision   ask look'
out_has '->  ask look'
out_has 'say-heads'
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
sed -n 5p all >out; out_has 'there is no decision at this belief to explain'
printf '%s\n' '{"do":"decide"}' '{"do":"explain"}' '{"do":"quit"}' |
  { ran='glimpse agent'; "$GLIMPSE" agent coin.pomdp --expansions 200 >all 2>err; }
sed -n 2p all >out
expect_json inquiry '"look"'
expect_json certain true
expect_near gain_least 0.4 0.001
expect_json 'choices[2].inquiry' '"look"'
expect_json 'forecast[0].inquiry' '"look"'
expect_json 'forecast[0].answer' '"up"'
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
# To ask before every guess is the best there is, and a plan that is known before any search.
run bounds coin.pomdp
expect_status 0
grep -Eq '^always-ask +lower +(9.000000|8.99999[0-9]) ' out || fail 'always-ask is not the value of looking each time'
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

# What is explained: asking gains 9 - 8.6.
run explain coin.pomdp --expansions 500
expect_status 0
out_has 'Decision: ask look'
out_has 'Asking look, at a price of 0.1, gains at least 0.3'
out_has "ask look, be told 'up'  (50.0 %)"
run explain coin.pomdp --expansions 500 --json
expect_json certain true
expect_near gain_least 0.4 0.001
expect_json 'forecast[0].inquiry' '"look"'
run explain joint.pomdp --expansions 500
out_has "Decision: do 'say-heads' and ask look"
out_has 'Acting with look, at a price of 0.1, gains at least'
# An answer that comes after the end is worth nothing, and what the rule looks at comes after the action.
sed -e 's/^# glimpse: inquiry look joint 0.1/# glimpse: inquiry look joint 0/' joint.pomdp >late.pomdp
echo '# glimpse: limit horizon 1' >>late.pomdp
run explain late.pomdp --expansions 20
out_has 'Acting with look, at a price of 0, gains or loses less than 0.000001'
# Waiting for nothing is worth 0, which has no sign.
cat >wait.pomdp <<'END'
discount: 0.9
values: reward
states: here there
actions: go
observations: none
start: there
T: go
identity
O: go
uniform
R: go : there : * : * -4
# glimpse: inquiry pause step 0 state
# glimpse: limit horizon 3
END
run run wait.pomdp --episodes 1 --expansions 10 --record wait.jsonl
run replay wait.jsonl
out_has 'asks pause (0.000 to 0.000)'
run explain joint.pomdp --planner ask-entropy
out_has 'or will have after the action'
run explain menu.pomdp --expansions 500
out_has 'Asking look, at a price of 0.1, gains 0.4'
out_has 'Asking ear, at a price of 0.01, loses at least'
run explain coin.pomdp --planner pomcp --expansions 500
expect_status 0
out_has 'ask look'

# Answers are shown, told, recorded and replayed.
run run coin.pomdp --expansions 100 --episodes 1 --max-steps 2 --show --record coin.jsonl
expect_status 0
out_has 'ask look   worth 9.000 to 9.000; told'
out_has 'for 0.1'
run replay coin.jsonl
expect_status 0
out_has 'asks look (9.000 to 9.000) for 0.1: '
out_has '2 requests'
run replay coin.jsonl --json
expect_json requests 2
sed -n 2p coin.jsonl >out
expect_json 'answers[0].inquiry' '"look"'
expect_near 'answers[0].price' 0.1 1e-12
expect_json joint false
run run joint.pomdp --expansions 100 --episodes 1 --max-steps 2 --show --record joint.jsonl
out_has 'with look  told'
run replay joint.jsonl
out_has 'does say-heads with look for 0.1'
sed 's/"answers": \[{[^]]*\]/"answers": []/' coin.jsonl >empty.jsonl
run replay empty.jsonl
expect_status 1
err_has "'answers' is empty"
sed 's/"inquiry": "look", //' coin.jsonl >less.jsonl
run replay less.jsonl
expect_status 1
err_has 'inquiry'
# A map is of the first moment: who is certain speaks, who is not looks.
run map coin.pomdp --expansions 100 --points 5
expect_status 0
out_has 'choice | s l l l a'
out_has 's say-heads, a say-tails, l ask look'
run map joint.pomdp --expansions 100 --points 3 --csv
expect_status 0
grep -q '^0,1,.*,say-tails with look,' out || fail 'map does not name what is asked with an action'
run map menu.pomdp --expansions 100 --points 3 --json
expect_status 0
grep -q '"inquiry": "look"' out || fail 'no inquiry in the JSON of a map'
run map coin.pomdp --policy coin.policy --points 3 --json
expect_status 0
grep -q '"inquiry": "look"' out || fail 'no inquiry in the JSON of the map of a policy'
# Where heads has 0.9 the measuring value of 'look' is 0.1, and that of looking with the action 0.9 * 0.5.
for price in 0.05 0.4 0.6; do
  for timing in before joint; do
    sed "s/look before 0.1/look $timing $price/" coin.pomdp >priced.pomdp
    run plan priced.pomdp --planner act-then-measure --belief heads=0.9,tails=0.1 --json
    expect_status 0
    case $timing:$price in
      *:0.05 | joint:0.4) expect_json inquiry '"look"' ;;
      *) expect_json inquiry null ;;
    esac
  done
done
# At 1/2 an action would leave the belief as it is, so that it asks at any price.
sed 's/look before 0.1/look before 0.6/' coin.pomdp >priced.pomdp
run plan priced.pomdp --planner act-then-measure --json
expect_status 0
expect_json inquiry '"look"'
run run coin.pomdp --ask-when-lost --episodes 2 --max-steps 3 --expansions 20
expect_status 0
# Who is lost believes anything, asks what tells the state for sure at any price, else what the plan likes, and knows by
# the answer; h is seen in z alone, where nothing leads.
cat >lost.pomdp <<'END'
# glimpse: inquiry look before 0.1 answers l r
# glimpse: inquiry gps before 500 state
# glimpse: answer look x l 1
# glimpse: answer look y r 1
# glimpse: answer look z r 1
discount: 0.9
values: reward
states: x y z
actions: go stay
observations: g h
start: 0.5 0.5 0
T: go
0 1 0
0 1 0
0 1 0
T: stay identity
O: * : x : g 1
O: * : y : g 1
O: * : z : h 1
R: go : x : * : * 1
R: stay : z : * : * 2
END
lost='{"do":"decide"}\n{"observation":"h"}\n{"do":"decide"}\n'
printf "$lost"'{"answer":"z"}\n{"do":"belief"}\n{"observation":"h"}\n' |
  "$GLIMPSE" agent lost.pomdp --expansions 50 --ask-when-lost >out || fail "the agent ends with an error"
[[ $(sed -n 2p out) == *'"probability": 0, "lost": true, "states": 3, '* ]] || fail "it is not lost"
[[ $(sed -n 3p out) == '{"ask": true, "inquiry": "gps", "lost": true, '* ]] || fail "it does not ask for the state"
[[ $(sed -n 4p out) == '{"ask": false, "act": "stay", '* && $(sed -n 4p out) != *lost* ]] || fail "it is still lost"
[[ $(sed -n 5p out) == '{"belief": {"z": 1}, '* && $(sed -n 6p out) == *'"probability": 1, '* ]] || fail "not told"
# What tells a part leaves the states that fit it, each as likely; gps takes a step and comes too late for this one.
sed 's/gps before/gps step/' lost.pomdp >part.pomdp
printf "$lost"'{"answer":"r"}\n{"do":"belief"}\n' |
  "$GLIMPSE" agent part.pomdp --expansions 50 --ask-when-lost >out || fail "the agent ends with an error"
[[ $(sed -n 3p out) == '{"ask": true, "inquiry": "look", "lost": true, '* ]] || fail "it does not look"
[[ $(sed -n 5p out) == '{"belief": {"y": 0.5, "z": 0.5}, '* ]] || fail "it does not know what was told"
# A sensor that always fails is asked once in a step, and the agent stays lost.
sed -e 's/gps before 500 state/gps step 1 state\n# glimpse: failure gps 1/' -e '/look/d' lost.pomdp >fails.pomdp
printf "$lost"'{"do":"no answer"}\n{"do":"decide"}\n{"observation":"h"}\n{"do":"decide"}\n' |
  "$GLIMPSE" agent fails.pomdp --expansions 50 --ask-when-lost >out || fail "the agent ends with an error"
[[ $(sed -n 3p out) == '{"ask": true, "inquiry": "gps", "lost": true, '* ]] || fail "it does not ask"
[[ $(sed -n 4p out) == '{"ok": true, "states": 3, '*'"next": "decide"}' ]] || fail "the step of asking is not over"
[[ $(sed -n 5p out) == '{"ask": false, '* && $(sed -n 7p out) == '{"ask": true, '* ]] || fail "it asks for ever"
# That nobody answers is the answer 'nothing' where the model has it: a step is over, or there is a decision.
printf '%s\n' '{"do":"decide"}' '{"do":"no answer"}' '{"do":"decide"}' '{"answer":"nothing"}' >talk.txt
for timing in step before; do
  sed -e "s/gps before 500 state/gps $timing 0.1 state\n# glimpse: failure gps 0.5/" -e '/look/d' lost.pomdp >fails.pomdp
  "$GLIMPSE" agent fails.pomdp --expansions 50 --planner always-ask <talk.txt >out || fail "the agent ends with an error"
  [[ $(sed -n 1p out) == '{"ask": true, "inquiry": "gps", '* ]] || fail "it does not ask"
  case $timing in
    step) [[ $(sed -n 2p out) == '{"ok": true, '*'"next": "decide"}' ]] || fail "the step of asking is not over" ;;
    *) [[ $(sed -n 2p out) == '{"ask": false, "act": "'* ]] || fail "no decision" ;;
  esac
done
# Without the option the state may be told in the place of what was impossible, and an error changes nothing.
printf '{"do":"decide"}\n{"observation":"h"}\n{"state":"z"}\n{"do":"belief"}\n' |
  "$GLIMPSE" agent lost.pomdp --expansions 50 >out || fail "the agent ends with an error"
[[ $(sed -n 2p out) == '{"error": "'*'cannot be observed after'* && $(sed -n 3p out) == '{"believed": 0, '* ]] ||
  fail "the state cannot be told"
[[ $(sed -n 4p out) == '{"belief": {"z": 1}, '* ]] || fail "the state was not told"
# The graph of a search, in words of the model; asking is dashed, going on is drawn once.
run plan coin.pomdp --expansions 50 --dot - --dot-depth 1
expect_status 0
out_has 'coin.pomdp: ask look, worth 9.000 to 9.000'
out_has 'may ask\nheads 50 %\ntails 50 %\n9.000 to 9.000\nask look'
grep -q 'ask look  .n  up 50 %  ", style=dashed, penwidth=2.2' out || fail 'asking is not dashed, or not of the plan'
[ "$(grep -c 'go on' out)" = 1 ] || fail 'going on is drawn more than once'
run plan joint.pomdp --expansions 50 --dot - --dot-depth 1
expect_status 0
out_has 'say-heads with look'
out_has '0, up 50 %'
run plan menu.pomdp --expansions 50 --dot - --dot-depth 1
expect_status 0
out_has 'step 1 of 3, may ask'
# An agent that goes on at once: the graph still begins where it could have asked.
run plan coin.pomdp --belief heads --expansions 50 --dot - --dot-depth 1
expect_status 0
out_has "coin.pomdp: do 'say-heads'"
grep -q 'b0 \[label="may ask' out || fail 'the graph does not begin at the first phase'
# The price of one inquiry: 10 max(1 - c, 1/2).
run price coin.pomdp --expansions 100
expect_status 0
out_has 'price of look'
out_has 'Without look the value is 5, with it free 10.'
out_has 'look never pays, whatever the belief.'
run price coin.pomdp --expansions 100 --json
expect_status 0
grep -q '"inquiry": "look"' out || fail 'the JSON of price does not say whose price it is'
grep -q '"always_low": null' out || fail 'nothing is known of always asking'
run price menu.pomdp --expansions 100
expect_status 1
err_has "whose price? The model has the inquiries look, ear; '--inquiry NAME' names one"
run price menu.pomdp --expansions 100 --inquiry ear --csv
expect_status 0
out_has ',ask look,'
run price menu.pomdp --inquiry nose
expect_status 1
err_has "there is no inquiry 'nose'; there are look, ear"
run price tiger --inquiry nose
expect_status 1
err_has "'--inquiry nose' does not fit: the model has no inquiries"
run run menu.pomdp --planner spi
expect_status 1
err_has 'spi follows strings of actions that end with being told the state'
# Rules choose what tells most: 'look', three times at 0.1.
run run menu.pomdp --planner always-ask --episodes 5 --json
expect_near 'return.mean' 2.439 1e-9
expect_json inquiries.look 3
run run menu.pomdp --planner never-ask --episodes 5 --json
expect_json requests 0
run explain menu.pomdp --planner ask-entropy
out_has 'Decision: ask look'
out_has 'The rule: ask when the belief'
run plan menu.pomdp --cost 1
expect_status 1
err_has 'a cost is for a model with one inquiry'
err_has 'FILE:NAME=PRICE sets another'
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
err_has "expected cost, scene, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' comment"

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

# Two questions before one action, each about one of two coins: both are asked, V = (1 - 0.2) / (1 - 0.9), and both count.
cat >coins.pomdp <<'END'
discount: 0.9
values: reward
states: hh ht th tt
actions: say-hh say-ht say-th say-tt
observations: 1
T: *
uniform
O: *
uniform
R: say-hh : hh : * : * 1
R: say-ht : ht : * : * 1
R: say-th : th : * : * 1
R: say-tt : tt : * : * 1
# glimpse: inquiry first before 0.1 blocks h: hh ht t: th tt
# glimpse: inquiry second before 0.1 blocks h: hh th t: ht tt
# glimpse: limit per-step 2
END
run plan coins.pomdp --expansions 2000 --json
expect_near lower 8 0.001
expect_near upper 8 0.001
run run coins.pomdp --expansions 500 --episodes 2 --max-steps 3 --json
expect_json requests 6
expect_json inquiries.first 3
expect_json inquiries.second 3
run run coins.pomdp --expansions 500 --episodes 1 --max-steps 1 --show
out_has '2 requests'
run solve coins.pomdp -o coins.policy --json
tail -n 1 out >last && mv last out
expect_near requests 20 1e-3

# An action without a name is called by its number, a0.
sed 's/say-heads say-tails/2/; s/say-heads/0/; s/say-tails/1/; s/inquiry look/inquiry a0/' coin.pomdp >a0.pomdp
run plan a0.pomdp
expect_status 1
err_has "inquiry 'a0' has the name of an action, which has a number alone; name the actions, or call it something else"
sed 's/inquiry a0/inquiry a2/' a0.pomdp >a2.pomdp
run plan a2.pomdp --expansions 10
expect_status 0

# What was asked together with the action belongs to the message, unless another action was done.
printf '%s\n' '{"do":"decide"}' '{"observation":"0"}' '{"observation":"0","answer":"up"}' '{"do":"decide"}' \
  '{"observation":"0","action":"say-heads"}' |
  { ran='glimpse agent'; "$GLIMPSE" agent joint.pomdp --expansions 200 >all 2>err; }
sed -n 2p all >out; out_has "the agent has asked 'look' together with the action, and the answer is missing"
sed -n 3p all >out; expect_json ok true
sed -n 5p all >out; expect_json ok true

# Prices stand behind the name of a file, as parameters do behind that of an environment: the same as in the file.
sed 's/before 0.1 blocks/before 0.25 blocks/' menu.pomdp >quarter.pomdp
run convert quarter.pomdp
cp out quarter
run convert menu.pomdp:look=0.25
expect_status 0
cmp -s out quarter || fail 'another price than that of the file'
run info menu.pomdp:look=0.25,ear=1 --json
expect_json 'inquiries[0].price' 0.25
expect_json 'inquiries[1].price' 1
run plan menu.pomdp:lok=0.25
expect_status 1
expect_no_out
expect_err <<'END'
menu.pomdp: error: there is no inquiry 'lok'; did you mean 'look'?
END
run plan menu.pomdp:look=cheap
expect_status 1
err_has "expected the name of an inquiry and its price, as in 'camera=0.1', found 'look=cheap'"
run plan menu.pomdp:look=0.1,
expect_status 1
err_has "found ''"
run plan nosuch.pomdp:look=1
expect_status 1
err_has 'nosuch.pomdp:look=1: error: cannot open'
grep -v inquiry coin.pomdp >plain.pomdp
run plan plain.pomdp:look=1
expect_status 1
err_has "there is no inquiry 'look': the model has none, and the price of asking for the state is its cost"
cp menu.pomdp menu.pomdp:look=0.25 # a file of that name is itself
run info menu.pomdp:look=0.25 --json
expect_json 'inquiries[0].price' 0.1

# A part of a scene: the row of the only layer tells which side is up.
{ grep -v inquiry coin.pomdp; cat <<'END'; } >rows.pomdp
# glimpse: inquiry look before 0.1 tells row
# glimpse: scene row h
# glimpse: scene row t
# glimpse: scene layer C coin
# glimpse: scene at 0 0 : heads
# glimpse: scene at 1 0 : tails
END
run plan coin.pomdp --expansions 100 --json
cp out coin.json
run plan rows.pomdp --expansions 100 --json
expect_status 0
sed 's/"seconds":[^,}]*//g; s/rows.pomdp/coin.pomdp/; s/row0/up/; s/row1/down/' out >rows.json
sed 's/"seconds":[^,}]*//g' coin.json | cmp -s - rows.json || fail 'a row is another part of the state'
run check rows.pomdp --strict
expect_status 0
sed 's/tells row/tells rows/' rows.pomdp >wrong.pomdp
run check wrong.pomdp
expect_status 1
err_has "did you mean 'row'?"
