# glimpse verify: certificates that are true, and ones that are not.
. "$SOURCE/tests/cli/support/checks.sh"

"$GLIMPSE" solve tiger -o tiger.policy >/dev/null
run verify tiger tiger.policy
expect_status 0
expect_no_err
[[ $(tail -n 1 out) == proved ]] || fail "not proved"
for word in claimed lower upper gap requests; do
  grep -q "^$word " out || fail "no line '$word'"
done
grep -q '^upper     180\.00000000[0-9]: none of 6 numbers' out || fail "another upper bound"

run verify tiger tiger.policy --json
expect_status 0
expect_no_err
grep -q '"proved": true' out || fail "not proved"
for key in model policy lower upper gap value requests claimed_lower claimed_upper residual excess pairs numbers \
  start_of_model; do
  grep -q "\"$key\": " out || fail "no key '$key'"
done

# Both from one pipe.
"$GLIMPSE" solve tiger --cost off -o - | "$GLIMPSE" verify tiger - --cost off >out || fail "a pipe"
grep -q '^proved' out || fail "not proved"

# Of another model.
run verify tiger tiger.policy --cost 2
expect_status 1
grep -q '^tiger.policy: error: .*another model' err || fail "it does not say that the model is another"
grep -q '^glimpse: hint: .*--cost' err || fail "no hint"
[[ ! -s out ]] || fail "something was proved"
run verify toy tiger.policy
expect_status 1

# A digit changed: the checksum is wrong.
sed 's/180/181/' tiger.policy >changed.policy
if cmp -s tiger.policy changed.policy; then sed 's/179/178/' tiger.policy >changed.policy; fi
! cmp -s tiger.policy changed.policy || fail "nothing was changed"
run verify tiger changed.policy
expect_status 1
[[ ! -s out ]] || fail "something was proved"

# What is missing, no policy, or too much.
run verify tiger nothing.policy
expect_status 1
grep -q 'nothing.policy' err || fail "it does not name the file"
"$GLIMPSE" convert tiger -o model.pomdp
run verify tiger model.pomdp
expect_status 1
run verify tiger
expect_status 2
run verify - -
expect_status 2
grep -q 'standard input' err || fail "it does not say why"
