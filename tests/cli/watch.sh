# glimpse run --watch in a real terminal (tmux): keys, sizes, signals, and the terminal as it was.
#
# Covers tool/live.c, tool/terminal.c.
. "$SOURCE/tests/cli/support/checks.sh"

if ! command -v tmux >/dev/null; then
  echo "skipped: tmux is not installed; scripts/setup.sh test installs it"
  exit 77
fi

if ! has_terminals; then
  echo "skipped: this machine has no pseudo-terminals (is /dev/pts mounted?)"
  exit 77
fi

# The socket of tmux must have a short name.
terminal=$(mktemp -d "${TMPDIR:-/tmp}/glimpse-watch-XXXXXX")
server=0
tm() { env -u TMUX tmux -u -S "$terminal/$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null || true; rm -rf "$terminal"' EXIT

screen() { tm capture-pane -p "$@" -t pane >screen; }
look() { # for fail, which shows stdout
  screen
  cp screen out
}
# see TEXT: waits until it is on the screen; a slow machine or valgrind may need long.
see() {
  local i
  for ((i = 0; i < 600; i++)); do
    screen
    if grep -qF -e "$1" screen; then return; fi
    sleep 0.05
  done
  look
  fail "expected on the screen: $1"
}
gone() { # waits until it is no longer there
  local i
  for ((i = 0; i < 600; i++)); do
    screen
    if ! grep -qF -e "$1" screen; then return; fi
    sleep 0.05
  done
  look
  fail "still on the screen: $1"
}
see_not() {
  look
  ! grep -qF -e "$1" screen || fail "did not expect on the screen: $1"
}
press() { tm send-keys -t pane "$@"; }
mode() { tm display-message -p -t pane "#{alternate_on} #{cursor_flag} #{wrap_flag}"; }
expect_mode() {
  local i
  for ((i = 0; i < 600; i++)); do
    if [[ $(mode) == "$1" ]]; then return; fi
    sleep 0.05
  done
  look
  fail "expected the terminal in mode $1 (other screen, cursor, wrap), found $(mode)"
}
# type LINE: a command for the shell in the terminal; each has an answer of its own.
number=0
type_line() {
  ran=$1
  tm send-keys -t pane -l "$1"
  tm send-keys -t pane Enter
}
# Is the shell back, with exit status $1, the modes of the terminal unchanged?
back() {
  local i
  expect_mode "0 1 1"
  for ((i = 0; i < 600; i++)); do # what is typed before it has gone could be lost
    if ! kill -0 "$(cat pid)" 2>/dev/null; then break; fi
    sleep 0.05
  done
  number=$((number + 1))
  type_line "echo back-$number-\$?; stty -a | sed 's/rows [0-9]*; columns [0-9]*;//' >after; echo do\ne-$number"
  see "done-$number"
  screen
  grep -q "^back-$number-$1\$" screen || { look; fail "expected exit status $1"; }
  cmp -s before after || fail "other modes of the terminal: $(diff before after)"
}
open_terminal() { # open_terminal COLUMNS ROWS [NAME=VALUE ...]
  local columns=$1 rows=$2
  shift 2
  tm kill-server 2>/dev/null || true
  server=$((server + 1)) # the old one may not be gone yet
  tm new-session -d -s pane -x "$columns" -y "$rows" \
    env -u NO_COLOR -u COLORTERM -u LC_ALL -u LC_CTYPE LANG=C.UTF-8 TERM=screen-256color PS1='$ ' "$@" bash --norc --noprofile
  type_line 'stty -a | sed "s/rows [0-9]*; columns [0-9]*;//" >before; echo re\ady'
  see ready
  type_line clear
}
start() { # start ARGUMENT ...: the program, its process in the file pid
  rm -f pid
  type_line "sh -c 'echo \$\$ >pid; exec \"\$0\" \"\$@\"' '$GLIMPSE' $*"
}

run_line="run robot-delivery:n=3 --expansions 300 --seed 8"
open_terminal 80 24

# What is shown, and the keys.
start $run_line --episodes 2 --watch --paused --delay 0.4 --record live.jsonl
see "episode 1 of 2, step 1 "
expect_mode "1 0 0"
for text in " glimpse  robot-delivery:n=3  aems-loop, 300 expansions per decision, seed 8" "the world" "R robot?" "P package?" \
  "##### D #####" " decides " "worth " "lower     upper" " rewards   ·" " doubt " " paused  q quit  ? help"; do see "$text"; done
for step in 1 2 3 4; do
  see "step $step "
  see " paused"
  screen -e
  cp screen "live-$step"
  press n
done
see "step 5 "
press b
see "step 4 "
press Left
see "step 3 "
screen -e
cmp -s screen live-3 || fail "going back shows another frame: $(diff screen live-3)"
press Right
press Right
press Right
see "step 6 "
press '?'
see "to the end of the episode"
press '?'
gone "to the end of the episode"
press Space
see "playing (0.4 s)"
press +
see "playing (0.2 s)"
press Down
press -
see "playing (0.8 s)"
see "step 8 "
press Space
see " paused"
press x Escape F5
see " paused"

# Other sizes: the frame fills them, small ones as well.
for size in "60 18" "100 30" "40 10" "12 4" "3 2" "80 24"; do
  tm resize-window -t pane -x "${size% *}" -y "${size#* }"
  for ((i = 0; i < 600; i++)); do
    screen
    if [[ $(sed -n "${size#* }p" screen) == " p"* && $(sed -n 1p screen) == " g"* ]]; then break; fi
    sleep 0.05
  done
  ((i < 600)) || { look; fail "the frame does not fill a terminal of $size"; }
  if ((${size% *} >= 40)); then grep -q "^ decides  *[a-z]" screen || { look; fail "no decision in a terminal of $size"; }; fi
done

# To the end of the episode, and of the run; then back, and out.
press e
see "the episode ends"
see " paused"
press e
see "episode 2 of 2"
see "the episode ends"
press n
see " the end  q quit"
press b
see " paused"
press q
see "2 episodes."
see_not "quit:"
back 0
[[ $(tail -1 live.jsonl) == *'"complete": true'* ]] || fail "the record is not complete"

# The record shows the same frames.
start replay live.jsonl --paused
for step in 1 2 3 4; do
  see "step $step "
  screen -e
  cmp -s "live-$step" screen || fail "the replay differs in step $step: $(diff screen "live-$step")"
  press n
done
press q
back 0
start replay live.jsonl --delay 0
see " the end"
see "episode 2 of 2"
press q
back 0

# Leaving early.
start $run_line --watch --paused
see "step 1 "
press q
see "quit: 0 of 20 episodes were finished"
back 0
start $run_line --watch --delay 0.2
see "step 3 "
press C-c
see "interrupted: 0 of 20 episodes were finished"
back 130
for signal in "TERM 143" "HUP 129" "QUIT 131"; do
  start $run_line --watch --paused --record "killed.jsonl"
  see "step 1 "
  kill "-${signal% *}" "$(cat pid)"
  back "${signal#* }"
  [[ $(tail -1 killed.jsonl) == *'"complete": false'* ]] || fail "the record has no end"
done
start replay live.jsonl --paused
see "step 1 "
kill -TERM "$(cat pid)"
back 143
# A crash gives the terminal back, too.
start $run_line --watch --paused
see "step 1 "
kill -ABRT "$(cat pid)"
back 134
# Keys work during a long search, of a model that is not solved.
start run robot-delivery:n=7 --time 1000 --watch
see "thinking"
press '?'
see "to the end of the episode"
press q
see "quit: 0 of 20 episodes were finished"
back 0

# Ctrl-Z, the background, and back. (Valgrind does not let a program stop itself.)
if ! head -c 300 "$GLIMPSE" | grep -q valgrind; then
  start $run_line --watch --paused
  see "step 1 "
  press n
  see "step 2 "
  press C-z
  see "Stopped"
  expect_mode "0 1 1"
  type_line 'stty -a | sed "s/rows [0-9]*; columns [0-9]*;//" >after; bg; sleep 0.3; echo in the back\ground'
  see "in the background"
  expect_mode "0 1 1"
  cmp -s before after || fail "other modes while it is stopped: $(diff before after)"
  type_line fg
  see "step 2 "
  expect_mode "1 0 0"
  press n
  see "step 3 "
  press q
  back 0
fi

# Errors in the middle leave the terminal as it was.
type_line clear
type_line "(trap '' XFSZ; ulimit -f 16; exec '$GLIMPSE' $run_line --watch --delay 0 --record full.jsonl)"
see " the end  the run has failed; q quits and shows why"
press q
see "error: 'full.jsonl' cannot be written: File too large"
back 1

# A model on the standard input leaves the keys to the terminal.
"$GLIMPSE" convert tiger >tiger.pomdp
type_line "'$GLIMPSE' run - --expansions 5 --watch --paused <tiger.pomdp"
see "most probable states (> the true one)"
see "tiger-left"
press n
see "step 2 "
press q
back 0

# Without keys it ends by itself.
if command -v setsid >/dev/null; then
  type_line "setsid -w '$GLIMPSE' $run_line --episodes 1 --watch --paused --delay 0 </dev/null"
  see "1 episode."
  back 0
fi

# A window that is closed ends the run, not in the middle of a line of its record.
start $run_line --watch --paused --record closed.jsonl
see "step 1 "
tm kill-pane -t pane
for ((i = 0; i < 600; i++)); do
  if ! kill -0 "$(cat pid)" 2>/dev/null; then break; fi
  sleep 0.05
done
((i < 600)) || fail "it goes on without its terminal"
[[ $(tail -1 closed.jsonl) == *'"complete": false}' ]] || fail "the record has no end"

# Without colours, without UTF-8, and where the terminal can do nothing.
open_terminal 80 24 NO_COLOR=1 LANG=C
start $run_line --watch --paused
see "step 1 "
see " rewards   ."
screen -e
! grep -q '8;5;' screen || fail "colours in spite of NO_COLOR"
! LC_ALL=C grep -q $'[\x80-\xff]' screen || fail "no ASCII in the locale C"
grep -q 'R@' screen || fail "no shades"
press q
back 0
open_terminal 80 24 TERM=dumb
type_line "'$GLIMPSE' $run_line --watch --episodes 1 --max-steps 2 --delay 0"
see "1 episode, "
expect_mode "0 1 1"
type_line "'$GLIMPSE' replay live.jsonl --delay 0"
see "; the end"
back 0
