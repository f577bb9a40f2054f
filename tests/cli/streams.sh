# Where output goes, and what happens when it cannot go there.
. "$SOURCE/tests/cli/support/checks.sh"

lines=("info" "info tiger" "info --json" "check tiger" "check tiger --json" "convert tiger" "bounds tiger"
  "bounds tiger --json" "help" "help bounds" "help --man" "help --list" "help --json" "--version" "bounds --help"
  "convert tiger -o file.pomdp --json" "plan tiger --expansions 3" "plan tiger --expansions 3 --json"
  "explain tiger --expansions 3" "run tiger --expansions 3 --max-steps 3 --show"
  "run tiger --expansions 3 --max-steps 3 --json")

# A full disk: exit status 1 and one line that says so.
if [[ -c /dev/full ]]; then
  for line in "${lines[@]}" "convert tag"; do
    ran="glimpse $line >/dev/full"
    status=0
    "$GLIMPSE" $line >/dev/full 2>err || status=$?
    expect_status 1
    expect_err <<'END'
glimpse: error: the standard output cannot be written: No space left on device
END
  done
fi

# A closed standard output ...
for line in "${lines[@]}"; do
  ran="glimpse $line >&-"
  status=0
  "$GLIMPSE" $line >&- 2>err || status=$?
  expect_status 1
  err_has "the standard output cannot be written"
done
# ... does not matter to a command that writes nothing there, and no other file takes its place.
ran="glimpse convert tiger -o file.pomdp <&- >&-"
status=0
"$GLIMPSE" convert tiger -o file.pomdp <&- >&- 2>err || status=$?
expect_status 0
expect_no_err
run convert tiger
cmp -s file.pomdp out || fail "a closed stream changed the file"
ran="glimpse check - <&-"
status=0
"$GLIMPSE" check - <&- >out 2>err || status=$?
expect_status 1
expect_no_out
err_has "error: cannot read"

# A closed pipe: exit status 1 and not a word.  The reader is gone before the program starts.
for line in "${lines[@]}" "convert tag"; do
  ran="glimpse $line | true"
  exec 7> >(true)
  wait $! || true # a shell that has already seen it end may say that it does not know it
  status=0
  "$GLIMPSE" $line >&7 2>err || status=$?
  exec 7>&-
  expect_status 1
  expect_no_err
done

# A pipe as the file: it waits for its reader, and the first request to end it ends the waiting.
mkfifo pipe
for line in "run tiger --expansions 3 --max-steps 3 --trace pipe" "run tiger --expansions 3 --max-steps 3 --record pipe" \
  "plan tiger --expansions 3 --dot pipe"; do
  ran="glimpse $line, which nobody reads"
  "$GLIMPSE" $line >out 2>err &
  waiting=$!
  sleep 1 # a signal before the pipe is reached ends it, too
  kill -TERM $waiting
  for ((i = 0; i < 600; i++)); do
    kill -0 $waiting 2>/dev/null || break
    sleep 0.05
  done
  ((i < 600)) || { kill -KILL $waiting && fail "it goes on waiting"; }
  status=0
  wait $waiting || status=$?
  expect_status 143
  ran="glimpse $line, which is read later"
  {
    sleep 0.1
    cat pipe
  } >taken &
  reader=$!
  status=0
  "$GLIMPSE" $line >out 2>err || status=$?
  expect_status 0
  wait $reader
  [[ -s taken ]] || fail "nothing was written to the pipe"
done

# Messages never mix with data.
cat >odd.pomdp <<'END'
discount: 0.9
values: rewards
states: 1
actions: 1
observations: 1
T: 0 identity
O: 0 uniform
END
for command in info convert bounds; do
  run "$command" odd.pomdp
  expect_status 0
  err_has "odd.pomdp:2:9: warning:"
  (($(wc -l <err) == 1)) || fail "expected one line on stderr"
  [[ -s out ]] || fail "no data"
  ! grep -q warning out || fail "a message among the data"
done

# Colour and progress on a terminal, unless it is dumb or NO_COLOR says no; never in a file.
TERM=xterm run check nowhere
! grep -q $'\e' err || fail "colour in a file"
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
  on_terminal() { # on_terminal VARIABLE=VALUE ... -- ARGUMENT ...
    local settings=()
    while [[ $1 != -- ]]; do settings+=("$1"); shift; done
    shift
    ran="${settings[*]} glimpse $*, on a terminal"
    env "${settings[@]}" script -qec "$(printf '%q ' "$GLIMPSE" "$@")" /dev/null >out 2>err </dev/null || true
    [[ -s out ]] || fail "nothing shown"
  }
  on_terminal TERM=xterm -- check nowhere
  grep -q $'\e\\[1;31merror:' out || fail "no colour on a terminal"
  on_terminal TERM=xterm NO_COLOR=1 -- check nowhere
  ! grep -q $'\e\\[[0-9;]*m' out || fail "colour in spite of NO_COLOR"
  on_terminal TERM=dumb -- check nowhere
  ! grep -q $'\e' out || fail "colour on a dumb terminal"
  on_terminal TERM=xterm -- bounds tag
  out_has "computing the bound fib-sr"
  on_terminal TERM=xterm -- run tiger --planner pomcp --episodes 2 --max-steps 4 --time 0.1
  out_has "episode 1/2, step"
  out_has "left"
  # Returns of any size are shown in a few characters.
  printf 'discount: 0.5\nvalues: reward\nstates: a b\nactions: 1\nobservations: 1\nT: * : * : a 0.5\nT: * : * : b 0.5\nO: * : * : * 1\nR: * : a : * : * 1e200\n' >large.pomdp
  on_terminal TERM=xterm -- run large.pomdp --planner pomcp --episodes 8 --max-steps 4 --time 0.05
  grep -Eq 'mean [0-9.]+e\+[12][0-9]+ \+- [0-9.]+e\+[12][0-9]+, ' out || fail "no mean of large returns"
  on_terminal TERM=xterm -- run tiger --planner pomcp --episodes 1 --max-steps 3 --time 0.1 --show --delay 0
  ! grep -q "episode 0/1" out || fail "progress between the steps"
  on_terminal TERM=dumb -- bounds tag
  ! grep -q "computing" out || fail "progress on a dumb terminal"
fi

# Numbers are the same in a locale with decimal commas, if one is there or can be made.
comma=$(locale -a 2>/dev/null | grep -Ei '^(de|fr|es|it|nl|ru)_.*utf-?8$' | head -1 || true)
if [[ -z $comma ]]; then
  comma=de_DE.UTF-8
  if localedef -i de_DE -f UTF-8 "./$comma" >/dev/null 2>&1; then export LOCPATH=$PWD; fi
fi
for line in "convert robot-delivery:n=3,f=0.25 --cost 0.5" "info tag" "bounds tiger --tolerance 0.5 --max-time 9.5" \
  "bounds tiger --discount 0.75 --cost 1.5" "plan tiger --cost 0.5 --expansions 4 --epsilon 0.25 --belief 0=0.5,1=0.5 --json"; do
  run $line
  expect_status 0
  sed -E 's/ +[0-9]\.[0-9]{3}  / S  /; /"seconds"/d' out >wanted
  ran="LC_ALL=$comma glimpse $line"
  status=0
  env LC_ALL="$comma" "$GLIMPSE" $line >out 2>err || status=$?
  expect_status 0
  sed -E 's/ +[0-9]\.[0-9]{3}  / S  /; /"seconds"/d' out | cmp -s wanted - || fail "the locale changes the output"
done
