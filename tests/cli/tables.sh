# Tables of MDPs: read wherever a model is, as CSV and as JSON.
. "$SOURCE/tests/cli/support/checks.sh"

cat >loss.csv <<'END'
# discount: 0.95
# cost: 0.05
# start: begin
state,action,next,probability,reward
begin,on,plus,0.75,0
begin,on,minus,0.25,0
begin,back,begin,1,0
plus,on,end,1,1
plus,back,begin,1,0
minus,on,end,1,0
minus,back,begin,1,0
END
run check loss.csv
expect_status 0
expect_out <<'END'
ok: loss.csv: 4 states, 2 actions, 2 observations, no warnings
END

# It is the environment, to the byte.
run convert loss:p=0.75
cp out loss.pomdp
run convert loss.csv
cmp -s out loss.pomdp || fail "loss.csv is not the environment loss:p=0.75"

# The shape of learned models, in capitals of the name as well; a price and a discount of one's own.
cat >Learned.JSON <<'END'
{"P": {"0": {"0": {"1": 0.8, "2": 0.2}, "1": {"0": 1.0}}, "1": {"0": {"3": 1.0}, "1": {"0": 1.0}}, "2": {"0": {"3": 1.0}, "1": {"0": 1.0}}},
 "R": {"1": {"0": {"3": 1.0}}}, "StateSize": 4, "ActionSize": 2, "MeasureCost": 0.1, "s_init": 0}
END
run plan Learned.JSON --discount 0.95 --json
expect_status 0
expect_near lower 0.811470 1e-5
run plan Learned.JSON --discount 0.95 --cost 0.05 --json
expect_near upper 0.869433 1e-5
run run Learned.JSON --discount 0.95 --episodes 3 --expansions 10
expect_status 0

# What is wrong has its place.
sed 's/minus,0.25,0/minus,zero,0/' loss.csv >bad.csv
run check bad.csv
expect_status 1
expect_no_out
expect_err <<'END'
bad.csv:6:16: error: expected a probability, found 'zero'
END
sed 's/minus,0.25,0/minus,0.1,0/' loss.csv >bad.csv
run check bad.csv --json
expect_status 1
expect_json 'errors[0].code' '"BAD_MODEL"'
run check bad.csv
err_has 'bad.csv: error: the row T : on : begin sums to 0.85, expected 1'
sed '6s/.*/&\nbegin,on,plus,0.1,5/' loss.csv >bad.csv
run check bad.csv
expect_status 1
err_has 'bad.csv:7: error: state begin, action on, next state plus was given in line 5'
sed 's/minus/a minus/' loss.csv >bad.csv
run check bad.csv
expect_status 1
err_has "bad.csv:6:10: error: 'a minus' is no name"
printf '{"rows":\n [[0, 0, 1, 0.5],\n [0, 0, 1, 0.5]]}' >bad.json
run check bad.json
expect_status 1
err_has 'bad.json:3: error: state 0, action 0, next state 1 was given in line 2'
printf '{"rows":\n [[1]]}' >bad.json
run check bad.json
expect_status 1
err_has 'bad.json:2: error: a row is a list'
run plan loss.csv --discount 1
expect_status 1

# In an experiment.
if "$GLIMPSE" bench --help >/dev/null 2>&1; then
  printf '{"name": "t", "environments": "loss.csv", "planners": "aems-loop", "expansions": 5, "episodes": 2}' >spec.json
  run bench spec.json -o t.db
  if ! grep -q 'built without' err; then expect_status 0; fi
fi
