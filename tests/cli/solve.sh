# glimpse solve: known values within the certified bounds, the lines of progress, files, budgets and refusals.
. "$SOURCE/tests/cli/support/checks.sh"

# The last line of --json is the result.
solve() { # solve ARGUMENTS ...: like run, and only the last line is left
  run solve "$@" --json
  expect_status 0
  grep -c '"phase"' out >lines
  tail -n 1 out >last && mv last out
  expect_json phase '"done"'
}
within() { # within VALUE: the bounds contain it, and are within 1 % of it
  awk -v low="$(json_value lower)" -v high="$(json_value upper)" -v value="$1" 'BEGIN {
    size = value < 0 ? -value : value
    exit !(low <= value + 1e-6 && value - 1e-6 <= high && high - low <= 0.0101 * size) }' ||
    fail "expected bounds around $1, found $(json_value lower) and $(json_value upper)"
}

solve tiger
within 180
expect_json stop '"epsilon"'
expect_near requests 20 1e-6
solve tiger --cost off -o tiger.policy
within 19.371368
expect_json file '"tiger.policy"'
expect_near requests 0 1e-9
[[ -s tiger.policy ]] || fail "no policy was written"
solve robot-delivery:n=3 --relative 0.001
within 2.503591
(($(cat lines) >= 2)) || fail "no progress was told"
solve robot-delivery:n=3 --epsilon 0.5
expect_json stop '"epsilon"'

# The table, and the file on the standard output instead of it.
run solve tiger
expect_status 0
out_has 'value     between 180.000000 and 18'
out_has 'policy    3 nodes, 6 edges, depth 1; it asks 20 times, discounted'
out_has "file      none; '-o FILE' writes the policy"
expect_no_err
run solve tiger --cost off -o -
expect_status 0
expect_no_err
cmp -s out tiger.policy || fail "the file on the standard output differs"

# Budgets end it with a policy.
solve robot-delivery:n=3 --expansions 5
expect_json stop '"expansions"'
expect_json expansions 5
solve robot-delivery:n=3 --time 0.000001
expect_json stop '"time"'

# The same bytes again, whatever the number of threads.
solve robot-delivery:n=3 --relative 0.05 -o one.policy
solve robot-delivery:n=3 --relative 0.05 -o two.policy --jobs 2
cmp one.policy two.policy || fail "two threads find another policy"

# Refusals: nothing is written.
run solve tiger --discount 1 -o none.policy
expect_status 1
err_has 'discount'
run solve tiger -o missing/none.policy
expect_status 1
err_has 'missing/none.policy'
run solve tiger --json -o -
expect_status 2
err_has 'standard output'
run solve tiger --relative 2
expect_status 2
run solve
expect_status 2
run solve no-such-model
expect_status 1
[[ ! -e none.policy ]] || fail "a policy was written in vain"

# Memory is a limit like the others, and says so.
run solve tag --max-memory 1M
expect_status 0
out_has 'stop      memory'
err_has "the memory limit is what ended it; '--max-memory SIZE' allows more"
# Also where the search came near enough and the certificate did not.
run solve robot-delivery:n=7 --relative 1e-6 --max-memory 10M
out_has 'stop      memory'
err_has "the memory limit is what ended it"
# Without a budget the search does not fill its memory for ever.
run solve tag --cost 5 --max-memory 16M
out_has 'stop      memory'
err_has "the memory limit is what ended it"
# 0 means never for this reason, not the default of 1 %.
for never in "--epsilon 0" "--relative 0"; do
  # shellcheck disable=SC2086
  run solve tiger --cost off $never --expansions 300
  expect_status 0
  ! grep -q '^stop      epsilon' out || fail 'it ended for the reason that was excluded'
done
