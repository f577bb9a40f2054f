# glimpse bench: specifications, the results file, resuming, the same rows for any number of threads, kill -9.
#
# Covers experiment/bench.c, experiment/catalogue.c, experiment/crew.c, experiment/machine.c, experiment/todo.c.
. "$SOURCE/tests/cli/support/checks.sh"
command -v sqlite3 >/dev/null || { echo "the sqlite3 program is missing"; exit 77; }
run bench --list
if grep -q 'built without SQLite' err; then exit 77; fi

# What the rows are: everything but time and place.
rows() {
  sqlite3 -cmd ".timeout 60000" "$1" "SELECT s.key, e.seed, e.return, e.steps, e.requests, e.ended, e.decisions, e.expansions,
    e.error_reduction, e.lower, e.upper FROM episode e JOIN setting s ON s.id = e.setting ORDER BY 1, 2;
    SELECT s.key, t.expansions, t.lower, t.upper FROM trace t JOIN setting s ON s.id = t.setting ORDER BY 1, 2"
}
cell() { sqlite3 -cmd ".timeout 60000" "$1" "$2"; }

# The built-in specifications.
expect_status 0
expect_no_err
expect_out <<'END'
cost       Return and requests over the price of asking
curve      Return over the time per step
demo       A small grid that is over in a moment
measuring  Priced measurements: environments of the literature, and its figures
paper      The tables of the paper
rules      The search against rules, at all prices
scale      RobotDelivery over the number of corridors
solve      Policies to a gap of 1 %: what they take, prove and earn
END
for name in cost curve demo measuring paper rules scale solve; do
  run bench "$name" --show
  expect_status 0
  cmp -s out "$SOURCE/experiment/specs/$name.json" || fail "$name is not what its file says"
  run bench "$name" --dry-run --scale full --json
  expect_status 0
  expect_json name "\"$name\""
  expect_json scale '"full"'
done
# One that is read from a file, with models that are found beside it.
run bench "$SOURCE/examples/models/rules.json" --dry-run --json
expect_status 0
expect_no_err
expect_json name '"rules-models"'
expect_json episodes 840
run bench paper --dry-run
out_has "main-1: RobotDelivery and Tag, FIB-SR"
out_has "186 settings, "
run bench paper --show
cp out mine.json
run bench mine.json --dry-run
out_has "186 settings, "
run bench papr
expect_status 1
err_has "papr: error: cannot be read: No such file or directory"
err_has "did you mean the built-in specification 'paper'?"
run bench
expect_status 2
err_has "'bench' needs a SPEC"
run bench paper --scale huge
expect_status 1
err_has "paper: error: has no scale 'huge'"

# Errors name file, line and field.
planner() { # planner OBJECT: a specification with this planner
  printf '{"name": "x", "environments": "tiger",\n "planners": %s,\n "expansions": 5, "episodes": 4, "max-steps": 50}\n' "$1"
}
planner '{"planner": "policy", "policy": "nowhere.policy"}' >bad.json
run bench bad.json
expect_status 1
err_has "bad.json:2: error: field 'policy': 'nowhere.policy': cannot open"
planner '{"planner": "policy", "policy": "t.policy", "relative": 0.1}' >bad.json
run bench bad.json
expect_status 1
err_has "bad.json:2: error: field 'policy': a policy is read from a file, or solved to a gap, not both"
planner '{"planner": "aems-sr", "relative": 0.1}' >bad.json
run bench bad.json
expect_status 1
err_has "bad.json:2: error: field 'relative': the planner aems-sr does not take it"
printf '{"name": "x", "environments": "tiger",\n "planners": "aems-sr",\n "expansion": 5}\n' >bad.json
run bench bad.json
expect_status 1
expect_no_out
err_has "bad.json:3: error: field 'expansion': there is no such field here; did you mean 'expansions'?"
[[ ! -e x.db ]] || fail "a bad specification made a file"
run bench - <bad.json
err_has "the standard input:3: error: field 'expansion'"

# One thread, several threads: the same rows.
cat >grid.json <<'END'
{"name": "grid", "environments": ["tiger", "robot-delivery:n=3"],
 "planners": ["aems-sr", "pomcp", {"planner": "ask-entropy", "entropy": 0.5}],
 "expansions": [10, 30], "max-steps": 20, "episodes": 12, "seed": 5, "trace": 8}
END
run bench grid.json --threads 1 -o one.db --json
expect_status 0
expect_no_err
expect_json file '"one.db"'
expect_json outcome '"complete"'
expect_json stored 144
expect_json wanted 144
for threads in 2 5; do
  run bench grid.json --threads $threads -o many.db
  expect_status 0
  expect_out <<<"many.db: 144 of 144 episodes stored"
  cmp -s <(rows one.db) <(rows many.db) || fail "other rows with $threads threads"
  rm many.db
done
(($(cell one.db "SELECT count(DISTINCT setting) FROM trace") == 4)) || fail "expected four traces"
[[ $(cell one.db "SELECT outcome, version, timed FROM run") == "complete|$("$GLIMPSE" --version | cut -d' ' -f2)|0" ]] ||
  fail "the run was not described"
[[ ! -e one.db.lock && ! -e one.db-journal ]] || fail "files were left"

# Names are names of files, whatever they mean to SQLite.
for name in :memory: 'file:x.db?mode=memory' 'file::memory:?cache=shared'; do
  run report "$name"
  expect_status 1
  err_has "$name: error: cannot be opened: No such file or directory"
  run bench grid.json -o "$name" --episodes 1
  expect_status 0
  expect_out <<<"$name: 12 of 12 episodes stored"
  [[ -s ./$name ]] || fail "nothing was stored"
  run report "$name"
  expect_status 0
  rm "./$name"
done

# A row can be played again by what it says.
read -r seed total steps < <(cell one.db "SELECT e.seed || ' ' || printf('%.17g', e.return) || ' ' || e.steps FROM episode e
  JOIN setting s ON s.id = e.setting WHERE s.environment = 'robot-delivery:n=3' AND s.planner = 'aems-sr'
  AND s.budget = 30 AND e.seed = 9")
run run robot-delivery:n=3 --planner aems-sr --expansions 30 --max-steps 20 --episodes 1 --seed "$seed" --json
expect_near return.mean "$total" 1e-12
expect_json steps "$steps"

# A file that is there.
run bench grid.json -o one.db
expect_status 1
err_has "one.db: error: has 144 episodes of 'grid' already"
err_has "'--resume' runs what is missing"
run bench grid.json -o one.db --resume
expect_status 0
(($(cell one.db "SELECT count(*) FROM episode WHERE run > 1") == 0)) || fail "rows were repeated"
sed 's/"grid"/"other"/' grid.json >other.json
run bench other.json -o one.db --resume
expect_status 1
err_has "was begun with the specification 'grid', not 'other'"
cp one.db old.db
sqlite3 old.db "UPDATE run SET version = '0.0.9'"
run bench grid.json -o old.db --resume
expect_status 1
err_has "was begun with glimpse 0.0.9"
# Old spellings are understood, with a hint for each; the settings are the same.
sed 's/"max-steps"/"max_steps"/' grid.json >spelt.json
run bench spelt.json -o one.db --resume
expect_status 0
err_has "glimpse: hint: spelt.json:3: 'max_steps' is now 'max-steps'"
(($(cell one.db "SELECT count(*) FROM episode WHERE run > 1") == 0)) || fail "rows were repeated"
# More is wanted than before: only that is run.
sed 's/"episodes": 12/"episodes": 14/' grid.json >more.json
run bench more.json -o one.db --resume
expect_status 0
expect_out <<<"one.db: 168 of 168 episodes stored"
(($(cell one.db "SELECT count(*) FROM episode WHERE run > 1") == 24)) || fail "expected 24 new rows"
# Fewer episodes of each, then the rest.
run bench more.json -o parts.db --episodes 3
expect_out <<<"parts.db: 36 of 36 episodes stored"
run bench more.json -o parts.db --resume
cmp -s <(rows one.db) <(rows parts.db) || fail "other rows in two parts"

# What the specification has no more is kept, and is not missing.
cp parts.db less.db
sqlite3 less.db "DELETE FROM episode WHERE seed > 6 AND setting IN (SELECT id FROM setting WHERE planner = 'pomcp')"
run report less.db --json
expect_json wanted 168
sed 's/"pomcp", //' more.json >less.json
run bench less.json -o less.db --resume
expect_status 0
expect_out <<<"less.db: 112 of 112 episodes stored"
run report less.db --json
expect_json episodes 120
expect_json wanted 120

# A model file that has changed since: its rows are not of one kind with those that are there.
cat >m.pomdp <<'END'
discount: 0.9
values: reward
states: a b
actions: x y
observations: o
start: uniform
T: x identity
T: y uniform
O: * uniform
R: x : a : * : * 1
END
mkdir -p apart/deep
cp m.pomdp apart/other.pomdp
printf '{"name": "apart", "environments": ["other.pomdp", "../m.pomdp", "%s/m.pomdp", "deep/../other.pomdp"], "planners": "never-ask", "expansions": 5, "max-steps": 5, "episodes": 2}' "$PWD" >apart/spec.json
run bench apart/spec.json -o apart.db
expect_status 0
[[ $(cell apart.db "SELECT environment FROM setting ORDER BY id" | tr '\n' ' ') == "other.pomdp ../m.pomdp $PWD/m.pomdp deep/../other.pomdp " ]] ||
  fail "other names: $(cell apart.db "SELECT environment FROM setting")"
sed 's/"\.\.\/m.pomdp"/"m.pomdp"/' apart/spec.json >apart/wrong.json
run bench apart/wrong.json -o wrong.db
expect_status 1
err_has "apart/wrong.json:1: error: field 'environments': 'apart/m.pomdp': cannot"
err_has "names of files are relative to the specification"
run bench - -o stdin.db <<<'{"name": "x", "environments": "m.pomdp", "planners": "never-ask", "expansions": 5, "episodes": 1, "max-steps": 3}'
expect_status 0
run bench - -o no.db <<<'{"name": "x", "environments": "robot-delivry:n=3", "planners": "aems", "expansions": 5}'
expect_status 1
err_has "did you mean the environment 'robot-delivery'?"
printf '{"name": "file", "environments": "m.pomdp", "cost": 0.5, "planners": "aems-sr", "expansions": 5, "max-steps": 5}' >file.json
run bench file.json -o "it's a file.db" --episodes 2
expect_status 0
[[ $(cell "it's a file.db" "SELECT command FROM run") == "glimpse bench file.json --episodes 2 --output 'it'\\''s a file.db'" ]] ||
  fail "the command cannot be typed again: $(cell "it's a file.db" "SELECT command FROM run")"
run bench file.json -o "it's a file.db" --resume --episodes 3
expect_status 0
sed -i 's/1$/2/' m.pomdp
run bench file.json -o "it's a file.db" --resume
expect_status 1
err_has "it's a file.db: error: has results of another 'm.pomdp': the file has changed since"
(($(cell "it's a file.db" "SELECT count(*) FROM episode") == 3)) || fail "rows of another model were added"

# Files that are none, or damaged, or cannot be written.
echo "not a database, but long enough to be taken for one, or so one might think; 100 bytes at least, says SQLite" >text.db
run bench grid.json -o text.db
expect_status 1
err_has "text.db: error: is not a results file"
sqlite3 foreign.db "CREATE TABLE t(x)"
run bench grid.json -o foreign.db
err_has "foreign.db: error: is a database of another program"
cp parts.db newer.db
sqlite3 newer.db "PRAGMA user_version = 7"
run bench grid.json -o newer.db --resume
err_has "newer.db: error: was written by a newer glimpse (schema 7, this one knows 3)"
cp parts.db damaged.db
dd if=/dev/zero of=damaged.db bs=4096 seek=2 count=3 conv=notrunc 2>/dev/null
run bench more.json -o damaged.db --resume
expect_status 1
err_has "damaged.db: error: is damaged"
run bench grid.json -o nowhere/x.db
expect_status 1
err_has "No such file or directory"
# A disk that is full, as far as one can have it: what was stored stays.
cat >long.json <<'END'
{"name": "long", "environments": "tiger", "planners": "aems-sr", "expansions": 5, "max-steps": 3, "episodes": 3000}
END
ran="glimpse bench into a file that may not grow"
status=0
(trap '' XFSZ; ulimit -f 120; exec "$GLIMPSE" bench long.json -o full.db >out 2>err) || status=$?
expect_status 1
err_has "full.db: error: cannot be written: "
err_has "'--resume'"
[[ $(cell full.db "PRAGMA integrity_check") == ok ]] || fail "the file is damaged"
stored=$(cell full.db "SELECT count(*) FROM episode")
((stored > 0 && stored < 3000)) || fail "expected some rows, found $stored"
if unshare -rm true 2>/dev/null; then
  mkdir small
  ran="glimpse bench onto a full disk"
  status=0
  unshare -rm bash -c 'mount -t tmpfs -o size=200k none small && "$GLIMPSE" bench long.json -o small/x.db; code=$?
    sqlite3 small/x.db "PRAGMA integrity_check; SELECT count(*) > 0 FROM episode"; exit $code' >out 2>err || status=$?
  expect_status 1
  err_has "small/x.db: error: the disk is full"
  expect_out <<<$'ok\n1'
fi
run bench long.json -o full.db --resume
expect_status 0
(($(cell full.db "SELECT count(*) FROM episode WHERE run = 1") == stored)) || fail "rows were repeated"

# A signal: what was finished is stored, and how to go on is said.
for signal in "INT 130" "TERM 143"; do
  rm -f cut.db
  ran="glimpse bench, and a signal $signal"
  set -m
  "$GLIMPSE" bench curve --scale full -o cut.db --json >out 2>err &
  set +m
  for ((i = 0; i < 600; i++)); do
    if [[ -s cut.db && ! -e cut.db-journal ]] && (($(cell cut.db "SELECT count(*) FROM episode" 2>/dev/null || echo 0) > 3)); then break; fi
    sleep 0.1
  done
  kill "-${signal% *}" $!
  status=0
  wait $! || status=$?
  expect_status "${signal#* }"
  expect_json outcome '"interrupted"'
  err_has "warning: interrupted; the same command with '--resume' runs what is missing"
  [[ $(cell cut.db "SELECT outcome FROM run") == interrupted ]] || fail "the run does not say that it was interrupted"
  [[ $(cell cut.db "SELECT count(*) FROM episode") == "$(json_value stored)" ]] || fail "another number of rows"
done
# A trace that is missing is missing, when all episodes are there.
printf '{"name": "traced", "environments": "robot-delivery:n=7", "planners": "aems-sr", "time": 100, "episodes": 1, "trace": 40}' >traced.json
sed 's/, "trace": 40//' traced.json >untraced.json
for name in untraced traced; do
  ran="glimpse bench $name.json, and a signal"
  set -m
  "$GLIMPSE" bench $name.json -o traced.db --resume --threads 1 >out 2>err &
  set +m
  for ((i = 0; i < 600; i++)); do
    [[ -s traced.db ]] && [[ $(cell traced.db "SELECT outcome FROM run ORDER BY id DESC" 2>/dev/null | head -1) == running ]] && break
    sleep 0.1
  done
  kill -INT $!
  status=0
  wait $! || status=$?
  expect_status 130
  err_has "warning: interrupted"
  sqlite3 traced.db "INSERT OR IGNORE INTO episode SELECT id, seed, 1, 0, 1, 0, 1, 1, 1, NULL, NULL, NULL, 1, NULL, '', 0, 0, NULL, '', 0, NULL
    FROM setting"
done
# Timed rows: the load is there and, where the system allows it, the core.
(($(cell cut.db "SELECT count(*) FROM episode WHERE load IS NULL") == 0)) || [[ $(uname) != Linux ]] || fail "no load"
run bench curve --episodes 1 --threads 64 -o crowd.db --dry-run
expect_status 0
printf '{"name": "timed", "environments": "tiger", "planners": "pomcp", "time": 0.001, "max-steps": 3, "episodes": 4}' >timed.json
run bench timed.json --threads 64
expect_status 0
if (($(nproc) < 64)); then err_has "warning: 64 workers share"; fi
[[ -e timed.db ]] || fail "the file has another name than its specification"

# Killed at random moments, many times: nothing is lost, nothing repeated, and the rows are those of a run without.
cat >kill.json <<'END'
{"name": "kill", "environments": ["tiger", "robot-delivery:n=3"], "planners": ["aems-sr", "pomcp"],
 "expansions": [20, 40], "max-steps": 20, "episodes": 60, "trace": 8}
END
run bench kill.json -o whole.db
expect_status 0
RANDOM=${SEED:-$RANDOM}
seed=$RANDOM
RANDOM=$seed
rm -f killed.db
: >before
for ((kills = 0; kills < 12; kills++)); do
  ran="glimpse bench, killed $kills times before (SEED=$seed)"
  status=0
  "$GLIMPSE" bench kill.json -o killed.db --resume >out 2>err &
  sleep "0.$(printf %03d $((RANDOM % 250)))"
  kill -9 $! 2>/dev/null || true
  wait $! 2>/dev/null || status=$?
  ((status == 137 || status == 0)) || fail "it ended by itself"
  [[ -s killed.db ]] || continue
  # Opening the file rolls back what was under way.
  [[ $(cell killed.db "PRAGMA integrity_check") == ok ]] || fail "the file is damaged"
  sqlite3 killed.db "SELECT * FROM episode ORDER BY setting, seed" >after 2>/dev/null || : >after
  [[ -z $(comm -23 <(LC_ALL=C sort before) <(LC_ALL=C sort after)) ]] || fail "rows were lost or changed"
  mv after before
done
run bench kill.json -o killed.db --resume
ran="$ran (SEED=$seed)"
expect_status 0
expect_out <<<"killed.db: 480 of 480 episodes stored"
[[ $(cell killed.db "SELECT count(*) FROM run WHERE outcome = 'running'") == 0 ]] || fail "a run that was killed is running"
sqlite3 killed.db "SELECT * FROM episode ORDER BY setting, seed" >after
[[ -z $(comm -23 <(LC_ALL=C sort before) <(LC_ALL=C sort after)) ]] || fail "rows were lost or changed in the end"
cmp -s <(rows whole.db) <(rows killed.db) || fail "other rows than without the kills"

# What a terminal was told is stored, is stored: a kill right after the message.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
  rm -f told.db
  cat >told.json <<'END'
{"name": "told", "environments": "robot-delivery:n=3", "planners": "aems-sr", "expansions": 100, "max-steps": 60, "episodes": 100000}
END
  printf '#!/bin/sh\necho $$ >pid\nexec "$GLIMPSE" bench told.json -o told.db\n' >told.sh
  for ((i = 0; i < 3; i++)); do
    ran="glimpse bench on a terminal, killed (SEED=$seed)"
    rm -f pid told.db
    : >typescript
    TERM=xterm script -qec "sh told.sh" typescript >/dev/null 2>&1 &
    for ((k = 0; k < 1200; k++)); do
      if (($(tr '\r' '\n' <typescript | grep -c '[1-9][0-9]* of 100000 episodes stored') > 2)); then break; fi
      sleep 0.05
    done
    sleep "0.$(printf %03d $((RANDOM % 400)))"
    kill -9 "$(cat pid)" || fail "it was not there to be killed: $(cat typescript)"
    wait $! 2>/dev/null || true
    told=$(tr '\r' '\n' <typescript | grep -o '[0-9]* of 100000 episodes stored' | tail -1 | cut -d' ' -f1 || true)
    there=$(cell told.db "SELECT count(*) FROM episode")
    ((${told:-0} > 0 && there >= told)) || fail "$told rows were told as stored, and $there are there"
  done
  (($(tr '\r' '\n' <typescript | grep -c 'left') > 0)) || fail "no estimate of the time left"
fi

# Policies, solved or from a file, are played like any planner; what they prove is stored with them.
run solve tiger -o t.policy
planner '[{"planner": "policy", "policy": "t.policy"}, {"planner": "policy", "relative": 0.05}, "never-ask"]' >policy.json
run bench policy.json -o policy.db
expect_status 0
facts() { cell policy.db "SELECT p.verified, p.nodes, abs(p.lower - 180) < 1e-6, abs(p.upper - 180) < 1e-6, p.seconds > 0,
  p.expansions, (SELECT min(return) > 150 FROM episode e WHERE e.setting = s.id) FROM policy p JOIN setting s
  ON s.id = p.setting WHERE s.options LIKE '$1'"; }
[[ $(facts 'policy=t.policy@%') == '1|3|1|1|||1' ]] || fail "the policy from a file: $(facts 'policy=t.policy@%')"
[[ $(facts relative=0.05) == '1|3|1|1|1|1|1' ]] || fail "the policy that was solved: $(facts relative=0.05)"
run report policy.db --format csv
expect_status 0
out_has 'policy_lower,policy_upper,policy_proved,policy_nodes,policy_expansions,policy_seconds'
run report policy.db
out_has 'Policies, what they prove and what they took'
sed -i 's/"environments": "tiger"/"environments": "toy"/' policy.json
run bench policy.json -o other.db
expect_status 1
err_has "'t.policy': the policy is of another model, or of another cost or discount"
