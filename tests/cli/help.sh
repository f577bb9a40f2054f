# Help, man pages, and that they tell the truth.
#
# Covers tool/manual_help.c, tool/manual_page.c.
. "$SOURCE/tests/cli/support/checks.sh"

# For the examples of view, which start a browser: none, and a page that is there in any case.
printf '<script type="application/json" id="glimpse-data">null</script>\n' >page.html
export BROWSER=true GLIMPSE_PAGE=$PWD/page.html TMPDIR=$PWD

run help --list
expect_status 0
expect_no_err
expect_out <<'END'
info
check
convert
bounds
solve
verify
plan
explain
policy
price
map
run
replay
view
agent
bench
report
help
END
mapfile -t commands <out

# All ways to ask give the same text.
run help
expect_status 0
out_has "Usage: glimpse COMMAND [OPTION ...] [MODEL]"
cp out plain
for line in --help -h; do
  run $line
  expect_status 0
  cmp -s plain out || fail "expected the same as from: glimpse help"
done
for command in "${commands[@]}"; do
  grep -q "^  $command  *[a-z]" plain || fail "'glimpse help' does not list $command"
  run help "$command"
  expect_status 0
  expect_no_err
  out_has "glimpse $command - "
  out_has "Usage: glimpse $command [OPTION ...]"
  out_has "Output options:"
  out_has "Examples:"
  awk 'length > 79 { exit 1 }' out || fail "a line is longer than 79 characters"
  cp out "help-$command"
  for line in "$command --help" "$command -h" "--help $command" "$command tiger --help" "$command a b c -h"; do
    run $line
    expect_status 0
    cmp -s "help-$command" out || fail "expected the same as from: glimpse help $command"
  done
done
run bounds --help
out_has '  --tolerance NUMBER    a bound has converged'
out_has '(above 0; default: 1e-9)'
out_has 'default: the cores)'
run plan --help
out_has '      --planner aems-loop|aems-sr|aems|pomcp|never-ask|always-ask|ask-every|'
out_has '                ask-entropy'
out_has '                            paper: as the paper prints it: the lower bound is'
out_has '(at least 64K; default: 1G)'

# Every command takes just the options that the table gives it, and its help shows just those.
run help --json
expect_status 0
flatten
cp leaves table
last=$((${#commands[@]} - 1))
grep -qx "commands\\[$last\\].name	\"help\"" table || fail "expected ${#commands[@]} commands"
options=$(grep -c '^options\[[0-9]*\]\.name' table)
((options > 10)) || fail "expected more options"
for ((i = 0; i < options; i++)); do
  field() { awk -F '\t' -v path="options[$i].$1" '$1 == path { gsub(/"/, "", $2); print $2 }' table; }
  name=$(field name)
  case $(field kind) in
    flag) value= ;;
    choice) value=$(field argument) value=${value%%|*} ;;
    size) value=1M ;;
    count) value=$(field low) value=$((value > 1 ? value : 1)) ;;
    *) value=1 ;;
  esac
  accepted='' refused=''
  for command in "${commands[@]}"; do
    shown=no
    if grep -Eq "^ +(-[a-z], )?--$name( |$)" "help-$command"; then shown=yes; fi
    listed=no
    if grep -Eqx "options\\[$i\\].commands\\[[0-9]+\\]"$'\t'"\"$command\"" table; then listed=yes; fi
    # A name may have a row for some commands and another for others.
    if [[ $listed == no ]] && awk -F '\t' -v name="\"$name\"" -v command="\"$command\"" '
      $1 ~ /^options\[[0-9]+\]\.name$/ { mine = $2 == name }
      mine && $1 ~ /\.commands\[[0-9]+\]$/ && $2 == command { found = 1 }
      END { exit !found }' table; then continue; fi
    [[ $shown == "$listed" ]] || fail "--$name in the help of $command: $shown, in the table: $listed"
    if [[ $listed == yes ]]; then accepted=$command; else refused=$command; fi
  done
  run "$accepted" "--$name${value:+=$value}" -h
  expect_status 0
  if [[ -z $refused ]]; then continue; fi
  run "$refused" "--$name${value:+=$value}" -h
  expect_status 2
done

# The examples work when pasted, one after the other.
glimpse() { "$GLIMPSE" "$@"; }
for command in "" "${commands[@]}"; do
  run help $command
  sed -n '/^Examples:/,$ s/^  \(glimpse .*\)/\1/p' out >"examples-$command"
  [[ -s examples-$command ]] || fail "no examples"
  while IFS= read -r line; do
    ran=$line
    status=0
    eval "$line" >out 2>err </dev/null || status=$?
    expect_status 0
    expect_no_err
  done <"examples-$command"
done
[[ -s plain.pomdp && -s glimpse-bounds.1 ]] || fail "the examples wrote no files"

# Man pages: the sections, and no complaint by groff.
for command in "" "${commands[@]}"; do
  run help --man $command
  expect_status 0
  expect_no_err
  for section in NAME SYNOPSIS DESCRIPTION EXAMPLES "EXIT STATUS" "SEE ALSO"; do
    grep -qx ".SH $section" out || fail "no section $section"
  done
  head -1 out | grep -q '^\.TH GLIMPSE' || fail "no header"
  if command -v groff >/dev/null && [[ -e $(dirname "$(dirname "$(command -v groff)")")/share/groff/current/tmac/an.tmac ]]; then
    groff -man -ww -Tascii out >page 2>why || fail "groff fails"
    [[ ! -s why ]] || fail "groff: $(cat why)"
    [[ -s page ]] || fail "groff prints nothing"
  fi
done
run help --man bounds
grep -qF '\fB\-\-max\-iterations\fR \fIN\fR' out || fail "no option in the man page"
run help --man
grep -qF '\fBrobot\-delivery\fR' out || fail "no environment in the man page"
