# Wrong command lines: exit status 2, nothing on stdout, an error and a hint.
. "$SOURCE/tests/cli/support/checks.sh"

wrong() { # wrong COMMAND-OF-THE-HINT MESSAGE ARGUMENT ...
  local hint=$1 message=$2
  shift 2
  run "$@"
  expect_status 2
  expect_no_out
  printf 'glimpse: error: %s\nglimpse: hint: try '\''glimpse %s'\''\n' "$message" "$hint" >want
  cmp -s want err || fail "expected on stderr: $(cat want)"
}

wrong help "a command is missing"
wrong help "a command is missing" --json
wrong help "there is no command 'bound'; did you mean 'bounds'?" bound tiger
wrong help "there is no command 'chekc'; did you mean 'check'?" chekc tiger
wrong help "there is no command 'frobnicate'" frobnicate
wrong help "there is no command ''" ""
wrong help "there is no command 'bonds'; did you mean 'bounds'?" help bonds
wrong help "there is no option '--versoin'" --versoin

wrong "bounds --help" "there is no option '--discuont=0.3'; did you mean '--discount'?" bounds tiger --discuont=0.3
wrong "bounds --help" "there is no option '--max-iter'; did you mean '--max-iterations'?" bounds tiger --max-iter 3
wrong "bounds --help" "there is no option '--xyzzy'" bounds tiger --xyzzy
wrong "bounds --help" "there is no option '-x'" bounds tiger -x
wrong "bounds --help" "there is no option '--version'" bounds tiger --version
wrong "bounds --help" "'bounds' has no option '--equivalent', which belongs to: convert" bounds tiger --equivalent
wrong "check --help" "'check' has no option '--cost', which belongs to: info, convert, bounds, plan, explain, run" check --cost 2 tiger
wrong "bounds --help" "'bounds' has no option '--output', which belongs to: convert" bounds tiger -o file

wrong "bounds --help" "'bounds' needs MODEL" bounds
wrong "bounds --help" "'bounds' needs MODEL" bounds --json
wrong "check --help" "'check' needs MODEL" check --
wrong "bounds --help" "'tag' is one argument too many for 'bounds'" bounds tiger tag
wrong "bounds --help" "'--json' is one argument too many for 'bounds'" bounds -- tiger --json
wrong "info --help" "'--draw' needs a MODEL" info --draw
wrong "info --help" "'--cost' needs a MODEL" info --cost 1

wrong "bounds --help" "'--cost' needs a value: --cost NUMBER|off" bounds tiger --cost
wrong "bounds --help" "'--json' takes no value, found '--json=yes'" bounds tiger --json=yes
wrong "bounds --help" "'--help' takes no value, found '-hx'" bounds -hx
for value in 0 -1 on "" 1x inf nan 1e999 0x10 " 1" "--json"; do
  wrong "bounds --help" "'$value' is no value of '--cost'; expected a number, above 0, or off" bounds tiger --cost "$value"
done
for value in -0.1 1.1 "" one nan; do
  wrong "bounds --help" "'$value' is no value of '--discount'; expected a number, 0 to 1" bounds "--discount=$value" tiger
done
for value in 0 1025 -1 1.5 1e3 "" 99999999999999999999; do
  wrong "bounds --help" "'$value' is no value of '--threads'; expected a whole number, 1 to 1024" \
    bounds tiger --threads "$value"
done
wrong "bounds --help" "'0' is no value of '--max-iterations'; expected a whole number, at least 1" \
  bounds tiger --max-iterations 0
wrong "bounds --help" "'0' is no value of '--tolerance'; expected a number, above 0" bounds tiger --tolerance 0
wrong "bounds --help" "'-2' is no value of '--max-seconds'; expected a number, above 0" bounds tiger --max-seconds -2
wrong "convert --help" "'' is no value of '--output'; expected a text that is not empty" convert tiger -o ""

wrong "convert --help" "'--json' needs '-o FILE', for both would go to the standard output" convert tiger --json
wrong "convert --help" "'--json' needs '-o FILE', for both would go to the standard output" convert tiger --json -o -
wrong "help --help" "'--list', '--man' and '--json' exclude each other" help --list --man
wrong "help --help" "'--json' is about all commands" help --json bounds

# Where options may stand, and how they may be written.
run check tiger
expect_status 0
cp out plain
for line in "check -- tiger" "-- check tiger" "--strict check tiger" "check --strict tiger" "check tiger --strict"; do
  run $line
  expect_status 0
  cmp -s plain out || fail "expected the same as from: glimpse check tiger"
done
run convert tiger --cost 3 --discount=0.5
expect_status 0
cp out plain
for line in "--cost 3 convert --discount 0.5 tiger" "--cost=3 --discount=.5 convert tiger" \
  "convert --cost 7 --cost 3 --discount 5e-1 tiger" "convert tiger --cost=3 --discount 0.5 -o -" \
  "convert tiger --cost=3 --discount 0.5 -o-"; do
  run $line
  expect_status 0
  cmp -s plain out || fail "expected the same as from: glimpse convert tiger --cost 3 --discount=0.5"
done

run --version
expect_status 0
expect_no_err
expect_out <<END
glimpse $(sed -n 's/^#define GLIMPSE_VERSION "\(.*\)"/\1/p' "$SOURCE/include/glimpse.h")
END
