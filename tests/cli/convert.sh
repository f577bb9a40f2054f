# glimpse convert: what is written is what was read.
. "$SOURCE/tests/cli/support/checks.sh"

# Round trips are byte for byte, for every environment and for a file of one's own.
cat >own.pomdp <<'END'
# numbers that do not end in binary, names with dashes, rewards of all shapes
discount: 0.95
values: cost
states: start-left b c
actions: go stay
observations: start-left no
start include: b c
T: go
0.1 0.2 0.7
0.25 0.25 0.5
0 0.333333333333333 0.666666666666667
T: stay identity
O: * : * : start-left 0.85
O: * : * : no 0.15
R: go : * : c : no 0.1
R: stay : b : * : * 1e-300
END
models=$("$GLIMPSE" info --json | sed -n 's/^      "name": "\(.*\)",/\1/p')
[[ $models == *tiger* ]] || fail "no environments"
for model in $models robot-delivery:n=5,f=0.3 tag:prey=classic own.pomdp; do
  run convert "$model" -o once.pomdp
  expect_status 0
  expect_no_out
  expect_no_err
  run convert once.pomdp --strict
  expect_status 0
  expect_no_err
  cmp -s once.pomdp out || fail "the round trip of $model changed it"
  run info "$model" --json
  grep -v '"model"\|"bytes"' out >before
  run info once.pomdp --json
  grep -v '"model"\|"bytes"' out | cmp -s before - || fail "$model became another model"
done

# Where a file gives costs, a line says that values are rewards; not for the file that is written.
for command in info bounds "plan --expansions 5" "explain --expansions 5" "run --expansions 5 --episodes 2 --max-steps 3"; do
  run $command own.pomdp
  expect_status 0
  (($(grep -c "values are rewards, the negative of the costs in the file" out) == 1)) || fail "no word about costs"
  run convert own.pomdp -o rewards.pomdp
  run $command rewards.pomdp
  ! grep -q "negative of the costs" out || fail "costs in a file of rewards"
done

# Discount and cost.
run convert tiger --cost 2.5 --discount 0.75 -o changed.pomdp
run info changed.pomdp --json
expect_json cost 2.5
expect_json discount 0.75
run convert changed.pomdp --cost off -o off.pomdp
run info off.pomdp --json
expect_json cost null
run convert tiger --discount 1 -o one.pomdp
expect_status 0
run info one.pomdp --json
expect_json discount 1

# The equivalent POMDP: two phases for each state, the square root of 0.95.
run convert tiger --equivalent -o equivalent.pomdp --json
expect_status 0
expect_no_err
expect_json model '"tiger"'
expect_json file '"equivalent.pomdp"'
expect_json equivalent true
expect_json cost null
expect_near discount 0.9746794344808963 1e-15
expect_json states 4
actions=$(json_value actions)
run info equivalent.pomdp --json
expect_status 0
expect_json states 4
expect_json actions "$actions"
run convert tiger --equivalent --cost off
expect_status 1
expect_no_out
err_has "tiger: error: "
err_has "hint: '--cost NUMBER' gives the model a price of asking"
run convert equivalent.pomdp --equivalent --cost 3
expect_status 0

run convert tag -o tag.pomdp --json
expect_status 0
expect_json equivalent false
expect_json states 842
expect_json actions 5
expect_json observations 30

# In place, over an old file, through a link, to a device.
cp own.pomdp same.pomdp
chmod 640 same.pomdp
run convert same.pomdp -o same.pomdp
expect_status 0
[[ $(stat -c %a same.pomdp) == 640 ]] || fail "the mode of the file has changed"
run convert own.pomdp
cmp -s same.pomdp out || fail "converting in place gives something else"
ln -s same.pomdp link.pomdp
run convert tiger -o link.pomdp
expect_status 0
[[ -L link.pomdp ]] || fail "the link is gone"
run convert tiger
cmp -s same.pomdp out || fail "the file behind the link was not written"
run convert tiger -o /dev/null
expect_status 0
[[ -c /dev/null ]] || fail "/dev/null is gone"

# What cannot be written leaves everything as it was.
unwritten() {
  expect_status 1
  expect_no_out
  err_has "error: "
  [[ $(cat old.pomdp) == old ]] || fail "the old file has changed"
  [[ -z $(find . -name '.glimpse*') ]] || fail "a stray file was left"
}
echo old >old.pomdp
run convert tiger -o nowhere/old.pomdp
unwritten
run convert tiger -o .
unwritten
run convert bad -o old.pomdp
unwritten
run convert tiger --cost off --equivalent -o old.pomdp
unwritten
if [[ -c /dev/full ]]; then
  run convert tiger -o /dev/full
  unwritten
  [[ -c /dev/full ]] || fail "/dev/full is gone"
fi
ran="glimpse convert tag -o big.pomdp, with room for 8 kB"
status=0
(
  ulimit -f 8
  trap '' XFSZ
  exec "$GLIMPSE" convert tag -o big.pomdp >out 2>err
) || status=$?
unwritten
[[ ! -e big.pomdp ]] || fail "half a file was left"

# A signal leaves the old file or the whole new one, and nothing beside it.
run convert robot-delivery:n=21
cp out whole.pomdp
for delay in 0 0.005 0.01 0.02 0.03 0.05 0.08; do
  ran="glimpse convert robot-delivery:n=21 -o target.pomdp, stopped after $delay s"
  echo old >target.pomdp
  status=0
  "$GLIMPSE" convert robot-delivery:n=21 -o target.pomdp >out 2>err &
  sleep "$delay"
  kill -TERM $! 2>/dev/null || true
  wait $! || status=$?
  [[ $status == 0 || $status == 143 ]] || fail "unexpected exit status"
  cmp -s target.pomdp whole.pomdp || [[ $(head -c 100 target.pomdp) == old ]] || fail "half a file was left"
  [[ -z $(find . -name '.glimpse*') ]] || fail "a stray file was left"
done
