# glimpse policy: what is shown of a policy and written for others, and following it.
#
# Covers tool/open_policy.c, tool/policy_c.c, tool/policy_dot.c, tool/policy_format.c, tool/policy_json.c,
# tool/policy_text.c, tool/policy_vectors.c.
. "$SOURCE/tests/cli/support/checks.sh"

# A model without names, in which asking pays at first.
cat >plain.pomdp <<'END'
discount: 0.9
values: reward
states: 3
actions: 3
observations: 2
start: 0.5 0.3 0.2
# glimpse: cost 0.4
T: 0 identity
T: 1
0 1 0
0 0 1
1 0 0
T: 2
0.5 0.5 0
0 0.5 0.5
0.5 0 0.5
O: *
0.9 0.1
0.5 0.5
0.1 0.9
R: 0 : 0 : * : * 1
R: 0 : 2 : * : * -1
R: 2 : 1 : * : * 2
END
run solve tiger -o tiger.policy
expect_status 0
run solve plain.pomdp -o plain.policy --relative 0.02
expect_status 0
run solve plain.pomdp --cost off -o off.policy --relative 0.05
expect_status 0

# Text.
run policy tiger.policy
expect_status 0
expect_no_err
out_has 'Policy of tiger: 2 states, 3 actions, 2 observations.'
out_has '3 nodes, 6 edges, depth 1; worth at least 179.999999 at the start'
tail -n 7 out >nodes
cat >want <<'END'
start: ask for the state
    if told tiger-left -> node 1
    if told tiger-right -> node 2
node 1: do open-right
    then start
node 2: do open-left
    then start
END
cmp -s want nodes || fail "another text of the nodes"

# JSON, by both names.
run policy tiger.policy --json
expect_status 0
expect_json model '"tiger"'
expect_json nodes[0].action null
expect_json nodes[1].edges[1][1] 0
expect_near lower 180 1e-6
expect_near "corners[1][0]" 170.95 1e-6
cp out json
run policy tiger.policy --format json -o file.json
expect_status 0
expect_no_out
cmp -s json file.json || fail "-o writes something else"

# Graphviz.
run policy tiger.policy --format dot
expect_status 0
out_has 'digraph policy {'
out_has 'n0 -> n1 [label="  tiger-left  ", style=dashed];'
out_has 'n1 -> n0 [label="  any  "];'
if command -v dot >/dev/null; then dot -Tsvg out >tiger.svg || fail "Graphviz does not read it"; fi

# C: the tables say what the policy says, on this machine and, where there is a compiler, on a small one.
compiler=${CC:-cc}
small=
if command -v arm-none-eabi-gcc >/dev/null; then small=arm-none-eabi-gcc
elif command -v clang >/dev/null; then small='clang --target=arm-none-eabi'; fi
if command -v "$compiler" >/dev/null; then
  cat >walk.c <<'END'
#include <stdio.h>
#include "policy.c"
int main(void) {
  for (uint32_t node = 0; node < POLICY_NODES; node++) {
    uint32_t choice = policy_choice(node);
    if (choice == POLICY_ASK) printf("node %u ask", (unsigned)node);
    else printf("node %u do %u", (unsigned)node, (unsigned)choice);
    for (uint32_t seen = 0; seen < 100; seen++)
      if (policy_step(node, seen) != POLICY_LOST) printf(" %u:%u", (unsigned)seen, (unsigned)policy_step(node, seen));
    printf("\n");
  }
  return 0;
}
END
  for policy in plain off; do
    run policy $policy.policy --format c -o policy.c
    expect_status 0
    "$compiler" -std=c99 -Wall -Wextra -Werror -ffreestanding -c policy.c -o policy.o || fail "the tables of $policy"
    "$compiler" -std=c99 -Wall -Wextra -Werror walk.c -o walk || fail "the walk of $policy"
    ./walk >walked
    grep '^node ' $policy.policy | cmp -s - walked || fail "the tables of $policy say something else"
    if [[ $small ]]; then
      $small -std=c99 -Wall -Wextra -Werror -mcpu=cortex-m0 -mthumb -ffreestanding -nostdlib -Os -c policy.c \
        -o policy-m0.o || fail "the tables of $policy, for a Cortex-M0"
    fi
  done
  [[ $small ]] || echo "neither arm-none-eabi-gcc (Debian: gcc-arm-none-eabi) nor clang: a Cortex-M was not tried"
else
  echo "no C compiler: the tables were not compiled"
fi

# The formats of others.
run policy off.policy --format pg
expect_status 0
cp out pg
awk '/^node / { line = $2 " " $4 " "; a = b = "-"
  for (i = 5; i <= NF; i++) { split($i, e, ":"); if (e[1] == 0) a = e[2]; else b = e[2] }
  print line " " a " " b }' off.policy | cmp -s - pg || fail "another .pg"
run policy tiger.policy --format pg
expect_status 2
err_has "the policy asks for the state, which .pg files cannot say"
run policy tiger.policy --format pg --model tiger
expect_status 0
err_has "equivalent POMDP"
expect_out <<'END'
0 3  - - 3 4 -
1 0  - - - - 3
2 0  - - - - 4
3 2  0 0 - - -
4 1  0 0 - - -
END
run policy off.policy --format alpha
expect_status 2
err_has "needs '--model MODEL'"
run policy off.policy --format alpha --model plain.pomdp
expect_status 1
err_has "the policy is not of plain.pomdp"
err_has "'--cost' and '--discount' must be the same as then"
run policy off.policy --format alpha --model plain.pomdp --cost off -o off.alpha
expect_status 0
nodes=$(grep -c '^node ' off.policy)
awk 'NR % 3 == 1 && NF != 1 { bad = 1 } NR % 3 == 2 && NF != 3 { bad = 1 } NR % 3 == 0 && NF { bad = 1 }
  END { exit bad || NR != 3 * n }' n="$nodes" off.alpha || fail "no .alpha file"
# Its first vector is worth at the start what the certificate says.
worth=$(awk 'NR == 2 { print 0.5 * $1 + 0.3 * $2 + 0.2 * $3; exit }' off.alpha)
lower=$(sed -n 's/^lower //p' off.policy)
awk -v a="$worth" -v b="$lower" 'BEGIN { exit !(a - b < 1e-4 && b - a < 1e-4) }' || fail "$worth is not $lower"
run policy off.policy --format appl --model plain.pomdp --cost off -o off.xml
expect_status 0
cp off.xml out
out_has '<AlphaVector vectorLength="3" numObsValue="1" numVectors="'"$nodes"'">'

# Both are read again and say the same; the XML where there is expat.
run policy off.alpha
expect_status 1
err_has 'off.alpha: error: these are vectors of another solver, which need their model'
run plan plain.pomdp --cost off --policy off.alpha --json
expect_status 0
expect_json stop '"rule"'
cp out alpha
run plan plain.pomdp --cost off --policy off.xml --json
if grep -q 'built without expat' err; then
  expect_status 1
  err_has 'off.xml: error: this is XML, and glimpse was built without expat'
else
  expect_status 0
  sed 's/off.alpha/off.xml/; /"seconds"/d' alpha >want
  grep -v '"seconds"' out | cmp -s - want || fail "the same vectors in XML lead to something else"
  run run plain.pomdp --cost off --policy - --episodes 3 <off.xml
  expect_status 0
  sed 's/action="0"/action="9"/' off.xml >bad.xml
  run plan plain.pomdp --cost off --policy bad.xml
  expect_status 1
  err_has 'bad.xml:'
  err_has 'expected action="...", the number of an action, found '"'9'"
fi

# Following it.
run run plain.pomdp --policy plain.policy --episodes 50
expect_status 0
out_has 'policy plain.policy, seed 1'
run run plain.pomdp --policy plain.policy --episodes 400 --json
expect_status 0
run plan tiger --policy tiger.policy --json
expect_json ask true
expect_json stop '"rule"'
expect_near lower 180 1e-6
run plan tiger --policy tiger.policy --belief tiger-left --json
expect_json stop '"off-plan"'
expect_json action '"open-right"'
run run tiger --policy tiger.policy --watch --episodes 1 --max-steps 2
expect_status 0
out_has 'asks (180.000 to 180.000) for 1, then does open-left'
out_has 'policy tiger.policy, seed 1'
run run tiger --policy tiger.policy --record steps.jsonl --episodes 1 --max-steps 2
expect_status 0
run replay steps.jsonl
out_has 'asks (180.000 to 180.000) for 1, then does open-left'
run agent tiger --policy tiger.policy <<'END'
{"do":"decide"}
{"state":0}
{"observation":1}
{"do":"decide"}
END
expect_status 0
out_has '{"ask": true, "lower": 179.99999'
out_has '"act": "open-right"'
[[ $(grep -c '"stop": "rule"' out) == 3 ]] || fail "the agent leaves the policy"
run explain tiger --policy tiger.policy
out_has 'This is what the policy says at its start.'
run plan tiger --policy tiger.policy --expansions 5 --json
expect_json planner '"aems-loop"'
expect_near lower 180 1e-6
# The upper bound of a certificate holds at the start, also where its probabilities have sums that round.
cat >thirds.pomdp <<'END'
discount: 0.5
values: reward
states: 5
actions: 2
observations: 2
start: 0.2390303287479387 0.07221446221988663 0.2100074024231428 0.3203229838103572 0.1584248227986746
T: 0 uniform
T: 1
0.1 0.2 0.3 0.4 0
0 0.1 0.2 0.3 0.4
0.4 0 0.1 0.2 0.3
0.3 0.4 0 0.1 0.2
0.2 0.3 0.4 0 0.1
O: *
0.9 0.1
0.7 0.3
0.5 0.5
0.3 0.7
0.1 0.9
R: 0 : 0 : * : * 1
R: 0 : 4 : * : * -1
R: 1 : 3 : * : * 0.5
END
run solve thirds.pomdp --cost 0.1 --relative 1e-6 -o thirds.policy --json
upper=$(tail -1 out | sed 's/.*"upper": \([^,]*\), "search_lower.*/\1/')
run plan thirds.pomdp --cost 0.1 --policy thirds.policy --expansions 1 --json
expect_near offline_upper "$upper" 1e-12

# What is refused.
run plan tiger --planner policy
expect_status 2
err_has "the planner policy needs '--policy FILE'"
run plan tiger --planner pomcp --policy tiger.policy
expect_status 2
err_has "the planner pomcp does not take '--policy'"
run plan tiger --cost 3 --policy tiger.policy
expect_status 1
err_has 'the policy is not of tiger'
run policy nowhere.policy
expect_status 1
sed 's/node 1 do open-right/node 1 do open-left/' tiger.policy >changed.policy
run policy changed.policy
expect_status 1
err_has 'changed.policy:19:1: error: the checksum is not that of the text'
run policy tiger.policy --format alpa
expect_status 2
err_has "did you mean 'alpha'?"
run policy tiger.policy --json --format dot
expect_status 2
run report --format dot x.db
expect_status 2
err_has 'text|markdown|csv|latex'
run policy tiger.policy -o nowhere/at/all
expect_status 1
