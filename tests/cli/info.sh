# glimpse info: facts about models, the list of environments, pictures.
#
# Covers tool/open_model.c, tool/picture.c.
. "$SOURCE/tests/cli/support/checks.sh"

facts() { # the output without what depends on the machine
  grep -v '^memory' out >some || fail "no facts"
  mv some out
}

run info tiger
expect_status 0
expect_no_err
out_has "memory  "
facts
expect_out <<'END'
model         tiger
states        2: tiger-left, tiger-right
actions       3: listen, open-left, open-right
observations  2: tiger-left, tiger-right
non-zeros     10 transitions, 12 observations, 6 rewards
discount      0.95
request cost  1
start         2 states, entropy 1.000 bits
terminal      0
planning      possible
END

run info tiger --json
expect_status 0
expect_no_err
expect_json model '"tiger"'
expect_json states 2
expect_json actions 3
expect_json observations 2
expect_json discount 0.95
expect_json cost 1
expect_json 'action_names[2]' '"open-right"'
expect_json 'observation_names[0]' '"tiger-left"'
expect_json transition_entries 10
expect_json observation_entries 12
expect_json reward_entries 6
expect_json start_states 2
expect_json start_entropy 1
expect_json terminal_states 0
expect_json plannable true
expect_json reason null

run info tiger --cost off --discount 1 --json
expect_status 0
expect_json cost null
expect_json discount 1
expect_json plannable false
[[ $(json_value reason) == *discount* ]] || fail "no reason"
run info tiger --cost 0.25 --discount 1
out_has "request cost  0.25"
out_has "planning      not possible: "
run info tiger --cost off
out_has "request cost  off"

run info robot-delivery:n=5
expect_status 0
out_has "states        305: "
out_has "more)"
out_has "terminal      1"
awk 'length > 79 { exit 1 }' out || fail "a line is longer than 79 characters"

# A file without names, with one start state, read from the standard input too.
cat >plain.pomdp <<'END'
discount: 0.5
values: reward
states: 3
actions: 1
observations: 1
start: 1
T: 0 identity
O: 0 uniform
R: 0 : 1 : * : * 4
END
run info plain.pomdp
expect_status 0
expect_no_err
facts
expect_out <<'END'
model         plain.pomdp
states        3
actions       1
observations  1
non-zeros     3 transitions, 3 observations, 1 rewards
discount      0.5
request cost  off
start         1
terminal      2
planning      possible
END
run info plain.pomdp --json
expect_json action_names null
expect_json cost null
sed 's/"plain.pomdp"/"-"/' out >wanted
ran="glimpse info - --json <plain.pomdp"
status=0
"$GLIMPSE" info - --json <plain.pomdp >out 2>err || status=$?
expect_status 0
cmp -s wanted out || fail "expected the same from the standard input"

# The built-in environments.
run info
expect_status 0
expect_no_err
for name in robot-delivery tag tiger toy rock-sample; do
  grep -qx "$name" out || fail "$name is not listed"
done
awk 'length > 79 { exit 1 }' out || fail "a line is longer than 79 characters"
run info --json
expect_status 0
flatten
cp leaves listed
grep -qx $'environments\\[0\\].name\t"robot-delivery"' listed || fail "robot-delivery is not listed"
grep -qx $'environments\\[0\\].parameters\\[0\\].key\t"n"' listed || fail "its parameter n is not listed"
grep -qx $'environments\\[0\\].parameters\\[0\\].default\t"3"' listed || fail "the default of n is not 3"

# Every one of them can be made, and the defaults shown are the defaults.
names=$(sed -n 's/^environments\[[0-9]*\].name\t"\(.*\)"/\1/p' listed)
i=0
for name in $names; do
  parameters=$(awk -F '\t' -v i="$i" '
    $1 ~ "^environments\\[" i "\\].parameters.*key$" { gsub(/"/, "", $2); key = $2 }
    $1 ~ "^environments\\[" i "\\].parameters.*default$" { gsub(/"/, "", $2); printf ",%s=%s", key, $2 }' listed)
  run convert "$name"
  expect_status 0
  cp out wanted
  run convert "$name:${parameters#,}"
  expect_status 0
  cmp -s wanted out || fail "the defaults of $name are not its defaults"
  i=$((i + 1))
done
((i >= 6)) || fail "expected six environments or more"

# Pictures.
run info robot-delivery --draw
expect_status 0
expect_no_err
out_has "#############"
out_has "R"
run info robot-delivery --json
! grep -q picture out || fail "a picture nobody asked for"
run info robot-delivery --draw --json
expect_status 0
flatten
grep '^picture' leaves | grep -q '#####' || fail "no picture"
run info tag --state robot0-prey5
expect_status 0
cp out by_name
run info tag --state 5
expect_status 0
cmp -s by_name out || fail "state 5 is not robot0-prey5"
run info tag --state 6
! cmp -s by_name out || fail "state 6 looks like state 5"
run info tag --state nowhere
expect_status 1
expect_no_out
expect_err <<'END'
tag: error: there is no state 'nowhere'; there are robot0-prey0, robot0-prey1, robot0-prey2, robot0-prey3, ...
END
run info tiger --draw
expect_status 1
expect_no_out
expect_err <<'END'
tiger: error: there is no picture of this model, only of grid environments
END
