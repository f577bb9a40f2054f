# glimpse report: the tables in all formats, the page, the plots, and files that are no results.
#
# Covers tool/report_json.c.
. "$SOURCE/tests/cli/support/checks.sh"

run report results.db
if grep -q 'built without SQLite' err; then
  expect_status 1
  exit 77
fi

# ------------------------------------------------------------------------------------- results
cat >small.json <<'END'
{"name": "small", "title": "A <small> one & its axis", "seed": 5, "max-steps": 20, "trace": true, "axis": "budget",
 "environments": ["toy", "tiger"], "planners": ["aems-sr", "aems", "never-ask"], "expansions": [5, 50], "episodes": 6}
END
run bench small.json --output results.db --threads 1
expect_status 0

run report results.db
expect_status 0
expect_no_err
out_has 'results.db: 72 episodes of 12 settings.'
out_has '== A <small> one & its axis'
out_has '95 % interval'
# The toy with aems-sr: always 7, whatever the seed (one request, a certain guess).
grep -Eq '^toy +aems-sr +5 expansions +6 +7\.000 ± 0\.000 +7\.000 to 7\.000' out || fail "no mean of 7"
grep -Eq '^tiger +50 expansions +aems-sr +never-ask +6 .* better$' out || fail "no comparison"
! grep -qi 'nan\|inf ' out || fail "a number that is none"

run report results.db --format csv
expect_status 0
expect_no_err
cp out results.csv
head -1 out | grep -q '^experiment,environment,cost,discount,planner,' || fail "no heads"
(($(wc -l <out) == 13)) || fail "expected a head and 12 rows"

# The mean and its error of the same episodes, played one by one.
for seed in 5 6 7 8 9 10; do
  run run toy --planner never-ask --episodes 1 --seed $seed --max-steps 20 --json
  expect_status 0
  json_value return.mean >>returns
done
read -r mean error < <(awk '{ sum += $1; values[NR] = $1 }
  END { for (i = 1; i <= NR; i++) squares += (values[i] - sum / NR) ^ 2
        printf "%.12f %.12f\n", sum / NR, sqrt(squares / (NR - 1) / NR) }' returns)
run report results.db --json
expect_json 'experiments[0].results[4].planner' '"never-ask"'
expect_json 'experiments[0].results[4].error_reduction.mean' null
expect_near 'experiments[0].results[0].error_reduction.mean' 100 1e-6
expect_near 'experiments[0].results[4].return.mean' "$mean" 1e-9
expect_near 'experiments[0].results[4].return.se' "$error" 1e-9
expect_near 'experiments[0].results[4].return.high' "$(awk "BEGIN { printf \"%.9f\", $mean + 2.570582 * $error }")" 1e-5
awk "BEGIN { exit !($error > 0.1) }" || fail "expected returns that vary"

run report results.db --format csv --table comparison
expect_status 0
(($(wc -l <out) == 9)) || fail "expected a head and 8 rows"
run report results.db --format csv --table comparison --against never-ask
expect_status 0
awk -F, 'NR > 1 && $5 != "never-ask" { exit 1 }' out || fail "expected never-ask against the others"
run report results.db --table runs
expect_status 0
out_has 'complete'
run report results.db --format markdown
expect_status 0
out_has '## A \<small\> one &amp; its axis'
out_has '| ---: |'
run report results.db --format latex
expect_status 0
out_has '\section*{A \textless{}small\textgreater{} one \& its axis}'
out_has '$7.000 \pm 0.000$'
(($(grep -c 'begin{table}' out) == $(grep -c 'end{table}' out))) || fail "tables do not end"

run report results.db --json
expect_status 0
expect_no_err
expect_json episodes 72
expect_json wanted 72
expect_json 'experiments[0].name' '"small"'
expect_json 'experiments[0].results[0].planner' '"aems-sr"'
expect_json 'experiments[0].results[0].return.mean' 7
expect_json 'experiments[0].results[0].paper' null
expect_json 'experiments[0].comparisons[0].pairs' 6

# A pipe that closes early, a disk that is full.
if [[ -e /dev/full ]]; then
  run report results.db --html /dev/full
  expect_status 1
  err_has '/dev/full: error: cannot be written'
fi

# -------------------------------------------------------------------------------- page and plots
if command -v gnuplot >/dev/null; then
  run report results.db --html page.html --plots plots --keep-data
  expect_status 0
  expect_no_err
  out_has 'page.html: the report as a page'
  for kind in return er rate bounds; do
    for ending in svg png dat gp; do [[ -s plots/small-$kind.$ending ]] || fail "no plots/small-$kind.$ending"; done
  done
  # A share of a gap has no numbers below 0 or above 100, and rules have none at all.
  (($(grep -c 'set yrange \[0:102\]' plots/small-er.gp) == 2)) || fail "the axis of the error reduction"
  ! grep -q never-ask plots/small-er.dat || fail "an error reduction of a rule"
  grep -q never-ask plots/small-return.dat || fail "no return of a rule"
  grep -q 'set yrange \[\*:' plots/small-return.gp || fail "returns have no natural beginning"
  # Each table and each plot scrolls by itself.
  (($(grep -c '<div class="wide" tabindex="0"><table>' page.html) == $(grep -c '<table>' page.html))) || fail "a table without a frame"
  (($(grep -c '<figure class="wide" tabindex="0">' page.html) == $(grep -c '<figure' page.html))) || fail "a plot without a frame"
  # The script alone draws the same again.
  cp plots/small-return.svg before.svg
  rm plots/small-return.svg
  (cd plots && gnuplot small-return.gp) || fail "gnuplot fails"
  cmp -s before.svg plots/small-return.svg || fail "another picture"
  (($(grep -c '<svg' page.html) == $(find plots -name '*.svg' | wc -l))) || fail "plots are missing in the page"
  mkdir tmp
  TMPDIR=$WORK/tmp run report results.db --html -
  expect_status 0
  cmp -s out page.html || fail "not the same page"
  [[ -z $(ls tmp) ]] || fail "temporary files are left"
  run report results.db --plots results.db
  expect_status 1
  err_has 'results.db: error: cannot make this directory'
fi
# Without gnuplot: a page without plots, or its scripts alone, or an error that says what to do.
mkdir bin
for program in env bash; do ln -s "$(command -v $program)" bin/; done
PATH=$WORK/bin run report results.db --html bare.html
expect_status 0
err_has "warning: there is no program 'gnuplot' in PATH"
grep -q 'gnuplot was not found' bare.html || fail "the page does not say so"
! grep -q '<svg' bare.html || fail "a plot from nowhere"
PATH=$WORK/bin run report results.db --plots bare
expect_status 1
err_has "error: there is no program 'gnuplot' in PATH"
err_has "hint: install it (Debian: gnuplot-nox), or write its data and scripts with '--keep-data'"
PATH=$WORK/bin run report results.db --plots bare --keep-data
expect_status 0
[[ -s bare/small-return.gp && ! -e bare/small-return.svg ]] || fail "no scripts"
run report results.db --html missing/page.html
expect_status 1
err_has 'missing/page.html: error: cannot be written: No such file or directory'
[[ ! -e missing ]] || fail "a directory from nowhere"

# ---------------------------------------------------------------------------------------- errors
run report nowhere.db
expect_status 1
expect_no_out
err_has 'nowhere.db: error: '
err_has "hint: 'glimpse bench' writes the files that 'glimpse report' reads"
[[ ! -e nowhere.db ]] || fail "reading has made a file"
yes 'this is text' | head -2000 >text.db || true
for file in text.db .; do
  run report "$file"
  expect_status 1
  expect_no_out
  err_has "$file: error: "
done
: >empty.db
run report empty.db
expect_status 1
err_has 'empty.db: error: '
[[ ! -s empty.db ]] || fail "reading has written"
head -c 9000 results.db >short.db
run report short.db
expect_status 1
err_has 'short.db: error: '
run report results.db --against nobody
expect_status 1
err_has "there is no planner 'nobody' in it to compare with"
run report results.db --json --format csv
expect_status 2
run report results.db --keep-data
expect_status 2
run report results.db --format word
expect_status 2
run report
expect_status 2

# Of a database: a newer schema, another purpose, no episode yet, some of the episodes, a killed writer.
if ! command -v sqlite3 >/dev/null; then exit 0; fi
cp results.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
run report newer.db
expect_status 1
err_has 'newer.db: error: '
err_has 'hint: read it with the glimpse that wrote it'
sqlite3 other.db 'CREATE TABLE t(x)'
run report other.db
expect_status 1
err_has 'other.db: error: '
cp results.db none.db
sqlite3 none.db 'DELETE FROM episode'
run report none.db
expect_status 1
err_has 'none.db: error: there is no episode in it yet'
cp results.db some.db
sqlite3 some.db 'DELETE FROM episode WHERE seed > 7; UPDATE setting SET episodes = 200'
run report some.db
expect_status 0
out_has '36 of 2400 episodes of 12 settings'
out_has '3 of 200'
# A writer that dies within a transaction leaves a journal, which reading rolls back.
cp results.db hot.db
mkfifo wait
sqlite3 hot.db >/dev/null 2>&1 < <(
  echo "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE episode SET host = hex(randomblob(4000));"
  cat wait
) &
writer=$!
for ((i = 0; i < 1200; i++)); do
  if [[ -s hot.db-journal ]] && (($(wc -c <hot.db) > 100000)); then break; fi
  sleep 0.05
done
# The copy is what a kill would have left: no process holds a lock on it.
cp hot.db killed.db
cp hot.db-journal killed.db-journal
: >"wait"
wait $writer || true
(($(wc -c <killed.db) > 100000)) || fail "expected a file within a transaction"
run report killed.db --format csv
expect_status 0
cmp -s results.csv out || fail "expected the results before the transaction"
cp results.db one.db
sqlite3 one.db 'DELETE FROM episode WHERE seed > 5'
run report one.db
expect_status 0
grep -Eq '^toy +aems-sr +5 expansions +1 of 6 +7\.000 +- ' out || fail "a standard error of one episode"
run report one.db --json
expect_json 'experiments[0].results[0].return.se' null

# ------------------------------------------------------------------------------------- published figures
cat >loss.json <<'END'
{"name": "beside", "environments": "loss", "planners": ["aems-loop", "spi"], "cost": [0.05, 0.3], "expansions": 100,
 "episodes": 30, "max-steps": 50}
END
run bench loss.json --output loss.db
expect_status 0
run report loss.db --table published
expect_status 0
expect_no_err
out_has 'Beside published figures: cost 0.05, discount 0.95, budget 100 expansions'
grep -Eq '^loss +best possible .* 0\.8694 +0\.8694 +proved$' out || fail "no best value"
grep -Eq '^loss +aems-loop +30 +0\.[0-9]{3} ± ' out || fail "no planner of ours"
grep -Eq '^loss +ATM-Q +last50: 50 × 5 runs +0\.935 ± 0\.003 +1\.29 .*ATM, ICAPS 2023$' out || fail "no figure of theirs"
out_has 'LAVA-LAB/ATM be9c4e9'
run report loss.db --table published --format csv
expect_status 0
grep -q '^beside,loss,0.05,ATM-Q,.*,Data/Run2/AMData_BAM_QMDP_Loss_005.json$' out || fail "no file"
run report loss.db --json
expect_json 'experiments[0].published[0].algorithm' '"best possible"'
expect_near 'experiments[0].published[0].lower' 0.869432 1e-4
expect_json 'experiments[0].published[1].algorithm' '"aems-loop"'
expect_near 'experiments[0].published[1].return.mean' "$(json_value 'experiments[0].results[0].return.mean')" 1e-12
expect_json 'experiments[0].published[3].file' '"Data/Run2/AMData_ACNO_OTP_Loss_005.json"'
run report loss.db --html loss.html
expect_status 0
grep -q 'Beside published figures' loss.html || fail "not on the page"
run report results.db --table published # nobody has published on these
expect_status 0
! grep -q 'Beside' out || fail "expected no table"

# How often each inquiry was asked: in the file, in the table, on the page, in CSV and in JSON.
cat >menu.json <<'END'
{"name": "menu", "experiments": [{"name": "menu", "environments": ["battery-robot"], "planners": ["aems-loop"],
  "budgets": [{"expansions": 10}], "episodes": 3, "max-steps": 20}]}
END
run bench menu.json -o menu.db
expect_status 0
[[ $(sqlite3 menu.db "SELECT count(*) FROM episode WHERE asked GLOB 'state=* gauge=* camera=*'") == 3 ]] ||
  fail "inquiries are not counted"
run report menu.db --table results
expect_status 0
# asked is like 'state=0 gauge=2 camera=1', a line for each of the three episodes
words=$(sqlite3 menu.db 'SELECT asked FROM episode' |
  awk -F '[ =]' '{ state += $2; gauge += $4; camera += $6 }
    END { printf "state %.2f, gauge %.2f, camera %.2f", state / NR, gauge / NR, camera / NR }')
out_has "$words"
run report menu.db --html menu.html
expect_status 0
grep -Fq "$words" menu.html || fail "no inquiries on the page"
# Two planners ask differently, and each row of the page has its own.
sed -i 's/\["aems-loop"\]/["act-then-measure", "never-ask"]/' menu.json
run bench menu.json -o menus.db
expect_status 0
run report menus.db --html menus.html
expect_status 0
grep -Fq 'state 0.00, gauge 0.00, camera 0.00' menus.html || fail "who never asks is not on the page"
[[ $(grep -Eo 'state [0-9.]+, gauge [0-9.]+, camera [0-9.]+' menus.html | sort -u | wc -l) == 2 ]] ||
  fail "act-then-measure does not ask, or is not on the page"
run report menu.db --json
expect_status 0
sum=$(for name in state gauge camera; do json_value "experiments[0].results[0].inquiries.$name"; done |
  awk '{ sum += $1 } END { printf "%.12g", sum }')
expect_near 'experiments[0].results[0].requests.mean' "$sum" 1e-9
run report menu.db --table results --format csv
expect_status 0
grep -q ',state=.* gauge=.* camera=' out || fail "no inquiries in CSV"
run report loss.db --json # a model with a cost alone
! grep -q '"inquiries"' out || fail "a cost is no inquiry"
