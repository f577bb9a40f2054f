# glimpse run --record and glimpse replay, without a terminal: the same lines, damaged files.
. "$SOURCE/tests/cli/support/checks.sh"

# The same lines live and from the record; the same record on every run and with any terminal.
for line in "robot-delivery:n=3 --expansions 30 --episodes 3" "tag --expansions 20 --episodes 2 --max-steps 20" \
  "tiger --planner pomcp --expansions 50 --episodes 2 --max-steps 5" "toy --planner never-ask --episodes 4" \
  "rock-sample:n=4,k=4 --expansions 20 --episodes 2 --max-steps 9 --cost off"; do
  run run $line --watch --record one.jsonl
  expect_status 0
  expect_no_err
  grep '^episode [0-9]* step' out >lines
  out_has "; the end"
  out_has "return  "
  run replay one.jsonl
  expect_status 0
  expect_no_err
  cmp -s lines out || fail "the replay differs: $(diff lines out | head -5)"
  run run $line --record two.jsonl --json
  expect_status 0
  cmp -s one.jsonl two.jsonl || fail "another record of the same run"
  cp out summary
  run replay one.jsonl --json
  expect_status 0
  expect_json complete true
  expect_json cut false
  expect_json steps "$(wc -l <lines)"
  mean=$(json_value return)
  cp summary out
  expect_near return.mean "$mean" 1e-9
done
run replay - <one.jsonl
expect_status 0
cmp -s lines out || fail "another replay from the standard input"
# Each line is an object of its own.
while IFS= read -r line; do
  printf '%s\n' "$line" >out
  flatten
done <one.jsonl
head -1 one.jsonl >out
expect_json glimpse '"record"'
expect_json version 1

# Times are told with a time budget.
run run toy --time 0.001 --episodes 1 --record timed.jsonl
grep -q '"seconds": [0-9]' timed.jsonl || fail "no times"
! grep -q '"seconds": [0-9]' one.jsonl || fail "times in the record of an expansion budget"

# A killed run leaves a record that can be shown.
ran="glimpse run ... --record killed.jsonl, and SIGKILL"
"$GLIMPSE" run tiger --episodes 100000 --max-steps 10 --expansions 5 --record killed.jsonl >out 2>err &
for ((i = 0; i < 600; i++)); do
  if [[ -e killed.jsonl ]] && (($(wc -l <killed.jsonl) > 20)); then break; fi
  sleep 0.1
done
disown $! # so that the shell does not tell of it
kill -KILL $!
while kill -0 $! 2>/dev/null; do sleep 0.05; done
run replay killed.jsonl --json
expect_status 0
expect_json cut true
expect_json complete false
err_has "'killed.jsonl' has no end: the run was killed; it is shown up to its last whole line"
# Cut off anywhere, it is shown up to there, or refused when the first line is not whole.
run run toy --expansions 5 --episodes 2 --record toy.jsonl
size=$(wc -c <toy.jsonl)
first=$(head -1 toy.jsonl | wc -c)
for ((n = 1; n < size; n += 397)); do
  head -c "$n" toy.jsonl >part.jsonl
  run replay part.jsonl --json
  if ((n < first)); then expect_status 1; else
    expect_status 0
    expect_json cut true
    expect_json steps "$(($(wc -l <part.jsonl) - 1))"
  fi
done
# A run that was ended by a signal says so.
"$GLIMPSE" run tiger --episodes 100000 --max-steps 10 --expansions 5 --record ended.jsonl >out 2>err &
for ((i = 0; i < 600; i++)); do
  if [[ -e ended.jsonl ]] && (($(wc -l <ended.jsonl) > 20)); then break; fi
  sleep 0.1
done
kill -TERM $!
wait $! || true
run replay ended.jsonl --json
expect_status 0
expect_no_err
expect_json cut false
expect_json complete false

# What is no record, or a damaged one, is told with its line.
wrong() { # wrong TEXT: what is in bad.jsonl is refused so
  run replay bad.jsonl
  expect_status 1
  expect_no_out
  err_has "$1"
}
run replay nowhere.jsonl
expect_status 1
err_has "error: 'nowhere.jsonl' cannot be read: No such file or directory"
run replay .
expect_status 1
err_has "error: '.' cannot be read: Is a directory"
: >bad.jsonl
wrong "error: 'bad.jsonl' is empty; 'glimpse run MODEL --record FILE' writes such files"
for text in hello '[1, 2]' '{}' '{"glimpse": 1}' '{"episode": 0, "step": 0}'; do
  printf '%s\n' "$text" >bad.jsonl
  wrong "bad.jsonl:1: error: this is not a file that 'glimpse run --record' has written"
done
head -c 4000 "$GLIMPSE" >bad.jsonl
run replay bad.jsonl
expect_status 1
sed '1s/"version": 1/"version": 2/' toy.jsonl >bad.jsonl
wrong "bad.jsonl:1: error: the file has version 2 of the format, this program reads up to 1; a newer glimpse is needed"
run run robot-delivery:n=3 --expansions 200 --seed 8 --episodes 1 --max-steps 6 --record robot.jsonl
change() { # change LINE FROM TO TEXT
  sed "$1s/$2/$3/" robot.jsonl >bad.jsonl
  ! cmp -s robot.jsonl bad.jsonl || fail "nothing to change: $2"
  wrong "bad.jsonl:$1: error: $4"
}
change 1 '"rows": 8' '"rows": 9' "'background' is not made of 'rows' times 'columns' characters"
change 1 '"rows": 8' '"rows": 70000' "'rows' is not a count from 0 to 65535"
change 1 '"marks": "RP"' '"marks": "R"' "'marks' is not made of one character for each layer"
change 1 '"requests": true' '"requests": 1' "'requests' is a number, expected"
change 1 '"legend": "o' '"legend": "\\u001b[2J' "'legend' is not a line of text"
change 3 '"state": "' '"state": "\\u001b]0;' "'state' is not a name"
change 3 '"action": ' '"act": ' "'action' is missing"
change 3 '"step": 1' '"step": 2' "step 2 of episode 0 does not follow the step before it"
change 3 '"step": 1' '"step": -1' "'step' is not a count"
change 3 '"step": 1' '"step": 1.5' "'step' is not a count"
change 3 '"lower": [-0-9.]*' '"lower": 1e999' "'lower' is too large"
change 3 '"lower": [-0-9.]*' '"lower": "x"' "'lower' is a text, expected a number"
change 3 '"at": [0-9]*' '"at": 1000' "'at' is not a count from 0 to 58"
change 3 '"believed": \[\[[0-9]*' '"believed": [[59' "the entries of 'believed' are not made of"
change 3 '"believed": \[\[' '"believed": [[0, 0.5], [0, 0.5], [' "the entries of 'believed' are not made of"
change 3 '"largest": \[\["[a-z0-9-]*", [0-9.]*' '"largest": [["x", 2' "an entry of 'largest' is not made of"
change 3 '"stop": "expansions"' '"stop": "tired"' "'tired' is not a reason to stop"
change 3 '"layers": \[{' '"layers": [7, {' "'layers' does not fit the scene"
change 3 '}$' '' "expected ',' or '}', found the end of the text"
sed '4d' robot.jsonl >bad.jsonl
wrong "bad.jsonl:4: error: step 3 of episode 0 does not follow the step before it"
lines=$(wc -l <robot.jsonl)
sed "$((lines - 1))d" robot.jsonl >bad.jsonl
wrong "bad.jsonl:$((lines - 1)): error: the run had $((lines - 2)) steps, but the file has $((lines - 3))"
{ cat robot.jsonl; sed -n 2p robot.jsonl; } >bad.jsonl
wrong "bad.jsonl:$((lines + 1)): error: there is a line after the end"
# Fields of later versions of the program are left alone.
sed '3s/"episode"/"mood": "good", "episode"/' robot.jsonl >bad.jsonl
run replay bad.jsonl
expect_status 0
# One byte changed anywhere: shown or refused, never worse.
head -4 robot.jsonl >short.jsonl
size=$(wc -c <short.jsonl)
for ((n = 0; n < size; n += 211)); do
  { head -c "$n" short.jsonl; printf '%b' "\\x$(printf '%x' $((n * 7 % 255 + 1)))"; tail -c +"$((n + 2))" short.jsonl; } >bad.jsonl
  run replay bad.jsonl
  ((status <= 1)) || fail "byte $n changed: exit status $status"
done

# Wrong usage, and files that cannot be written.
usage() {
  run "${@:2}"
  expect_status 2
  expect_no_out
  err_has "$1"
}
usage "'--record' needs a FILE of its own; the standard output has the summary" run toy --record -
usage "'--record' excludes several '--jobs': steps would mix" run toy --record f --jobs 2
usage "'--watch' excludes several '--jobs': steps would mix" run toy --watch --jobs 2
usage "'--watch' excludes '--json', because both go to the standard output" run toy --watch --json
usage "'--show' excludes '--watch'" run toy --show --watch
usage "'--paused' needs '--watch'" run toy --paused
usage "'replay' needs FILE" replay
run run toy --expansions 5 --record nowhere/file
expect_status 1
expect_no_out
err_has "error: 'nowhere/file' cannot be written: No such file or directory"
if [[ -c /dev/full ]]; then
  run run toy --expansions 5 --record /dev/full
  expect_status 1
  expect_no_out
  err_has "error: '/dev/full' cannot be written: No space left on device"
  status=0
  ran="glimpse replay to a full disk"
  "$GLIMPSE" replay robot.jsonl >/dev/full 2>err || status=$?
  expect_status 1
fi
