# glimpse map: a line, a triangle, grids and lists, with known values and choices; plots; refusals.
# Covers tool/map_plot.c, tool/map_policy.c, tool/map_show.c.
. "$SOURCE/tests/cli/support/checks.sh"

# Two states.  Tiger at cost 8: a known tiger is worth 10 + 0.95 * 20 (10 - 8), and one that may be anywhere 40.
run map tiger --cost 8 --expansions 300 --points 5 --csv
expect_status 0
expect_no_err
[[ $(head -n 1 out) == "tiger-left,tiger-right,lower,upper,choice,certain" ]] || fail "another head"
[[ $(wc -l <out) == 6 ]] || fail "another number of beliefs"
awk -F, 'function far(x, y) { return x < y - 1e-3 || x > y + 1e-3 }
  NR == 2 && (far($3, 48) || far($4, 48) || $5 != "open-right" || $6 != 1) { exit 1 }
  NR == 4 && ($1 != 0.5 || far($3, 40) || far($4, 40) || $5 != "ask" || $6 != 1) { exit 1 }
  NR == 6 && (far($3, 48) || $5 != "open-left") { exit 1 }' out || fail "other values"
run map tiger --cost 8 --expansions 300
expect_status 0
out_has 'choice | p p l l ! ! ! ! ! ! ! ! ! ! ! ! ! l l o o'
out_has 'l listen, o open-left, p open-right, ! ask'
# Without a budget nothing is certain where it matters.
run map tiger --cost 9.03 --expansions 1 --points 9
out_has '? another choice may be better'

# Three states, all alike.
cat >three.pomdp <<'END'
discount: 0.9
values: reward
states: a b c
actions: go-a go-b go-c
observations: o
T: * uniform
O: * : * : o 1
R: go-a : a : * : * 1
R: go-b : b : * : * 1
R: go-c : c : * : * 1
END
run map three.pomdp --cost 0.3 --points 4 --expansions 50
expect_status 0
expect_out <<'END'
three.pomdp: 3 states, 3 actions, 1 observation, request cost 0.3

    c
    c
   ! !
  ! ! !
 g ! ! o
a       b

g go-a, o go-b, c go-c, ! ask
Values from 7.00 to 7.30.
END
run map three.pomdp --cost 0.3 --points 4 --expansions 50 --json
expect_json map '"triangle"'
expect_json 'points[0].action' '"go-c"'
expect_json 'points[0].belief[2]' 1
expect_near 'points[0].lower' 7.3 1e-6
expect_near 'points[9].upper' 7.3 1e-6
expect_json 'points[4].ask' true
expect_json 'points[4].certain' true

# A grid: one picture for each place of the package.
run map robot-delivery:n=2 --expansions 200
expect_status 0
out_has 'package at row 2, column 4: worth '
out_has 'package carried: worth '
out_has '  # # ^ # #'
run map robot-delivery:n=2 --expansions 200 --json
expect_json map '"grid"'
run map robot-delivery:n=2 --expansions 20 --top 2
out_has '3 more pictures; --top shows more.'

# Others: known states.
run map toy --expansions 100
expect_status 0
grep -q '^second-left  *10.20304[01]  left$' out || fail "another value"
run map toy --expansions 100 --top 3 --csv
[[ $(wc -l <out) == 4 ]] || fail "another number of states"
[[ $(head -n 1 out) == "state,lower,upper,choice,certain" ]] || fail "another head"

# The same bytes of the same budget.
run map robot-delivery:n=2 --expansions 20 --csv
cp out first
run map robot-delivery:n=2 --expansions 20 --csv
cmp -s first out || fail "another result"

if command -v gnuplot >/dev/null; then
  for model in tiger three.pomdp robot-delivery:n=2 toy; do
    run map "$model" --expansions 20 --points 4 --plot map.svg
    expect_status 0
    expect_no_err
    grep -q "Value and best choice: $model" map.svg || fail "another title"
    rm map.svg
  done
fi

# Of a policy: what its nodes are worth, against the map of searches; the vectors of the tiger are known.
run solve tiger --cost 8 -o eight.policy
run map tiger --cost 8 --points 5 --policy eight.policy --csv
expect_status 0
expect_no_err
[[ $(head -n 1 out) == "tiger-left,tiger-right,lower,upper,choice,certain,node" ]] || fail "another head"
awk -F, 'function far(x, y) { return x < y - 1e-3 || x > y + 1e-3 }
  NR == 2 && (far($3, 48) || far($4, 48) || $5 != "open-right" || $7 != 1) { exit 1 }
  NR == 4 && (far($3, 40) || $5 != "ask" || $7 != 0) { exit 1 }
  NR == 6 && (far($3, 48) || $5 != "open-left" || $7 != 2) { exit 1 }' out || fail "other values of a policy"
run map tiger --cost 8 --points 2 --policy - --json <eight.policy
expect_status 0
expect_json 'points[0].node' 1
expect_json 'vectors[0].ask' true
expect_near 'vectors[0].values[1]' 40 1e-6
expect_near 'vectors[1].values[0]' 48 1e-6
expect_near 'vectors[1].values[1]' -62 1e-6
expect_json 'vectors[2].action' '"open-left"'
run solve three.pomdp --cost 0.3 -o three.policy
run map three.pomdp --cost 0.3 --points 4 --policy three.policy
expect_status 0
out_has ' g ! ! o'
run solve robot-delivery:n=2 -o robot.policy
run map robot-delivery:n=2 --policy robot.policy
expect_status 0
out_has '  # # ^ # #'
if command -v gnuplot >/dev/null; then
  for model in 'tiger --cost 8 --policy eight.policy' 'three.pomdp --cost 0.3 --policy three.policy' \
    'robot-delivery:n=2 --policy robot.policy'; do
    # shellcheck disable=SC2086 # several words
    run map $model --points 4 --plot map.svg
    expect_status 0
    expect_no_err
    grep -q "What a policy is worth: ${model%% *}" map.svg || fail "another title"
    rm map.svg
  done
fi
run map tiger --policy eight.policy
expect_status 1
err_has 'the policy is not of tiger'
run map tiger --cost 8 --policy eight.policy --time 1
expect_status 2
err_has "it excludes '--time' and '--expansions'"
run map tiger --cost 8 --policy nowhere.policy
expect_status 1

run map tiger --plot map.gif
expect_status 2
err_has 'the ending .svg, .png or .pdf'
run map tiger --json --csv
expect_status 2
run map tiger --points 1
expect_status 2
run map tiger --discount 1
expect_status 1
run map missing.pomdp
expect_status 1
