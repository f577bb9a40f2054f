# glimpse bounds: known values, the exact keys of the object, and refusals.
#
# Covers common/json.c, tool/json.c, tool/table.c.
. "$SOURCE/tests/cli/support/checks.sh"

# Tiger.  Blind: listen for ever, -1 / 0.05.  Always ask: (10 - c) / 0.05.
# Upper bounds lie between the optimal value, which is that of always asking for
# small c, and 10 / 0.05, the value of an agent who always knows.
between() { # between LOW PATH HIGH
  awk -v low="$1" -v x="$(json_value "$2")" -v high="$3" \
    'BEGIN { exit !(x ~ /^-?[0-9]/ && low - 1e-6 <= x + 0 && x + 0 <= high + 1e-6) }' ||
    fail "expected $2 between $1 and $3"
}
run bounds tiger --json
expect_status 0
expect_no_err
expect_json model '"tiger"'
expect_json states 2
expect_json actions 3
expect_json observations 2
expect_json discount 0.95
expect_json cost 1
expect_near blind -20 1e-6
expect_near always-ask 180 1e-6
expect_json fib null
between 180 fib-sr "$(json_value qmdp)"
between 180 qmdp 200
between 180 tib-sr "$(json_value fib-sr)"
expect_near sequence 180 1e-6
expect_json tib null
expect_json converged true
expect_json seconds.fib null
keys=$(json_keys | tr '\n' ' ')
run bounds tiger
kinds=$(awk '/^$/ { rows = !rows; next } rows && $1 != "bound" { print $1 }' out | tr '\n' ' ')
[[ $kinds == "blind always-ask qmdp fib fib-sr tib tib-sr sequence "* ]] || fail "other kinds: $kinds"
[[ $keys == "model states actions observations discount cost ${kinds}converged $(sed 's/[^ ]* /seconds.&/g' <<<"$kinds")" ]] ||
  fail "other keys: $keys"

run bounds tiger --cost 5 --json
expect_json cost 5
expect_near always-ask 100 1e-6
between 100 fib-sr "$(json_value qmdp)"
between 100 qmdp 200

# Requests off: FIB applies, the two others do not.  The optimal value is 19.371.
run bounds tiger --cost off --json
expect_status 0
expect_json cost null
expect_json always-ask null
expect_json fib-sr null
expect_json seconds.always-ask null
# QMDP: listen once, then 10 / 0.05 with the state known: -1 + 0.95 * 200.
expect_near qmdp 189 1e-6
between 19.371 fib 189
expect_near tib 49.605609 1e-5 # Krale et al., 2025
expect_json tib-sr null
between -20 sequence 19.372

run bounds tiger --discount 0.5 --json
expect_json discount 0.5
expect_near blind -2 1e-6
expect_near always-ask 18 1e-6
between 18 qmdp 20

# Going right for ever leaves at once: (0.99 * 0.9 / (1 - 0.99 * 0.1))^(n - 1).
for n in 3 5 7; do
  run bounds "robot-delivery:n=$n" --json
  expect_status 0
  expect_near blind "$(awk -v n="$n" 'BEGIN { y = 1; while (--n) y *= 0.891 / 0.901; print y }')" 1e-5
  between "$(json_value blind)" fib-sr "$(json_value qmdp)"
done

# A cost that depends on the state is an array.  Always ask: half of (1 - 1) / 0.5,
# and half of 0: state 1 is terminal, and when the episode is over nobody is asked.
cat >costs.pomdp <<'END'
discount: 0.5
values: reward
states: 2
actions: 1
observations: 1
# glimpse: cost 0 1
# glimpse: cost 1 2.5
T: 0 identity
O: 0 uniform
R: 0 : 0 : * : * 1
END
run bounds costs.pomdp --json
expect_status 0
expect_no_err
expect_json 'cost[0]' 1
expect_json 'cost[1]' 2.5
expect_near blind 1 1e-6
expect_near always-ask 0 1e-6
run bounds costs.pomdp
out_has "request cost 1 to 2.5, depending on the state"
run bounds costs.pomdp --cost 3 --json
expect_json cost 3

# The table, but for what is no exact number.
run bounds tiger
expect_status 0
expect_no_err
sed -E 's/(qmdp|fib-sr|tib-sr)(  +upper +)[0-9.]+/\1\2V/; s/ +[0-9]+  +[0-9]+\.[0-9]{3}  /  N  S  /; s/and [0-9.]+\.$/and V./; s/ +- +- +-  /  -  -  -  /; s/ +iterations +seconds/  N  S/' out | sed '/^sequence/,/^$/{/^sequence\|^$/!d}' >some
mv some out
expect_out <<'END'
tiger: 2 states, 3 actions, 2 observations, discount 0.95, request cost 1

bound       side        value  N  S  meaning
blind       lower  -20.000000  N  S  always the same action, never ask
always-ask  lower  180.000000  N  S  ask before every action
qmdp        upper  V  N  S  the state is known for free after one step
fib         upper  -  -  -  fast informed bound; valid without requests only
fib-sr      upper  V  N  S  fast informed bound with state requests
tib         upper  -  -  -  tighter informed bound; valid without requests only
tib-sr      upper  V  N  S  tighter informed bound with state requests
sequence    lower  180.000000  N  S  a string of actions, then ask or stay blind

The optimal value at the start belief lies between 180.000000 and V.
END

# Huge values and zeros are readable.
run bounds tiger --discount 0.999999999999
expect_status 0
out_has "e+12"
run bounds lemma2
expect_status 0
! grep -qF -e "-0.000000" out || fail "a minus before a zero"

# Stopped early: said, never hidden, and still on the right side.
run bounds tag --json
exact=$(json_value fib-sr)
run bounds tag --max-iterations 2 --json
expect_status 0
expect_json converged false
err_has "warning: fib-sr was stopped before it converged"
awk -v a="$(json_value fib-sr)" -v b="$exact" 'BEGIN { exit !(a >= b) }' || fail "an upper bound lies too low"
run bounds tag --max-iterations 2
expect_status 0
out_has "2, stopped"
err_has "warning: tib-sr was stopped before it converged"
run bounds tag --max-time 1e-9
err_has "warning: tib-sr would take too much memory or work for this model, so it is no better than the bound that it starts from"
run bounds tag --max-time 1e-9 --json
expect_status 0
expect_json converged false
run bounds tag --tolerance 1000 --json
expect_status 0
expect_no_err
expect_json converged true
awk -v a="$(json_value fib-sr)" -v b="$exact" 'BEGIN { exit !(a > b + 0.1) }' || fail "the tolerance has no effect"

# The same bits with any number of threads.
run bounds robot-delivery:n=7 --threads 1 --json
sed '/"seconds"/,$d' out >single
for threads in 2 3 8; do
  run bounds robot-delivery:n=7 --threads "$threads" --json
  expect_status 0
  sed '/"seconds"/,$d' out | cmp -s single - || fail "another result with $threads threads"
done

# Discount 1 is refused, with the reason and the way out.
for arguments in "--discount 1" "--discount 1 --json"; do
  run bounds tiger $arguments
  expect_status 1
  expect_no_out
  err_has "tiger: error: the discount is 1"
  err_has "hint: '--discount NUMBER' replaces the discount of the model"
done
printf 'discount: 1\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\nT: 0 identity\nO: 0 uniform\n' >one.pomdp
run bounds one.pomdp
expect_status 1
run bounds one.pomdp --discount 0.9
expect_status 0

run bounds nowhere.pomdp --json
expect_status 1
expect_no_out
