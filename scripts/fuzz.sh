#!/usr/bin/env bash
# Runs fuzzing targets for some processor time each, and says how many inputs were tried.
#
#   scripts/fuzz.sh BUILD SECONDS [TARGET ...]
#
# BUILD is the directory of a build with GLIMPSE_FUZZER ("make fuzz" makes it); without targets all of
# them run, one after the other. Processor time is that of the fuzzer and its children, so that a busy machine
# does not shorten the search. Inputs that reach something new are kept in BUILD/corpus, findings in
# BUILD/findings. The exit status is 1 if there is a finding.

set -euo pipefail
cd "$(dirname "$0")/.."

if (($# < 2)); then
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
build=$1 seconds=$2
shift 2
fuzzer=$(sed -n 's/^GLIMPSE_FUZZER:STRING=//p' "$build/CMakeCache.txt")
longest=4096 # bytes of an input
mkdir -p "$build/corpus" "$build/findings" "$build/logs"

targets=("$@")
if ((!$#)); then
  for program in "$build"/tests/fuzz/fuzz_*; do
    name=${program##*/fuzz_}
    if [[ -x $program && $name != *.* ]]; then targets+=("$name"); fi
  done
fi

# Processor seconds of a process and all that it started, running or done (Linux).
used() {
  local pids=$1 next=$1 ticks=0 line fields
  while [[ $next ]]; do
    next=$(ps -o pid= --ppid "${next//[[:space:]]/,}" 2>/dev/null | xargs || true)
    pids+=" $next"
  done
  for pid in $pids; do
    { read -r line <"/proc/$pid/stat"; } 2>/dev/null || continue
    read -ra fields <<<"${line##*) }" # behind the name: state is the first, utime the 12th
    ticks=$((ticks + fields[11] + fields[12] + fields[13] + fields[14]))
  done
  echo $((ticks / $(getconf CLK_TCK)))
}

# Waits until the process has had its time or has ended, then asks it to stop.
watch_over() {
  local pid=$1 time=0 now
  while kill -0 "$pid" 2>/dev/null; do
    now=$(used "$pid")
    if ((now > time)); then time=$now; fi # 0 when it has just ended
    if ((time >= seconds)); then
      kill -INT "$pid" 2>/dev/null || true
      break
    fi
    sleep 1
  done
  last_time=$time
}

dictionary() { # the options that name it, if the target has one
  local option=$1 file=tests/fuzz/fuzz_$2.dict
  if [[ -e $file ]]; then printf '%s' "$option$file"; fi
}

libfuzzer() {
  local name=$1 log=$build/logs/$1.log dict
  dict=$(dictionary -dict= "$name")
  mkdir -p "$build/corpus/$name"
  "$build/tests/fuzz/fuzz_$name" ${dict:+"$dict"} -max_len=$longest -timeout=300 -rss_limit_mb=1500 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$name-" \
    "$build/corpus/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1 </dev/null &
  watch_over $!
  wait $! || true
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  # The last words tell whether it was asked to stop or had to.
  findings=$(grep -c '^SUMMARY: \|^==[0-9]*== *ERROR' "$log" || true)
  if grep -q 'run interrupted' "$log"; then findings=0; fi
}

afl() {
  local name=$1 log=$build/logs/$1.log out=$build/corpus/$1 dict
  dict=$(dictionary "" "$name")
  rm -rf "$out"
  # The sanitizers need addresses without end.
  AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 AFL_AUTORESUME=0 \
    afl-fuzz -i "tests/fuzz/corpus/$name" -o "$out" ${dict:+-x "$dict"} -G $longest -m none -t 30000 \
    -- "$build/tests/fuzz/fuzz_$name" >"$log" 2>&1 </dev/null &
  watch_over $!
  wait $! || true
  executions=$(sed -n 's/^execs_done *: *//p' "$out/default/fuzzer_stats" 2>/dev/null || true)
  findings=$(find "$out/default/crashes" "$out/default/hangs" -name 'id:*' 2>/dev/null | wc -l)
}

failed=0
for name in "${targets[@]}"; do
  echo "fuzz: $name, $seconds s of processor time with $fuzzer"
  case $fuzzer in
  libfuzzer) libfuzzer "$name" ;;
  afl) afl "$name" ;;
  *)
    echo "fuzz: '$build' was not built with GLIMPSE_FUZZER" >&2
    exit 2
    ;;
  esac
  echo "fuzz: $name: ${executions:-0} executions in $last_time s of processor time, $findings findings"
  if ((findings || last_time < seconds)); then
    failed=1
    tail -n 40 "$build/logs/$name.log" >&2
  fi
done
exit $failed
