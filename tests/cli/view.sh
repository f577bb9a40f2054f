# glimpse view: the page with data inside, and a browser that gets it.
. "$SOURCE/tests/cli/support/checks.sh"

# A page with the place for the data is enough.
printf '<html><script type="application/json" id="glimpse-data">null</script></html>\n' >page.html
export GLIMPSE_PAGE=$PWD/page.html
data() { sed -n 's/.*id="glimpse-data">//p; /^<.script>/q' "$1" | sed 's/<.script>.*//' >out; }

run view -o one.html
expect_status 0
expect_no_err
expect_out <<<"one.html"
cmp -s page.html one.html || fail "without data it is the page itself"

run view tiger --cost 5 -o one.html --json
expect_status 0
expect_json page '"one.html"'
expect_json browser false
expect_json bytes "$(wc -c <one.html)"
data one.html
expect_json spec '"tiger"'
expect_json cost 5

run view maintenance -o two.html
expect_status 0
data two.html
expect_json spec '"maintenance"'
run view "$SOURCE/examples/models/robot-sensors.pomdp:camera=0.5" -o two.html # another price goes with the model
expect_status 0
data two.html
out_has 'inquiry camera before 0.5'
run view sepsis:timing=joint --cost 0.7 -o two.html
expect_status 0
data two.html
expect_json name '"sepsis:timing=joint"'
out_has ' joint 0.7'

# A file goes into the page as text in which nothing can end the element.
"$GLIMPSE" convert toy -o toy.pomdp
sed -i '1i # </script><script>alert(1)</script>' toy.pomdp
run view toy.pomdp -o two.html
expect_status 0
[[ $(grep -o '</script>' two.html | wc -l) == 1 ]] || fail "the data end the element"
data two.html
expect_json name '"toy.pomdp"'

"$GLIMPSE" run toy --episodes 1 --expansions 20 --record toy.jsonl >/dev/null
run view --record toy.jsonl -o three.html
expect_status 0
data three.html
flatten
grep -q '"glimpse": \\"\|\\"record\\"' three.html || fail "expected the recording"

"$GLIMPSE" solve tiger -o tiger.policy >/dev/null 2>&1
run view tiger --policy tiger.policy -o four.html
expect_status 0
data four.html
flatten
grep -q '"policy"' four.html || fail "expected the policy"

# The browser gets a file that ends with .html.
cat >browser <<'END'
#!/bin/sh
cat "$1" >"$TMPDIR/seen"
echo "$1" >"$TMPDIR/name"
END
chmod +x browser
mkdir -p tmp
export TMPDIR=$PWD/tmp
BROWSER=$PWD/browser run view tiger
expect_status 0
for ((i = 0; i < 100; i++)); do
  if [[ -s tmp/name ]]; then break; fi
  sleep 0.1
done
[[ $(cat tmp/name) == "$(cat out)" && $(cat out) == *.html ]] || fail "the browser got another file"
grep -q '"tiger"' tmp/seen || fail "the browser got no data"
BROWSER=/nowhere/browser run view
expect_status 0
err_has "no browser was found: open that file in one"

# Mistakes.
run view tigr -o five.html
expect_status 1
err_has "did you mean the built-in environment 'tiger'?"
[[ ! -e five.html ]] || fail "something was written"
run view --record page.html -o five.html
expect_status 1
run view --policy page.html -o five.html
expect_status 1
run view tiger --record toy.jsonl
expect_status 2
err_has "'--record' shows a recording, which needs no MODEL"
run view tiger -o nowhere/five.html
expect_status 1
TMPDIR=$PWD/nowhere run view tiger
expect_status 1
err_has "no directory can be made"
GLIMPSE_PAGE=$PWD/nowhere.html run view
expect_status 1
err_has "nowhere.html"
GLIMPSE_PAGE=$PWD/toy.pomdp run view
expect_status 1
err_has "'make page' builds it"
