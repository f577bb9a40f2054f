# Input that means harm: a few bytes that would fill the memory or take hours, text that never ends, and names that
# a terminal or a browser would obey. SECURITY.md promises what is checked here.
. "$SOURCE/tests/cli/support/checks.sh"

# --------------------------------------------------------------------------- few words, large models
model() { # model STATES ACTIONS OBSERVATIONS ENTRY ...
  printf 'discount: 0.9\nvalues: reward\nstates: %s\nactions: %s\nobservations: %s\n' "$1" "$2" "$3"
  shift 3
  printf '%s\n' "$@"
}
refused() { # refused PART-OF-MESSAGE: the model on the standard input
  ran="glimpse check - <model.pomdp"
  cat >model.pomdp
  status=0
  "$GLIMPSE" check - <model.pomdp >out 2>err || status=$?
  expect_status 1
  err_has "$1"
}
model 4000000000 2 2 'T: * uniform' 'O: * uniform' | refused 'expected at most 16777216 states'
model 16777216 8 1 'T: * identity' 'O: * uniform' | refused 'pairs of state and action from so short a text'
model 8000 1 8000 'T: * uniform' 'O: * uniform' | refused 'non-zeros in each of T, O and R from so short a text'
model 3000 1 3000 'T: * uniform' 'O: * uniform' 'R: * : * : * : 3 1' | refused 'at more steps than so short a text may have'
model 1 1 1 'T: * : * : * 99999999999999999999999' 'O: * uniform' | refused 'expected a probability'

# What a text of this size may say is still read.
model 2000 2 20 'T: * identity' 'O: * uniform' 'R: * : * : * : * 1' >model.pomdp
run info model.pomdp
expect_status 0

# ----------------------------------------------------------------------------- text without an end
if truncate -s 3G sparse 2>err; then
  run check sparse
  expect_status 1
  err_has 'sparse: error: expected at most 1073741824 bytes, found more'
  rm -f sparse
fi
yes 2>/dev/null | { "$GLIMPSE" bench - -o none.db >out 2>err || status=$?; echo "${status:-0}" >code; } || true
if ! grep -q 'built without SQLite' err; then
  err_has 'expected at most 16777216 bytes, found more'
  [[ $(cat code) == 1 ]] || fail "expected exit status 1"
fi
# Brackets in brackets, for those who read them by recursion.
head -c 100000 /dev/zero | tr '\0' '[' >deep.json
run bench deep.json -o none.db
expect_status 1
grep -q 'built without SQLite' err || err_has 'expected fewer levels'
run agent tiger --expansions 1 <deep.json
expect_status 0
[[ -z $(tr -d '[:print:]\n' <out) ]] || fail "expected nothing but text"
out_has '"error"'
cp deep.json deep.record
run replay deep.record
expect_status 1

# -------------------------------------------------------------------- names that a terminal would obey
escape=$'\033]0;owned\007\033[2J' c1=$'\302\2332J'
obeyed() { LC_ALL=C grep -q $'[\001-\010\013-\037\177]\|\302[\200-\237]' "$1"; }
run info "$escape$c1.pomdp"
expect_status 1
err_has '?]0;owned??[2J??2J.pomdp: error: cannot open'
! obeyed err || fail "expected no control characters in a message"
name="x$escape$c1.pomdp"
model 2 1 1 'T: * identity' 'O: * uniform' >"$name"
run info "$name" --json
expect_status 0
! obeyed out || fail "expected no control characters in JSON"
out_has '\u009b2J'
# A program reads the name as it is ...
run info "$name"
expect_status 0
out_has "$name"
# ... and a terminal does not.
if script -qec true /dev/null >out 2>err </dev/null; then
  status=0
  ran='glimpse info on a terminal'
  TERM=dumb NAME=$name script -qec "$(printf '%q ' $GLIMPSE)"'info "$NAME"' /dev/null >out 2>err </dev/null || status=$?
  expect_status 0
  tr -d '\r' <out >shown
  out_has 'x?]0;owned??[2J??2J.pomdp'
  ! obeyed shown || fail "expected no control characters on a terminal"
fi

# ------------------------------------------------------------------- names that a browser would obey
if [[ -x $(command -v sqlite3) ]] && echo '{"name": "small", "max-steps": 5, "trace": true, "axis": "budget", "environments": ["toy"],
  "planners": ["aems-sr", "never-ask"], "expansions": [5, 10], "episodes": 2}' >small.json && "$GLIMPSE" bench small.json -o evil.db >out 2>err; then
  bad='x</title></svg><script>alert(1)</script><img src=x onerror=alert(2)>"'"''"'} `touch pwned` @x ''; system "touch pwned" #'
  sqlite3 evil.db "UPDATE experiment SET title = '$bad' || char(10) || 'system \"touch pwned\"' || char(27), name = '../../$bad';
    UPDATE setting SET options = '$bad', upper = '$bad', lower = '$bad', improve = '$bad';
    UPDATE setting SET environment = 'toy:$bad' WHERE id = 1;
    UPDATE run SET command = '$bad', name = '$bad', scale = '$bad', version = '$bad', compiler = '$bad', system = '$bad',
      cpu = '$bad', outcome = '$bad';
    UPDATE episode SET host = '$bad';"
  mkdir -p inner/plots
  run report evil.db --html inner/page.html --plots inner/plots
  if ! grep -q "no program 'gnuplot'" err; then expect_status 0; fi
  run report evil.db --html page.html
  expect_status 0
  ! grep -Eqi '<(script|img|iframe|object|embed|link|base|form)|[< "]on[a-z]+="' page.html || fail "the page has something that runs"
  (($(grep -c '</title>' page.html) == $(grep -c '<title>' page.html))) || fail "a title ends too early"
  grep -q '&lt;script&gt;alert(1)&lt;/script&gt;' page.html || fail "expected the name in the page"
  ! obeyed page.html || fail "expected no control characters in the page"
  [[ -z $(find . -name pwned) && ! -e ../pwned ]] || fail "a name was run as a command"
  [[ -z $(find inner -type f -not -path 'inner/plots/*' -not -name page.html) ]] || fail "a file was written elsewhere"
  run report evil.db
  expect_status 0
  ! obeyed out || fail "expected no control characters in tables"

  # A view instead of a table could be a program without an end.
  sqlite3 evil.db "ALTER TABLE episode RENAME TO old; CREATE VIEW episode AS WITH RECURSIVE n(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS setting, i AS seed, 1 AS run, 0.0 AS 'return', 1 AS steps,
    0 AS requests, 1 AS ended, 1 AS decisions, 1.0 AS expansions, NULL AS error_reduction, NULL AS lower, NULL AS upper,
    0.0 AS seconds, NULL AS load, 'h' AS host, 0 AS rank, 0 AS worker, NULL AS core, '' AS finished FROM n"
  run report evil.db
  expect_status 1
  err_has "cannot read the results"
fi
