# glimpse check: findings with their place, in text and in JSON.
. "$SOURCE/tests/cli/support/checks.sh"

run check tiger
expect_status 0
expect_no_err
expect_out <<'END'
ok: tiger: 2 states, 3 actions, 2 observations, no warnings
END
run check tiger --json
expect_status 0
expect_no_err
expect_out <<'END'
{
  "model": "tiger",
  "valid": true,
  "errors": [],
  "warnings": [],
  "error_count": 0,
  "warning_count": 0
}
END

# What never ends is refused at its first byte that is no text.
if [[ -c /dev/zero ]]; then
  run check /dev/zero
  expect_status 1
  expect_err <<'END'
/dev/zero:1:1: error: expected text, found the byte 0x00
END
fi

# A warning, which --strict makes an error.
cat >odd.pomdp <<'END'
discount: 0.9
values: rewards
states: 1
actions: 1
observations: 1
T: 0 identity
O: 0 uniform
END
run check odd.pomdp
expect_status 0
grep -q '^odd.pomdp:2:9: warning: .*rewards' err || fail "no warning with its place"
(($(wc -l <err) == 1)) || fail "expected one line"
expect_out <<'END'
ok: odd.pomdp: 1 state, 1 action, 1 observation, 1 warning
END
run check odd.pomdp --json
expect_status 0
expect_no_err
expect_json valid true
expect_json errors '[]'
expect_json 'warnings[0].line' 2
expect_json 'warnings[0].column' 9
expect_json 'warnings[0].code' '"BAD_SYNTAX"'
expect_json warning_count 1
run check odd.pomdp --strict
expect_status 1
expect_no_out
grep -q '^odd.pomdp:2:9: error: .*rewards' err || fail "no error with its place"
run check --strict --json odd.pomdp
expect_status 1
expect_no_err
expect_json valid false
expect_json error_count 1
expect_json warning_count 0
expect_json 'errors[0].line' 2

# Several errors in one go.
cat >bad.pomdp <<'END'
discount: 0.9
values: reward
states: a b
actions: go
observations: 1
T: go : a : c 1
O: go uniform
R: go : d : * : * 1
END
run check bad.pomdp
expect_status 1
expect_no_out
grep -q '^bad.pomdp:6:13: error: ' err || fail "no error at 6:13"
grep -q '^bad.pomdp:8:9: error: ' err || fail "no error at 8:9"
run check bad.pomdp --json
expect_status 1
expect_json valid false
(($(json_value error_count) >= 2)) || fail "expected two errors"

# More errors than are kept.
{
  printf 'discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\nT: 0 identity\nO: 0 uniform\n'
  for i in {1..50}; do echo "R: 0 : nowhere$i : * : * 1"; done
} >many.pomdp
run check many.pomdp
expect_status 1
(($(grep -c ': error: ' err) == 20)) || fail "expected 20 errors"
[[ $(tail -1 err) == "... and 30 more errors" ]] || fail "expected the rest to be counted"
run check many.pomdp --json
expect_json error_count 50
(($(grep -c '^errors\[[0-9]*\].text' leaves) == 20)) || fail "expected 20 errors in the object"

# A row that does not sum to 1: its sum is named.
printf 'discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\nT: 0\n0.5 0.25\n0 1\nO: 0 uniform\n' >sum.pomdp
run check sum.pomdp
expect_status 1
err_has "0.75"

# Files that are none.
run check nowhere.pomdp
expect_status 1
expect_no_out
expect_err <<'END'
nowhere.pomdp: error: cannot open: No such file or directory
glimpse: hint: 'nowhere.pomdp' is not a built-in environment either; 'glimpse info' lists them
END
run check ./nowhere.pomdp
expect_status 1
expect_err <<'END'
./nowhere.pomdp: error: cannot open: No such file or directory
END
run check nowhere.pomdp --json
expect_status 1
expect_no_err
expect_json valid false
expect_json 'errors[0].line' null
expect_json 'errors[0].column' null
expect_json 'errors[0].code' '"CANNOT_READ"'
run check .
expect_status 1
expect_no_out
err_has ".: error: "
run check tigre
expect_status 1
err_has "hint: did you mean the built-in environment 'tiger'?"
run check robot-delivry:n=3
expect_status 1
err_has "hint: did you mean the built-in environment 'robot-delivery'?"
: >empty.pomdp
run check empty.pomdp
expect_status 1
expect_no_out
err_has "empty.pomdp:"
head -c 3000 /dev/zero >zeros.pomdp
run check zeros.pomdp
expect_status 1
expect_no_out
err_has "zeros.pomdp:1:1: error: "
printf 'discount: 0.9\nvalues: reward\nstates: 1000000000000\nactions: 2\nobservations: 2\n' >huge.pomdp
run check huge.pomdp
expect_status 1
err_has "huge.pomdp:3:"

# Environments with wrong parameters.
for spec in robot-delivery:n=0 robot-delivery:m=3 robot-delivery:n tag:prey=blue robot-delivery:n=x "tiger:,"; do
  run check "$spec"
  expect_status 1
  expect_no_out
  err_has ": error: "
  run check "$spec" --json
  expect_status 1
  expect_json valid false
  expect_json 'errors[0].code' '"BAD_ARGUMENT"'
done

# A file that bears the name of an environment.
cp odd.pomdp tiger
run check tiger
expect_no_err
out_has "2 states"
run check ./tiger
expect_status 0
out_has "ok: ./tiger: 1 state,"

# Names with any byte: the JSON is still valid, and no control byte reaches the terminal.
name=$'a"b\\c\td\xff\xc3\xa9\e[31m.pomdp'
cp odd.pomdp "$name"
run check "$name" --json
expect_status 0
expect_json model '"a\"b\\c\td\ufffdé\u001b[31m.pomdp"'
# Overlong forms, a surrogate, beyond the last code point, a lone byte, a cut sequence.
bad=$'\xc0\xaf|\xe0\x80\x80|\xf0\x80\x80\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xf5|\x80|\xe2\x82'
cp odd.pomdp "$bad"
run check "$bad" --json
expect_status 0
lost() { printf '\\ufffd%.0s' $(seq "$1"); }
expect_json model "\"$(lost 2)|$(lost 3)|$(lost 4)|$(lost 3)|$(lost 4)|$(lost 1)|$(lost 1)|$(lost 2)\""
good=$'\xe2\x82\xac\xf0\x9f\x98\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf'
cp odd.pomdp "$good"
run check "$good" --json
expect_status 0
expect_json model "\"$good\""
run check "$name" --strict
expect_status 1
! grep -q $'[\t\e]' err || fail "a control byte in a message"
err_has 'a"b\c?d'
