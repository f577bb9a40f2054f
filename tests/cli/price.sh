# glimpse price: known curves, the exact keys, the same bytes with expansions, plots, interrupts, refusals.
# Covers tool/price_plot.c, common/plotter.c.
. "$SOURCE/tests/cli/support/checks.sh"

# Tiger: asks before each action up to 10 - 19.371368 / 20.
run price tiger --expansions 1000 --negligible 1e-4 --json
expect_status 0
expect_no_err
expect_json model '"tiger"'
expect_json axis '"price"'
expect_near off_lower 19.371368 1e-4
expect_near off_upper 19.371368 1e-4
expect_near free_lower 200 1e-6
expect_near break_even_low 9.0314 1e-3
expect_near break_even_high 9.0314 1e-3
expect_near always_low 9.0314 1e-3
expect_near always_high 9.0314 1e-3
expect_json complete true
expect_near 'points[0].lower' 200 1e-6
expect_near 'points[0].requests_lower' 20 1e-6
expect_json 'points[0].ask' true
expect_json 'points[0].action' null
expect_near 'points[1].price' 1 0
expect_near 'points[1].upper' 180 1e-6
expect_near 'points[1].return_upper' 200 1e-5
keys=$(json_keys | grep -v '^points\[[1-9]' | tr '\n' ' ')
[[ $keys == "model states actions observations discount cost axis negligible off_lower off_upper free_lower free_upper \
break_even_low break_even_high always_low always_high never complete points[0].price points[0].lower points[0].upper \
points[0].requests_lower points[0].requests_upper points[0].return_lower points[0].return_upper points[0].always_lower \
points[0].always_upper points[0].ask points[0].action points[0].certain points[0].expansions points[0].seconds " ]] ||
  fail "other keys: $keys"

run price tiger --expansions 1000
expect_status 0
out_has 'tiger: 2 states, 3 actions, 2 observations, discount 0.95, request cost 1'
out_has 'Break-even price: 9.031'
out_has 'no request pays, whatever the belief'

# Prices that depend on the state: a factor.
run price toy --expansions 100
expect_status 0
out_has 'Break-even factor: 1.99999'
out_has 'a factor of 1 means those of the model'

# A model whose requests are off; an end of the axis; the price of the model elsewhere.
run price tiger --cost off --max-price 4 --expansions 100 --csv
expect_status 0
[[ $(head -n 1 out) == "price,lower,upper,requests_lower,requests_upper,return_lower,return_upper,always_lower,\
always_upper,choice,certain,expansions" ]] || fail "another head"
[[ $(tail -n 1 out) == 4,* ]] || fail "the axis does not end at 4"
[[ $(grep -c . out) -le 6 ]] || fail "too many lines for two straight ends"
run price tiger --cost 5 --expansions 100 --csv
grep -q '^5,' out || fail "the price of the model is left out"

# The same bytes, whatever the machine does; intervals that are ordered, and fall.
run price robot-delivery:n=2 --expansions 30 --points 7 --csv
cp out first
run price robot-delivery:n=2 --expansions 30 --points 7 --csv
cmp -s first out || fail "another result of the same budget"
awk -F, 'NR > 1 {
  for (i = 2; i < 10; i += 2) if ($i > $(i + 1) + 1e-9) exit 1
  if (NR > 2 && ($1 <= price || $3 > upper + 1e-9 || $2 > lower + 1e-9)) exit 1
  price = $1; lower = $2; upper = $3
}' out || fail "not in order"

# Interrupted before the first price: valid, and says so.
if command -v timeout >/dev/null; then
  ran="glimpse price tag, interrupted"
  status=0
  timeout -s INT 1 "$GLIMPSE" price tag --time 100 >out 2>err || status=$?
  [[ $status == 124 || $status == 130 ]] || fail "expected the status of a signal"
  err_has 'warning: interrupted'
  out_has 'Without requests the value is'
fi

# Plots.
if command -v gnuplot >/dev/null; then
  for ending in svg png pdf; do
    run price tiger --expansions 100 --plot "plot.$ending"
    expect_status 0
    [[ -s plot.$ending ]] || fail "no plot"
  done
  grep -q 'What a request is worth: tiger' plot.svg || fail "another title"
  [[ -z $(find . -name '.glimpse-*') ]] || fail "something was left behind"
  run price tiger --expansions 100 --plot missing/plot.svg
  expect_status 1
  err_has 'cannot be written'
fi
mkdir -p nothing
ran="glimpse price without gnuplot"
status=0
PATH=$PWD/nothing "$GLIMPSE" price tiger --plot plot.svg >out 2>err || status=$?
expect_status 1
err_has "error: there is no program 'gnuplot' in PATH"
err_has 'hint: install it'

# Refusals.
run price tiger --plot plot.gif
expect_status 2
err_has 'the ending .svg, .png or .pdf'
run price tiger --json --csv
expect_status 2
err_has "'--json' excludes '--csv'"
run price tiger --points 1
expect_status 2
run price tiger --max-price 0
expect_status 2
run price tiger --negligible -1
expect_status 2
run price tiger --time off
expect_status 2
err_has "'--time off' needs '--expansions' or '--epsilon'"
run price tiger --discount 1
expect_status 1
run price missing.pomdp
expect_status 1
run price
expect_status 2
