# glimpse agent: whole episodes from a shell script and from Python, exact replies, lines that make
# no sense, readers that are slow or dead, signals, the end of the input.
#
# Covers tool/lines.c, tool/protocol.c, tool/protocol_read.c.
. "$SOURCE/tests/cli/support/checks.sh"

# --- An episode in the shell -----------------------------------------------------------------------

# Two pipes and two functions are all it takes.
start() { # start ARGUMENT ...
  ran="glimpse agent $*"
  coproc AGENT { exec "$GLIMPSE" agent "$@" 2>err; }
  pid=$AGENT_PID to=${AGENT[1]} from=${AGENT[0]}
}
say() { # say MESSAGE: the reply is in $reply, and in the file out
  printf '%s\n' "$1" >&"$to"
  ran+=$'\n    '$1
  IFS= read -r -t 100 reply <&"$from" || fail "no reply to $1"
  printf '%s\n' "$reply" >out
}
field() { json_value "$1" | tr -d '"'; }
stop() { # closes the input; $status is how the agent ended
  exec {to}>&-
  status=0
  wait "$pid" || status=$?
}

# The tiger changes its door whenever one is opened, which the shell knows and the agent does not.
start tiger --cost 3 --expansions 100
doors=(tiger-left tiger-right) right_door=(open-right open-left) tiger=0 requests=0 wins=0
for ((episode = 0; episode < 2; episode++)); do
  say '{"do":"reset"}'
  expect_json episode $((episode + 1))
  for ((step = 0; step < 4; step++)); do
    say '{"do":"decide"}'
    if [[ $(field ask) == true ]]; then
      expect_json next '"state"'
      expect_json stop '"solved"'
      expect_near lower 140 1e-6
      expect_near upper 140 1e-6
      requests=$((requests + 1))
      say "{\"state\":\"${doors[tiger]}\"}"
      expect_json believed 0.5
    fi
    expect_json next '"observation"'
    if [[ $(field act) == "${right_door[tiger]}" ]]; then wins=$((wins + 1)); fi
    tiger=$((1 - tiger))
    say "{\"observation\":\"${doors[step % 2]}\"}"
    expect_json ok true
    expect_json entropy 1
  done
done
[[ $requests == 8 && $wins == 8 ]] || fail "expected to ask and to win each time: $requests, $wins"
say '{"do":"quit"}'
expect_json bye true
stop
expect_status 0
[[ ! -s err ]] || fail "expected nothing on stderr"

# --- Replies, to the letter ------------------------------------------------------------------------

talk() { # talk ARGUMENT ...: the messages are on the standard input
  ran="glimpse agent $*"
  status=0
  "$GLIMPSE" agent "$@" >out 2>err || status=$?
  sed -E 's/"seconds": [^,]*/"seconds": 0/; s/(\.[0-9]{4})[0-9]+/\1/g' out >some
  mv some out
}
talk tiger --cost off --expansions 10 <<'END'
{"do":"info","id":"a"}
{"do":"names","id":12345678901234567890}
{"do":"decide"}
{"observation":"tiger-left"}
{"do":"belief"}
{"do":"belief","most":1}
{"do":"decide","expansions":1}
{"observation":1,"action":"open-left"}
{"do":"reset","belief":"tiger-right"}
{"do":"reset","belief":[0.25,0.75]}
{"do":"belief"}
{"do":"quit"}
{"do":"info"}
END
expect_status 0
sed -i -E 's/"(lower|upper)": [^,]*/"\1": N/g; s/"expansions": [0-9]+/"expansions": N/' out
expect_out <<'END'
{"id": "a", "glimpse": "0.2.0", "protocol": 1, "model": "tiger", "states": 2, "actions": 3, "observations": 2, "discount": 0.95, "cost": null, "planner": "aems-loop", "settings": "aems-loop, 10 expansions per decision, seed 1", "episode": 0, "step": 0, "next": "decide"}
{"id": 12345678901234567890, "actions": ["listen", "open-left", "open-right"], "observations": ["tiger-left", "tiger-right"], "states": ["tiger-left", "tiger-right"], "next": "decide"}
{"ask": false, "act": "listen", "index": 0, "lower": N, "upper": N, "expansions": N, "seconds": 0, "stop": "expansions", "next": "observation"}
{"ok": true, "action": "listen", "probability": 0.5, "states": 2, "entropy": 0.6098, "done": false, "next": "decide"}
{"belief": {"tiger-left": 0.85, "tiger-right": 0.15}, "states": 2, "entropy": 0.6098, "done": false, "next": "decide"}
{"belief": {"tiger-left": 0.85}, "rest": 0.1500, "states": 2, "entropy": 0.6098, "done": false, "next": "decide"}
{"ask": false, "act": "listen", "index": 0, "lower": N, "upper": N, "expansions": N, "seconds": 0, "stop": "expansions", "next": "observation"}
{"ok": true, "action": "open-left", "probability": 0.5, "states": 2, "entropy": 1, "done": false, "next": "decide"}
{"ok": true, "episode": 1, "states": 1, "entropy": 0, "done": false, "next": "decide"}
{"ok": true, "episode": 2, "states": 2, "entropy": 0.8112, "done": false, "next": "decide"}
{"belief": {"tiger-left": 0.25, "tiger-right": 0.75}, "states": 2, "entropy": 0.8112, "done": false, "next": "decide"}
{"bye": true}
END

# Budgets: of the command line, and of a message in their place; a decision may be made again.
talk robot-delivery:n=3 --cost off --expansions 30 <<'END'
{"do":"decide"}
{"do":"decide","expansions":70}
{"do":"decide","time":0.01}
{"do":"decide","epsilon":100}
{"do":"decide","epsilon":0}
END
expect_status 0
[[ $(grep -o '"expansions": [0-9]*, ' out | head -2 | tr -d '\n') == '"expansions": 30, "expansions": 70, ' ]] ||
  fail "other budgets"
[[ $(grep -o '"stop": "[a-z]*"' out | tr '\n' ' ') == \
'"stop": "expansions" "stop": "expansions" "stop": "time" "stop": "epsilon" "stop": "expansions" ' ]] ||
  fail "other ends"

# An explanation tells what `explain` tells.
run explain tiger --cost 12 --expansions 60 --json
grep -E '"(certain|gain_least|gain_most|request_lower|request_upper)"' out | tr -d ' \n' >wanted
echo '{"do":"decide"}
{"do":"explain"}' | "$GLIMPSE" agent tiger --cost 12 --expansions 60 >replies
tail -n 1 replies >out
flatten
for key in request_lower request_upper certain gain_least gain_most; do
  printf '"%s":%s,' "$key" "$(json_value "$key")"
done >found
cmp -s wanted found || fail "the explanations differ: $(cat wanted found)"
expect_json act '"listen"'
out_has '"why": "This'
out_has '"asking": "Asking, at a price of 12, '
expect_json 'actions[2].action' '"open-right"'
expect_json 'forecast[0].action' '"listen"'

# The end of an episode: every state that is left is terminal.
talk toy --cost 2 --expansions 50 <<'END'
{"do":"belief"}
{"do":"reset","belief":"end"}
{"do":"decide"}
END
expect_status 0
[[ $(grep -o '"done": [a-z]*' out | tr '\n' ' ') == '"done": false "done": true ' ]] || fail "it does not see the end"

# Other planners.
for planner in aems aems-loop pomcp never-ask always-ask ask-every ask-entropy act-then-measure spi; do
  talk tiger --planner "$planner" --expansions 20 <<'END'
{"do":"decide"}
{"do":"explain"}
{"do":"reset"}
{"do":"decide"}
END
  expect_status 0
  ! grep -q error out || fail "an error from $planner"
  [[ $(wc -l <out) == 4 ]] || fail "expected 4 replies"
done

# --- What makes no sense -----------------------------------------------------------------------------

# error AFTER MESSAGE ERROR [HINT]: the reply, and that the agent has not moved
start tiger --expansions 10
error() {
  ran="glimpse agent tiger --expansions 10"
  say '{"do":"reset"}'
  while IFS= read -r line; do [[ -z $line ]] || say "$line"; done <<<"$1"
  say '{"do":"info"}'
  local info=$reply belief
  say '{"do":"belief"}'
  belief=$reply
  say "$2"
  local next=${info##*\"next\": \"}
  expected="{\"error\": \"$3\", ${4:+\"hint\": \"$4\", }\"next\": \"$next"
  [[ $reply == "$expected" ]] || fail "expected $expected"
  say '{"do":"info"}'
  [[ $reply == "$info" ]] || fail "it has moved: $info"
  say '{"do":"belief"}'
  [[ $reply == "$belief" ]] || fail "its belief has moved: $belief"
}
asked='{"do":"decide"}' told=$'{"do":"decide"}\n{"state":0}'
shape='a message is one object in one line, such as {\"do\":\"decide\"}'
begin='tell it with {\"state\":\"NAME\"}, say that nobody answers with {\"do\":\"no answer\"}, or begin anew with {\"do\":\"reset\"}'
error '' '' "the line is not JSON: expected a value, found the end of the text" "$shape"
error '' 'decide' "the line is not JSON: expected a value, found 'decide'" "$shape"
error "$asked" '{"do":"decide"' "the line is not JSON: expected ',' or '}', found the end of the text" "$shape"
error "$told" '{"observation":0,}' "the line is not JSON: expected a key in quotes, found '}'" "$shape"
error '' '{"do":"decide"} {"do":"decide"}' "the line is not JSON: expected nothing more, found '{\\\"do\\\":\\\"decide\\\"}'" "$shape"
error '' '{"do":"info","do":"quit"}' "the line is not JSON: the field 'do' is given twice" "$shape"
error '' '# a comment' "the line is not JSON: there are no comments" "$shape"
error '' '[1]' "the line is a list, not an object" "$shape"
error '' '"decide"' "the line is a text, not an object" "$shape"
error '' $'{"do":"\xff"}' "the line is not UTF-8: see byte 8"
error '' $'{"do":"\xc0\xaf"}' "the line is not UTF-8: see byte 8"
error '' $'{"do":"\xed\xa0\x80"}' "the line is not UTF-8: see byte 8"
error '' $'{"do":"\xe2\x82' "the line is not UTF-8: see byte 8"
error '' "$(printf '[%.0s' {1..5000})" "the line is not JSON: expected fewer levels, found '[[[[[[[[[[[[[[[[[[[['" "$shape"
error '' '{}' "the message has none of 'do', 'state' and 'observation'" \
  'send {\"do\":\"decide\"}, {\"state\":\"NAME\"} or {\"observation\":\"NAME\"}'
error '' '{"do":"decied"}' "there is no message 'decied'" "did you mean 'decide'?"
error '' '{"do":"dance"}' "there is no message 'dance'" \
  "it is one of decide, no answer, reset, belief, explain, names, info, quit"
error '' '{"do":null}' "'do' has to be a text" "it is one of decide, no answer, reset, belief, explain, names, info, quit"
error '' '{"do":"decide","tme":1}' "the message 'decide' has no field 'tme'" "did you mean 'time'?"
error "$told" '{"observation":0,"state":0}' "the message 'state' has no field 'observation'" "send one thing at a time"
error '' '{"do":"info","id":[1]}' "'id' has to be a text or a number"
for value in 0 -1 1e999 '"1"' null; do
  error '' "{\"do\":\"decide\",\"time\":$value}" "'time' has to be a number above 0"
done
for value in 0 1.5 -1 1e30 true; do
  error '' "{\"do\":\"decide\",\"expansions\":$value}" "'expansions' has to be a whole number from 1 to 1125899906842624"
done
error '' '{"do":"decide","time":.5}' "the line is not JSON: expected a value, found '.5}'" "$shape"
error '' '{"do":"decide","time":01}' "the line is not JSON: expected a value, found '01}'" "$shape"
error '' '{"do":"decide","time":NaN}' "the line is not JSON: expected a value, found 'NaN}'" "$shape"
error '' '{"state":0}' "the agent did not ask for the state" \
  '{\"do\":\"decide\"} says whether it does; {\"do\":\"reset\",\"belief\":\"tiger-left\"} puts it there'
error "$told" '{"state":0}' "the agent did not ask for the state" \
  'it waits for {\"observation\":\"NAME\"}; {\"do\":\"reset\",\"belief\":\"tiger-left\"} puts it there'
error '' '{"observation":0}' "there is no decision that this could be the outcome of" '{\"do\":\"decide\"} comes first'
error "$asked" '{"observation":0}' "the agent has asked for the state and waits for it" "$begin"
error "$asked" '{"do":"decide"}' "the agent has asked for the state and waits for it" "$begin"
error "$asked" '{"state":"tiger-lift"}' "there is no state 'tiger-lift'" "did you mean 'tiger-left'?"
error "$asked" '{"state":"x"}' "there is no state 'x'" '{\"do\":\"names\"} lists them'
error "$asked" '{"state":2}' "there is no state 2" "they are numbered 0 to 1"
error "$asked" '{"state":0.5}' "there is no state 0.5" "they are numbered 0 to 1"
error "$asked" '{"state":null}' "'state' has to be the name of a state, or its number"
error "$told" '{"observation":-1}' "there is no observation -1" "they are numbered 0 to 1"
error "$told" '{"observation":0,"action":3}' "there is no action 3" "they are numbered 0 to 2"
error "$told" '{"observation":0,"action":[]}' "'action' has to be the name of an action, or its number"
error '' '{"do":"explain"}' "there is no decision at this belief to explain" '{\"do\":\"decide\"} comes first'
error '' '{"do":"belief","most":0}' "'most' has to be a whole number from 1 to 1000"
error "$told" '{"do":"reset","belief":{"tiger-left":0.5}}' "the probabilities of the belief sum to 0.5, not to 1"
error "$asked" '{"do":"reset","belief":{}}' "the probabilities of the belief sum to 0, not to 1"
error '' '{"do":"reset","belief":{"tiger-left":2}}' "the probability of 'tiger-left' has to be a number from 0 to 1"
error '' '{"do":"reset","belief":{"tiger-left":0.5,"0":0.5}}' \
  "the belief names a state twice, by its name and its number"
error '' '{"do":"reset","belief":[1]}' "a belief as a list has a probability for each of the 2 states, not 1"
error '' '{"do":"reset","belief":[1,"0"]}' "the probability of 'tiger-right' has to be a number from 0 to 1"
error '' '{"do":"reset","belief":true}' \
  "'belief' has to be a state, an object {\\\"STATE\\\":P,...} or a list of all probabilities"
stop
expect_status 0
[[ ! -s err ]] || fail "expected nothing on stderr"

# Lines may be long, but not too long; a byte 0 is no end; the last line needs no end.
{
  printf '{"do":"info",%*s"id":1}\n' 1048550 ''
  printf '{"do":"info",%*s"id":2}\n' 1048576 ''
  printf '{"do":"info","id":3}\r\n{"do":"info\0","id":4}\n\0\n'
  printf '{"do":"info","id":5}'
} >lines
talk tiger <lines
expect_status 0
[[ $(wc -l <out) == 6 ]] || fail "expected 6 replies"
[[ $(grep -c '"protocol"' out) == 3 ]] || fail "expected 3 of them to be answers"
[[ $(sed -n 2p out) == '{"error": "the line is longer than 1048576 bytes", "next": "decide"}' ]] || fail "another error"
[[ $(sed -n 6p out) == '{"id": 5, '* ]] || fail "the last line has no answer"
head -c 3000000 /dev/zero | tr '\0' 'x' >lines
talk tiger <lines
expect_status 0
[[ $(cat out) == '{"error": "the line is longer than 1048576 bytes", "next": "decide"}' ]] || fail "another error"
talk tiger </dev/null
expect_status 0
expect_no_out
expect_no_err

# --- What the model excludes ---------------------------------------------------------------------------

cat >sure.pomdp <<'END'
discount: 0.9
values: reward
states: here there
actions: go stay
observations: h t
start: here
# glimpse: cost 0.1
T: go
0 1
1 0
T: stay identity
O: *
1 0
0 1
R: go : * : * : * 1
END
talk sure.pomdp --expansions 5 <<'END'
{"do":"decide"}
{"observation":"h"}
{"do":"belief"}
{"observation":"h","action":"stay"}
{"do":"decide"}
{"observation":"h"}
{"state":"there"}
{"observation":"h"}
END
expect_status 0
grep -v '"ask"' out >some && mv some out
expect_out <<'END'
{"error": "'h' cannot be observed after 'go' at this belief", "hint": "was another action done? Send it as \"action\"; or tell where it is with {\"state\":\"NAME\"}; '--ask-when-lost' makes the agent ask", "next": "observation"}
{"belief": {"here": 1}, "states": 1, "entropy": 0, "done": false, "next": "observation"}
{"ok": true, "action": "stay", "probability": 1, "states": 1, "entropy": 0, "done": false, "next": "decide"}
{"error": "'h' cannot be observed after 'go' at this belief", "hint": "was another action done? Send it as \"action\"; or tell where it is with {\"state\":\"NAME\"}; '--ask-when-lost' makes the agent ask", "next": "observation"}
{"ok": true, "action": "go", "probability": 1, "states": 1, "entropy": 0, "done": false, "next": "decide"}
END
talk sure.pomdp --expansions 5 --ask-when-lost <<'END'
{"do":"decide"}
{"observation":"h"}
{"do":"decide"}
{"do":"explain"}
{"state":"here"}
{"observation":"t"}
END
expect_status 0
[[ $(sed -n 2p out) == '{"ok": true, "action": "go", "probability": 0, "lost": true, '* ]] || fail "it is not lost"
[[ $(sed -n 3p out) == '{"ask": true, "lost": true, "lower": null, '* ]] || fail "it does not ask"
[[ $(sed -n 4p out) == '{"error": "the agent asks because what it observed was impossible: it is lost", '* ]] ||
  fail "it explains what it does not know"
[[ $(sed -n 5p out) == '{"believed": 1, "ask": false, "act": "go", '* ]] || fail "it is still lost"
[[ $(sed -n 6p out) == '{"ok": true, "action": "go", "probability": 1, "states": 1, '* ]] || fail "it is still lost"

# --- The command line ------------------------------------------------------------------------------------

run agent -
expect_status 2
err_has "error: the model cannot come from the standard input, which carries the messages"
run agent tiger --patience 0
expect_status 2
err_has "expected a number, above 0"
run agent nowhere.pomdp
expect_status 1
expect_no_out
run agent tiger --discount 1
expect_status 1
err_has "hint: '--discount NUMBER' replaces the discount of the model"
status=0
"$GLIMPSE" agent tiger <. >out 2>err || status=$?
expect_status 1
err_has "error: the standard input cannot be read: "
if [[ -w /dev/full ]]; then
  status=0
  echo '{"do":"info"}' | "$GLIMPSE" agent tiger >/dev/full 2>err || status=$?
  expect_status 1
  err_has "error: the standard output cannot be written: "
fi

# --- From Python: episodes against worlds of its own, damaged lines, dead readers, signals ----------------

if command -v python3 >/dev/null; then
  ran="agent.py"
  python3 "$SOURCE/tests/cli/support/agent.py" "$GLIMPSE" "$WORK" >out 2>err || fail "see below"
else
  echo "python3 is not there: the agent was driven by the shell alone"
fi

# --- docs/AGENT.md: its conversation and its programs ------------------------------------------------------

awk '/^```/ { inside = !inside; block = ""; next } inside && /^discount:/ { block = "machine.pomdp" }
  block != "" { print > block }' "$SOURCE/README.md"
awk '
  /^```/ { inside = !inside; block = ""; if ($0 == "```python") block = "client.py"; if ($0 == "```sh") block = "client.sh"; next }
  inside && /^\$ glimpse agent / { print substr($0, 3) > "command" }
  inside && /^> / { print substr($0, 3) > "messages" }
  inside && /^< / { print substr($0, 3) > "shown" }
  block != "" { print > block }
' "$SOURCE/docs/AGENT.md"
[[ -s command && -s client.py && -s client.sh && $(wc -l <messages) == "$(wc -l <shown)" ]] || fail "no conversation"
# Better searches find other bounds: of numbers only the place is compared, and a forecast may end earlier.
words() { sed -E 's/("forecast": \[\{[^}]*\})[^]]*/\1/; s/-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/N/g' "$1"; }
glimpse() { "$GLIMPSE" "$@"; }
read -r ran <"command"
eval "$ran" <messages >out 2>err || fail "the conversation does not end well"
words out >found
words shown >wanted
cmp -s wanted found || fail "docs/AGENT.md shows something else: $(diff wanted found)"
mkdir bin
ln -s "$GLIMPSE" bin/glimpse
PATH=$PWD/bin:$PATH
ran="the shell script of docs/AGENT.md"
bash client.sh >out 2>err || fail "it fails"
[[ $(cat out) == "it does open-right" ]] || fail "it does something else"
if command -v python3 >/dev/null; then
  ran="the Python script of docs/AGENT.md"
  python3 client.py >out 2>err || fail "it fails"
  [[ $(grep -cE '^open-(left with the tiger on the right|right with the tiger on the left)$' out) == 5 ]] ||
    fail "it does something else"
fi
