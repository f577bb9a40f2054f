# Wrong command lines: exit status 2, nothing on stdout, an error and a hint.
#
# Covers tool/command.c, tool/message.c, common/nearest.c, tool/options.c.
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
wrong help "there is no command 'watch'; 'glimpse run MODEL --watch' shows episodes as they are played, with '--policy FILE' those of a policy" watch tiger
wrong help "there is no command 'bonds'; did you mean 'bounds'?" help bonds
wrong help "there is no option '--versoin'" --versoin

wrong "bounds --help" "there is no option '--discuont=0.3'; did you mean '--discount'?" bounds tiger --discuont=0.3
wrong "bounds --help" "there is no option '--max-iter'; did you mean '--max-iterations'?" bounds tiger --max-iter 3
wrong "bounds --help" "there is no option '--xyzzy'" bounds tiger --xyzzy
wrong "bounds --help" "there is no option '-x'" bounds tiger -x
wrong "bounds --help" "there is no option '--version'" bounds tiger --version
wrong "bounds --help" "'bounds' has no option '--equivalent', which belongs to: convert" bounds tiger --equivalent
wrong "check --help" "'check' has no option '--cost', which belongs to: info, convert, bounds, solve, verify, plan, explain, policy, price, map, run, view, agent" check --cost 2 tiger
wrong "bounds --help" "'bounds' has no option '--output', which belongs to: convert, solve, policy, view, bench" bounds tiger -o file

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
  wrong "bounds --help" "'$value' is not a value of '--cost'; expected a number, above 0, or off" bounds tiger --cost "$value"
done
for value in -0.1 1.1 "" one nan; do
  wrong "bounds --help" "'$value' is not a value of '--discount'; expected a number, 0 to 1" bounds "--discount=$value" tiger
done
for value in 0 1025 -1 1.5 1e3 "" 99999999999999999999; do
  wrong "bounds --help" "'$value' is not a value of '--threads'; expected a whole number, 1 to 1024" \
    bounds tiger --threads "$value"
done
wrong "bounds --help" "'0' is not a value of '--max-iterations'; expected a whole number, at least 1" \
  bounds tiger --max-iterations 0
wrong "bounds --help" "'0' is not a value of '--tolerance'; expected a number, above 0" bounds tiger --tolerance 0
wrong "bounds --help" "'-2' is not a value of '--max-time'; expected a number, above 0" bounds tiger --max-time -2
wrong "convert --help" "'' is not a value of '--output'; expected a text that is not empty" convert tiger -o ""

wrong "convert --help" "'--json' needs '-o FILE', because both would go to the standard output" convert tiger --json
wrong "convert --help" "'--json' needs '-o FILE', because both would go to the standard output" convert tiger --json -o -
wrong "help --help" "'--list', '--man', '--json', '--markdown' and '--completion' exclude each other" help --list --man
wrong "help --help" "'--json' is about all commands" help --json bounds

# Planning: values out of range, options that exclude each other or would have no effect.
for value in 0 0.5 1e6 -3 "" many; do
  wrong "plan --help" "'$value' is not a value of '--expansions'; expected a whole number, at least 1" \
    plan tiger --expansions "$value"
done
for value in 0 -1 "" soon on; do
  wrong "plan --help" "'$value' is not a value of '--time'; expected a number, above 0, or off" plan tiger --time "$value"
done
for value in 0 1 63K 1.5G 1g 1GB M 64KK -1M "" 99999999999G; do
  wrong "plan --help" "'$value' is not a value of '--max-memory'; expected a whole number, also with K, M or G, at least 64K" \
    plan tiger --max-memory "$value"
done
for value in 64K 65536 1M 1G; do
  run plan tiger --max-memory "$value" --expansions 3
  expect_status 0
done
wrong "run --help" "'best' is not a value of '--graph'; expected one of keep|reset" run tiger --graph best
wrong "run --help" "'' is not a value of '--improve'; expected one of sound|none|paper" run tiger --improve ""
wrong "run --help" "'aem' is not a value of '--rule'; did you mean 'aems'? It is one of aems|bi-pomdp|satia-lave" run tiger --rule aem
wrong "run --help" "'0' is not a value of '--episodes'; expected a whole number, 1 to 10000000" run tiger --episodes 0
wrong "plan --help" "'plan' has no option '--jobs', which belongs to: solve, run" plan tiger --jobs 2
wrong "run --help" "'run' has no option '--belief', which belongs to: plan, explain" run tiger --belief 0

wrong "plan --help" "'fib_sr' is not a value of '--upper'; did you mean 'fib-sr'? It is one of fib-sr|fib|qmdp" \
  plan tiger --upper fib_sr

for option in "--rule aems" "--improve none" --paper --plain "--upper qmdp" --keep-corners "--epsilon 1" --decided; do
  wrong "run --help" "the planner pomcp does not take '${option%% *}'" run tiger --planner pomcp $option
done
for option in "--rollout upper" "--particles 3" "--exploration 3"; do
  wrong "explain --help" "the planner aems-loop does not take '${option%% *}'" explain tiger --planner aems-loop $option
done
for planner in never-ask always-ask ask-every ask-entropy act-then-measure spi; do
  for option in "--rule aems" "--improve none" --paper --plain --keep-corners "--epsilon 1" --decided "--graph reset" \
    "--rollout upper" "--particles 3" "--exploration 3"; do
    wrong "run --help" "the planner $planner does not take '${option%% *}'" run tiger --planner "$planner" $option
  done
done
for planner in aems-loop aems-sr pomcp never-ask always-ask ask-entropy; do
  wrong "plan --help" "the planner $planner does not take '--every'" plan tiger --planner "$planner" --every 2
done
for planner in aems-loop aems-sr pomcp never-ask always-ask ask-every; do
  wrong "plan --help" "the planner $planner does not take '--entropy'" plan tiger --planner "$planner" --entropy 2
done
for planner in aems-loop act-then-measure spi; do
  wrong "plan --help" "the planner $planner does not take '--act'" plan tiger --planner "$planner" --act lower
done
wrong "plan --help" "'upper' is not a value of '--act'; expected one of qmdp|lower" plan tiger --planner never-ask --act upper
for value in 0 -1 1.5 x ""; do
  wrong "plan --help" "'$value' is not a value of '--every'; expected a whole number, 1 to 1000000000" \
    plan tiger --planner ask-every --every "$value"
done
for value in -0.1 25 x nan inf ""; do
  wrong "plan --help" "'$value' is not a value of '--entropy'; expected a number, 0 to 24" \
    plan tiger --planner ask-entropy --entropy "$value"
done
for planner in always-ask ask-every ask-entropy act-then-measure; do
  for command in plan explain run; do
    wrong "$command --help" "the planner $planner needs an agent that may ask; '--cost NUMBER' allows it" \
      $command tiger --planner "$planner" --cost off
  done
done
wrong "run --help" "'--paper' resets the graph after each step: it excludes '--graph keep'" run tiger --paper --graph keep
wrong "run --help" "'--plain' resets the graph after each step: it excludes '--graph keep'" run tiger --plain --graph keep
wrong "run --help" "'--paper' excludes '--improve sound', which is not in the paper" run tiger --paper --improve sound
wrong "run --help" "'--improve paper' needs '--paper' or '--graph reset': it overwrites bounds that a kept graph relies on" \
  run tiger --improve paper
wrong "plan --help" "'--improve paper' needs '--paper': it overwrites bounds that a kept graph relies on" \
  plan tiger --improve paper
for options in --paper "--graph reset --improve none"; do
  wrong "run --help" "'--keep-corners' has nothing to keep when the graph is reset and the bounds are not improved" \
    run tiger --keep-corners $options
done
wrong "run --help" "'--keep-corners' excludes several '--jobs': what a planner has learnt would depend on chance" \
  run tiger --keep-corners --jobs 2
wrong "plan --help" "'--upper fib' is not an upper bound where the agent may ask; 'fib-sr' is, or '--cost off' forbids asking" \
  plan tiger --upper fib
wrong "plan --help" "'--upper fib-sr' is about asking, which the agent may not; 'fib' fits, or '--cost NUMBER' allows asking" \
  plan tiger --cost off --upper fib-sr
wrong "run --help" "'--ask-when-lost' needs an agent that may ask; '--cost NUMBER' allows it" \
  run tiger --cost off --ask-when-lost
wrong "run --help" "'--trace' needs a FILE of its own; the standard output has the summary" run tiger --trace -
wrong "run --help" "'--show' excludes '--json', because both go to the standard output" run tiger --show --json
wrong "run --help" "'--show' excludes several '--jobs': steps would mix" run tiger --show --jobs 2
wrong "run --help" "'--delay' needs '--show' or '--watch'" run tiger --delay 1

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

# Old spellings are understood, with a hint.
run bounds tiger --max-seconds 5 --json
expect_status 0
expect_err <<<"glimpse: hint: '--max-seconds' is now '--max-time'"
run plan tiger --planner pomcp --rollout=qmdp --expansions 10 --json
expect_status 0
expect_err <<<"glimpse: hint: '--rollout qmdp' is now '--rollout upper'"
expect_json settings '"pomcp, rollout upper, 10 simulations per decision, seed 1"'
wrong "plan --help" "'0' is not a value of '--seed'; expected a whole number, at least 1" plan tiger --seed 0
