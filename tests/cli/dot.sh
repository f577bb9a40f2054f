# glimpse plan --dot: what the graph holds, its filters, names that need care, refusals; Graphviz
# draws it where it is there.
. "$SOURCE/tests/cli/support/checks.sh"

# Beliefs, edges, dashed ones, those of the row of corners; and that every edge has both its ends.
count() { # count FILE: $beliefs $arrows $dashed $corners
  beliefs=$(grep -c '^  b[0-9]* \[label=' "$1" || true)
  arrows=$(grep -c '^  b[0-9]* -> b[0-9]* \[label=' "$1" || true)
  dashed=$(grep -c 'style=dashed' "$1" || true)
  corners=$(grep 'rank=same' "$1" | grep -o ' b[0-9]*;' | wc -l || true)
  [[ $(wc -l <"$1") == $((8 + beliefs + arrows + (corners > 0))) ]] || fail "a line of $1 is none of these"
  awk '
    / -> / { if (!($1 in node) || !($3 in node)) exit 1; next }
    /^  b[0-9]* \[/ { node[$1] = 1 }' "$1" || fail "an edge of $1 has no end"
  [[ -z $(awk '/ -> / { print $1, $3 }' "$1" | sort | uniq -d) ]] || fail "two edges of $1 have the same ends"
}
draw() { # draw FILE: Graphviz draws each belief and each edge
  if ! command -v dot >/dev/null; then return; fi
  dot -Tsvg "$1" >svg 2>err || fail "Graphviz does not draw it"
  [[ ! -s err ]] || fail "Graphviz complains"
  count "$1"
  [[ $(grep -c 'class="node"' svg) == "$beliefs" && $(grep -c 'class="edge"' svg) == "$arrows" ]] ||
    fail "Graphviz draws something else"
}

# One expansion of Tiger, where everything is known: three actions with two observations each, and asking.
run plan tiger --cost 4 --expansions 1 --dot -
expect_status 0
expect_no_err
count out
[[ "$beliefs $arrows $dashed $corners" == "9 8 2 2" ]] || fail "$beliefs beliefs, $arrows edges, $dashed $corners"
grep -q '^  b0 \[label="tiger-left 50 %\\ntiger-right 50 %\\n.* to .*\\nask", penwidth' out || fail "another root"
[[ $(grep -c 'label="  ask 50 %  ", style=dashed, penwidth' out) == 2 ]] || fail "the requests are not told"
grep -q 'label="  listen  \\n  tiger-left 50 %  ", color' out || fail "the edges do not say what is seen"
grep -q '\[label="tiger-left 85 %\\ntiger-right 15 %\\n' out || fail "a belief is missing"
corner=$(grep -o 'rank=same; b[0-9]*' out | grep -o 'b[0-9]*$')
grep -q "^  $corner \\[label=\"tiger-left\\\\n" out || fail "the row does not begin with the first state"
grep -q '^         label="tiger: ask for the state, worth .* to .*\\naems-loop, 1 expansion' out || fail "another title"
draw out

# What leads to the same belief is one edge: listening where the tiger is known, and both doors from there.
run plan tiger --cost 9.5 --expansions 20 --dot merged.dot
expect_status 0
grep -q '^  b\([0-9]*\) -> b\1 \[label="  listen  \\n  tiger-left 85 %  \\n  tiger-right 15 %  "' merged.dot || fail "no merged edge"
grep -q ' -> b0 \[label="  open-right  \\n  tiger-left 50 %  \\n  tiger-right 50 %  ", penwidth' merged.dot || fail "no merged edge of the plan"
draw merged.dot
cat >dull.pomdp <<'END'
discount: 0.9
values: reward
states: a b
actions: look take-a take-b
observations: 12
T: look identity
T: take-a uniform
T: take-b uniform
O: look
0.8 0.2 0 0 0 0 0 0 0 0 0 0
0.2 0.8 0 0 0 0 0 0 0 0 0 0
O: take-a uniform
O: take-b uniform
R: look : * : * : * -0.1
R: take-a : a : * : * 1
R: take-a : b : * : * -2
R: take-b : b : * : * 1
R: take-b : a : * : * -2
END
run plan dull.pomdp --expansions 30 --dot dull.dot --dot-probability 0 --dot-depth 6
expect_status 0
grep -q '\\n  4 8.3 %  \\n  and 7 more  "' dull.dot || fail "many ways are not told in short"
draw dull.dot

# The text is as without the graph; the same search gives the same graph.
run plan tiger --cost 9.5 --expansions 8
sed -E 's/ in [0-9.]+ s//' out >text
run plan tiger --cost 9.5 --expansions 8 --dot all.dot --dot-depth 1000 --dot-probability 0
expect_status 0
sed -E 's/ in [0-9.]+ s//' out | cmp -s text - || fail "the text differs"
run plan tiger --cost 9.5 --expansions 8 --dot again.dot --dot-depth 1000 --dot-probability 0 --json
expect_status 0
expect_json expansions 8
cmp -s all.dot again.dot || fail "the same search, another graph"
nodes=$(json_value nodes) # a known state, or a belief that several observations lead to, is counted for each of them
count all.dot
((corners == 2 && beliefs <= nodes && beliefs > nodes / 3)) || fail "$beliefs of $nodes beliefs, $corners corners"
grep -q "all $beliefs beliefs are drawn" all.dot || fail "it does not say that all is drawn"
! grep -q 'not drawn' all.dot || fail "something is missing"
all=$beliefs

# Each filter leaves something out, and says so.
gaps() { sed -nE 's/^  b([0-9]+) \[.*\\n(-?[0-9.]+) to (-?[0-9.]+).*/\1 \2 \3/p' "$1"; }
least=$(gaps all.dot | awk '$1 == 0 { print $3 - $2 - 0.01 }') # the root stays
for filter in "--dot-depth 1" "--dot-probability 0.2" "--dot-max-gap 36" "--dot-min-gap $least" "--dot-choices plan"; do
  run plan tiger --cost 9.5 --expansions 8 --dot-depth 1000 --dot-probability 0 $filter --dot part.dot
  expect_status 0
  count part.dot
  ((beliefs > 1 && beliefs < all)) || fail "$beliefs of $all beliefs"
  grep -q 'not drawn)' part.dot || fail "it does not say that something is missing"
  grep -q "n$beliefs beliefs are drawn; the search holds $nodes" part.dot || fail "another title"
  draw part.dot
done
run plan tiger --cost 9.5 --expansions 8 --dot-depth 1000 --dot-probability 0 --dot-max-gap 36 --dot part.dot
gaps part.dot | awk '$1 > 0 && $3 - $2 > 36.001 { exit 1 } END { exit NR < 2 }' || fail "a gap is too large"

# A tree has no shared corners, but requests.
run plan tiger --cost 9.5 --planner aems --expansions 20 --dot tree.dot --dot-depth 1000 --dot-probability 0
expect_status 0
count tree.dot
[[ $arrows == $((beliefs - 1)) && $corners == 0 ]] && ((dashed > 0)) || fail "it is no tree"
run plan tiger --cost off --expansions 20 --dot plain.dot
count plain.dot
[[ $dashed == 0 ]] || fail "it asks"
run plan tag --expansions 50 --dot tag.dot
expect_status 0
out_has decision
draw tag.dot

# A name may hold anything.
mkdir 'a "b\c'
"$GLIMPSE" convert tiger -o 'a "b\c/m.pomdp'
run plan 'a "b\c/m.pomdp' --expansions 5 --dot -
expect_status 0
grep -qF 'label="a \"b\\c/m.pomdp: ' out || fail "the name is not escaped"
draw out

# Refusals: before any search, and with the way out.
refused() { # refused MESSAGE ARGUMENT ...
  local message=$1
  shift
  run plan "$@"
  expect_status 2
  expect_no_out
  err_has "error: $message"
}
refused "'--dot-depth' says what '--dot FILE' writes, which is not given" tiger --dot-depth 2
refused "'--dot-choices' says what '--dot FILE' writes, which is not given" tiger --dot-choices plan
refused "'--dot -' and '--json' both want the standard output; name a file" tiger --dot - --json
refused "the planner pomcp has no graph for '--dot'; aems-loop, aems-sr and aems have" tiger --dot x --planner pomcp
refused "the planner never-ask has no graph for '--dot'" tiger --dot x --planner never-ask
refused "'2' is not a value of '--dot-probability'" tiger --dot x --dot-probability 2
[[ ! -e x ]] || fail "it has written something"
run plan tiger --expansions 5 --dot nowhere/x.dot
expect_status 1
err_has "nowhere/x.dot: error: cannot be written: "
mkdir full
run plan tiger --expansions 5 --dot full
expect_status 1
err_has "full: error: cannot be written: "
[[ -z $(ls full) ]] && ! compgen -G 'full.*' >names || fail "something is left over"
if [[ -w /dev/full ]]; then
  run plan tiger --expansions 5 --dot /dev/full
  expect_status 1
  err_has "/dev/full: error: cannot be written: "
fi
