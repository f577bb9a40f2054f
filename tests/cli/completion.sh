# Completion in bash, and in zsh where there is one: what a user gets who presses the tabulator key.
#
# Covers tool/manual_completion.c.
. "$SOURCE/tests/cli/support/checks.sh"

run help --completion bash
expect_status 0
expect_no_err
cp out glimpse.bash
bash -n glimpse.bash || fail "bash does not understand the script"
# shellcheck disable=SC1091 # it was written just now
. ./glimpse.bash
[[ $(complete -p glimpse) == "complete -F _glimpse glimpse" ]] || fail "the completion is not registered"

# complete_bash WORD ...: the last word is being typed. The answers go to out, sorted.
complete_bash() {
  COMP_WORDS=("$GLIMPSE" "$@")
  COMP_CWORD=$#
  ran="completion of: glimpse $*"
  _glimpse
  printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort >out
}
offers() { grep -qxF -e "$1" out || fail "expected to be offered: $1"; }
offers_not() { ! grep -qxF -e "$1" out || fail "expected not to be offered: $1"; }
offers_just() { [[ $(<out) == "$(printf '%s\n' "$@")" ]] || fail "expected to be offered just: $*"; }

"$GLIMPSE" help --list | LC_ALL=C sort >commands
complete_bash ""
cmp -s commands out || fail "expected all commands"
complete_bash "expl"
offers_just explain
complete_bash "--"
offers_just --help --version

# The options of each command are those of its help, and no others.
while read -r command; do
  "$GLIMPSE" help "$command" | sed -n '/^Examples:/,$d; s/^  [ -][^-]*--\([a-z-]*\).*/--\1/p' | LC_ALL=C sort -u >wanted
  complete_bash "$command" "--"
  cmp -s wanted out || fail "expected the options of $command: $(diff wanted out)"
done <commands

# Values: words of a choice, "off", files, directories, nothing.
complete_bash plan --planner ""
for word in aems-loop aems-sr aems pomcp never-ask; do offers $word; done
complete_bash plan --planner = "ae"
offers_just aems aems-loop aems-sr
complete_bash plan --planner =
offers pomcp
complete_bash --planner pomcp pl
offers_just plan
complete_bash plan --cost ""
offers_just off
complete_bash plan --seed ""
offers_just ""
mkdir -p "some where"
: >"some where/model.pomdp"
: >one.pomdp
complete_bash convert tiger -o one
offers_just one.pomdp
complete_bash report --plots some
offers_just "some where"
complete_bash convert tiger --output "some where/"
offers_just "some where/model.pomdp"

# Operands.
complete_bash plan ""
offers robot-delivery
offers tiger
offers one.pomdp
offers_not plan
complete_bash plan --seed 3 ti
offers_just tiger
complete_bash plan tiger ""
offers_just ""
complete_bash help exp
offers_just explain
if "$GLIMPSE" bench --list >specs 2>/dev/null; then
  complete_bash bench pap
  offers_just paper
fi

run help --completion zsh
expect_status 0
expect_no_err
mkdir functions
cp out functions/_glimpse
if ! command -v zsh >/dev/null; then
  echo "zsh is not installed: its completion is not tried"
  exit 0
fi
zsh -n functions/_glimpse || fail "zsh does not understand the script"
if ! has_terminals; then
  echo "this machine has no pseudo-terminals (is /dev/pts mounted?): completion in zsh is not tried"
  exit 0
fi

# A terminal in which a zsh runs: a line is typed, completed with the tabulator key, and what it has
# become is written to the file line.
cat >drive.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "PS1= PS2= RPS1="
zpty -w shell "fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell "setopt no_beep no_auto_menu; zstyle ':completion:*' file-patterns '%p:all-files'"
zpty -w shell "tell() { print -r -- \"\$BUFFER\" >>lines; BUFFER= }; zle -N tell; bindkey '^G' tell; : >ready"
while [[ ! -e ready ]]; do zpty -r -t shell text || sleep 0.05; done
count=0
while IFS= read -r line; do
  zpty -n -w shell "$line"$'\t\x07'
  (( count++ ))
  while (( $(wc -l <lines) < count )); do zpty -r -t shell text || sleep 0.05; done
done <typed
zpty -d shell
ZSH
cat >typed <<'TYPED'
glimpse expl
glimpse plan --plann
glimpse plan --planner=aems-l
glimpse plan --planner pom
glimpse run --cost o
glimpse bounds rock
glimpse help conv
glimpse check one.p
glimpse convert tiger --out
glimpse bounds --plann
TYPED
: >lines
ran="zsh drive.zsh"
timeout 60 zsh -f drive.zsh >out 2>err </dev/null || fail "zsh does not complete"
sed 's/ *$//' lines >completed
cat >wanted <<'LINES'
glimpse explain
glimpse plan --planner=
glimpse plan --planner=aems-loop
glimpse plan --planner pomcp
glimpse run --cost off
glimpse bounds rock-sample
glimpse help convert
glimpse check one.pomdp
glimpse convert tiger --output=
glimpse bounds --plann
LINES
cmp -s wanted completed || fail "zsh completes otherwise: $(diff wanted completed)"
