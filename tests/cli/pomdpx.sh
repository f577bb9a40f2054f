# POMDPX files: read wherever a model is, from a file and from the standard input.
#
# Covers xml/model_file.c.
. "$SOURCE/tests/cli/support/checks.sh"
data=$SOURCE/tests/data/pomdpx

# Without expat one sentence says so, and which package has it.
run check "$data/tiger.pomdpx"
if grep -q 'built without expat' err; then
  expect_status 1
  expect_no_out
  expect_err <<END
$data/tiger.pomdpx: error: this is XML, and glimpse was built without expat (Debian: libexpat1-dev); build it again with it
END
  run check - <"$data/tiger.pomdpx"
  expect_status 1
  err_has 'standard input: error: this is XML'
  run check "$data/tiger.pomdpx" --json
  expect_status 1
  expect_json 'errors[0].code' '"NOT_APPLICABLE"'
  exit 0
fi
expect_status 0
expect_no_err
expect_out <<END
ok: $data/tiger.pomdpx: 2 states, 3 actions, 2 observations, no warnings
END

# It is the built-in tiger, to the byte; also where only the text tells what it is.
run convert tiger
cp out tiger.pomdp
for model in "$data/tiger.pomdpx" - plain.txt; do
  cp "$data/tiger.pomdpx" plain.txt
  run convert "$model" --strict <plain.txt
  expect_status 0
  expect_no_err
  cmp -s out tiger.pomdp || fail "another model from $model"
done
cp tiger.pomdp wrong.pomdpx # a name that lies
run check wrong.pomdpx
expect_status 1
expect_err <<'END'
wrong.pomdpx:1:1: error: expected XML, which begins with '<'
END

# The commands take it, with a price of its own or another one.
run info "$data/house.pomdpx" --json
expect_status 0
expect_json states 4
expect_json observations 4
expect_json 'cost[3]' 2
run bounds "$data/house.pomdpx" --cost 0.5 --json
expect_status 0
expect_json cost 0.5
run plan "$data/house.pomdpx" --expansions 20 --json
expect_status 0
run convert "$data/house.pomdpx" -o house.pomdp
expect_status 0
run convert house.pomdp
cmp -s out house.pomdp || fail "the round trip changed it"

# Errors have a place, several come at once, and --strict makes errors of warnings.
sed -e 's/vname="push"/vnam="push"/' -e 's/<Discount>0.9/<Discount>nine/' -e 's/fullyObs="true"/fullyObs="so"/' \
  "$data/house.pomdpx" >wrong.pomdpx
run check wrong.pomdpx
expect_status 1
expect_no_out
expect_err <<'END'
wrong.pomdpx:6:13: error: expected the discount, found 'nine'
wrong.pomdpx:8:5: error: expected fullyObs="true" or "false", found 'so'
wrong.pomdpx:10:5: error: expected vname="..." in <ActionVar>, found none
END
sed 's/<Discount>/<Horizon\/><Discount>/' "$data/tiger.pomdpx" >loose.pomdpx
run check loose.pomdpx
expect_status 0
expect_err <<'END'
loose.pomdpx:7:3: warning: <Horizon> is not known here and passed over
END
run check loose.pomdpx --strict
expect_status 1
err_has 'loose.pomdpx:7:3: error: <Horizon>'
run check "$data/bad-value-unknown.pomdpx" --json
expect_status 1
expect_json 'errors[0].line' 27
expect_json 'errors[0].column' 24
expect_json 'errors[0].text' "\"expected a value of 'act', found 'mvoe'; did you mean 'move'?\""

# Experiments take it, too.
run bench --list
if ((status == 0)); then
  cp "$data/tiger.pomdpx" .
  cat >spec.json <<'END'
{"name": "xml", "environments": ["tiger.pomdpx"], "planners": ["aems-sr"], "expansions": 5, "max-steps": 5, "episodes": 2, "seed": 1}
END
  run bench spec.json -o results.db --threads 1
  expect_status 0
  run report results.db
  expect_status 0
  out_has tiger.pomdpx
fi
