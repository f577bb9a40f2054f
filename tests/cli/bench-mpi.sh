# glimpse bench under mpirun: the same rows as with threads, and a rank that dies costs its unfinished episodes only.
#
# Covers experiment/cluster.c, experiment/mpi/module.c, experiment/ranks.c, experiment/ranks_member.c.
. "$SOURCE/tests/cli/support/checks.sh"
for program in mpirun sqlite3; do
  command -v "$program" >/dev/null || { echo "the program $program is missing"; exit 77; }
done
# MPI itself never frees some of its memory, which is no concern of a checker of ours.
if [[ $(head -c 2 "$GLIMPSE") == '#!' ]]; then echo "not under a wrapper"; exit 77; fi
cat >grid.json <<'END'
{"name": "grid", "environments": ["tiger", "robot-delivery:n=3"], "planners": ["aems-sr", "pomcp"],
 "expansions": [10, 30], "max-steps": 20, "episodes": 10, "trace": 8}
END
rows() {
  sqlite3 -cmd ".timeout 60000" "$1" "SELECT s.key, e.seed, e.return, e.steps, e.requests, e.ended, e.decisions, e.expansions,
    e.error_reduction, e.lower, e.upper FROM episode e JOIN setting s ON s.id = e.setting ORDER BY 1, 2;
    SELECT s.key, t.expansions, t.lower, t.upper FROM trace t JOIN setting s ON s.id = t.setting ORDER BY 1, 2"
}
cell() { sqlite3 -cmd ".timeout 60000" "$1" "$2"; } # a run may hold its file for a moment
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # as in containers
# MPI looks up "localhost" and the machine's name many times, and waits 5 s for each answer of a name server that is lost:
# in a bare root without /etc/hosts three ranks took 6 to 11 s to start instead of one.
export RES_OPTIONS="timeout:1 attempts:1"
mpi() {
  ran="mpirun $*"
  status=0
  timeout 300 mpirun --oversubscribe "$@" >out 2>err || status=$?
}

mpi -np 3 "$GLIMPSE" bench grid.json -o ranks.db
if grep -q 'built without' err; then exit 77; fi
expect_status 0
expect_out <<<"ranks.db: 80 of 80 episodes stored"
(($(cell ranks.db "SELECT ranks FROM run") == 3)) || fail "the run does not say how many ranks there were"
run bench grid.json -o threads.db
expect_status 0
cmp -s <(rows threads.db) <(rows ranks.db) || fail "other rows with ranks"
mpi -np 2 "$GLIMPSE" bench grid.json -o ranks.db --resume --threads 2
expect_status 0
(($(cell ranks.db "SELECT count(*) FROM episode WHERE run > 1") == 0)) || fail "rows were repeated"

# What is wrong is said once, by rank 0 for the file and by all for what all read.
mpi -np 3 "$GLIMPSE" bench grid.json -o ranks.db
expect_status 1
(($(grep -c "ranks.db: error: has 80 episodes of 'grid' already" err) == 1)) || fail "expected one complaint"

# With budgets of time, more workers than cores are told of, once for a machine; and the standard input is rank 0's.
printf '{"name": "timed", "environments": "tiger", "planners": "pomcp", "time": 0.001, "max-steps": 3, "episodes": 4}' >timed.json
ranks=$(($(getconf _NPROCESSORS_ONLN) + 1))
if ((ranks <= 9)); then
  mpi -np $ranks "$GLIMPSE" bench timed.json -o timed.db
  expect_status 0
  (($(grep -c "warning: $ranks workers on .* share $((ranks - 1)) core" err) == 1)) || fail "expected one warning"
fi
mpi -np 2 "$GLIMPSE" bench - -o stdin.db <timed.json
expect_status 1
err_has "a specification on the standard input would reach rank 0 only"

# What follows disturbs jobs. Each has a directory of its own, and those that mostly wait do so side by side.
cat >long.json <<'END'
{"name": "long", "environments": "robot-delivery:n=3", "planners": "aems-sr", "expansions": 500, "max-steps": 40,
 "episodes": 30}
END
sed 's/"episodes": 30/"episodes": 100000/' long.json >endless.json
enter() { # enter NAME: a directory for one job
  mkdir "$1"
  cd "$1"
  : >out
  : >err
}
launch() { # launch SPEC FILE OPTION ...: three ranks, which leave their numbers in pid.RANK; the job is $job
  local spec=$1 file=$2
  shift 2
  timeout 300 mpirun --oversubscribe "$@" -np 3 bash -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$0" "$@"' \
    "$GLIMPSE" bench "$spec" -o "$file" >out 2>err &
  job=$!
}
await() { # await FILE WHICH: until there are such rows; a job that ends before has failed
  local count
  while true; do
    count=0
    if [[ -s $1 ]]; then count=$(cell "$1" "SELECT count(*) FROM episode WHERE $2" 2>cell.err || echo 0); fi
    if ((count > 0)); then return; fi
    if ! kill -0 "$job" 2>/dev/null; then
      status=0
      wait "$job" || status=$?
      fail "the job ended without a row with $2; ranks that started: $(cat pid.* 2>/dev/null | tr '\n' ' ')"
    fi
    sleep 0.1
  done
}
finish() { # of the job: its status
  status=0
  wait "$job" || status=$?
  ((status != 124)) || fail "the job did not end"
}
dead() { # dead RANK: it is, though perhaps nobody has asked for its status yet
  local i state
  for ((i = 0; i < 600; i++)); do
    state=$(ps -o stat= -p "$(cat "pid.$1")" || true)
    if [[ -z $state || $state == Z* ]]; then return; fi
    sleep 0.1
  done
  fail "rank $1 is still there: $state"
}

# Rank 0 dies or is stopped: the job ends by itself, and what was stored is there.
lose() { # lose SIGNAL OPTION ...: of rank 0, when there are rows
  local signal=$1 there i
  shift
  ran="mpirun $* ..., and SIG$signal for rank 0"
  GLIMPSE_SILENCE=20 launch ../endless.json end.db "$@"
  await end.db "rank > 0"
  there=$(cell end.db "SELECT count(*) FROM episode")
  kill -"$signal" "$(cat pid.0)" || fail "rank 0 was not there"
  finish
  for i in 0 1 2; do dead "$i"; done
  [[ $(cell end.db "PRAGMA integrity_check") == ok ]] || fail "the file is damaged"
  (($(cell end.db "SELECT count(*) FROM episode") >= there)) || fail "rows were lost"
}
stopped() {
  lose STOP
  err_has "error: rank 0 has been silent for 20 s: the job is ended"
  err_has "'--resume' runs what is missing"
}
stopped_in_recovery() {
  lose STOP --enable-recovery
  err_has "error: rank 0 has been silent for 20 s: the job is ended"
}
killed() {
  lose KILL --enable-recovery
  err_has "error: rank 0 is gone"
}
never() { # it is stopped before it has said a word
  ran="mpirun, and a rank 0 that does not start"
  status=0
  GLIMPSE_SILENCE=2 timeout 60 mpirun --oversubscribe -np 2 bash -c 'if ((OMPI_COMM_WORLD_RANK == 0)); then kill -STOP $$; fi; exec "$0" "$@"' \
    "$GLIMPSE" bench ../endless.json -o never.db >out 2>err || status=$?
  ((status != 0 && status != 124)) || fail "status $status"
  err_has "not all ranks of the MPI job have started"
}
names=(stopped stopped_in_recovery killed never)
jobs=()
for name in "${names[@]}"; do
  (enter "$name" && "$name") >"$name.log" 2>&1 &
  jobs+=($!)
done

# A rank that dies: with --enable-recovery the others go on; without, mpirun ends them all, and --resume goes on.
run bench long.json -o whole.db
expect_status 0
die() { # die FILE OPTION ...: kills one rank when there are rows
  local file=$1
  shift
  ran="mpirun $* ..., and a rank that dies"
  launch ../long.json "$file" "$@"
  await "$file" "rank = 2"
  kill -9 "$(cat pid.2)" || fail "rank 2 was not there"
  finish
}
(
  enter recovery
  die dead.db --enable-recovery
  expect_status 0
  err_has "warning: rank 2 on "
  out_has "dead.db: 30 of 30 episodes stored"
  cmp -s <(rows ../whole.db) <(rows dead.db) || fail "other rows after the death of a rank"
)
(
  enter resume
  die cut.db
  [[ $status != 0 ]] || fail "mpirun did not notice"
  [[ $(cell cut.db "PRAGMA integrity_check") == ok ]] || fail "the file is damaged"
  dead 0 # mpirun may end before it
  there=$(cell cut.db "SELECT count(*) FROM episode")
  run bench ../long.json -o cut.db --resume
  expect_status 0
  (($(cell cut.db "SELECT count(*) FROM episode WHERE run = 1") == there)) || fail "rows were repeated or lost"
  cmp -s <(rows ../whole.db) <(rows cut.db) || fail "other rows after --resume"
)
failed=0
for i in "${!names[@]}"; do
  wait "${jobs[i]}" || failed=1
  cat "${names[i]}.log"
done
exit $failed
