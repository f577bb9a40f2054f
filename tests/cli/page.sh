# The page: its module has the bits of the program, and it works in a browser.
# Covers page/module.c, page/module_graph.c, page/module_play.c.
. "$SOURCE/tests/cli/support/checks.sh"

skip() {
  echo "page: skipped, $*"
  exit 77
}
page=$SOURCE/build/page
[[ -e $page/glimpse.html ]] || skip "it is not built ('make page' does)"
command -v node >/dev/null || skip "there is no node"
newer=$(cd "$SOURCE" && find src common include page -newer "$page/glimpse.html" -type f | head -1)
[[ -z $newer ]] || skip "it is older than $newer ('make page' builds it anew)"

node "$SOURCE/tests/page/colours.mjs"
node "$SOURCE/tests/page/bits.mjs" "$page" "$GLIMPSE"
case $GLIMPSE in
*build/release/*) node "$SOURCE/tests/page/speed.mjs" "$page" "$GLIMPSE" 3 ;; # other builds are slow on purpose
esac
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no Chromium"
for part in browser steady; do
  node "$SOURCE/tests/page/$part.mjs" "$page" "$GLIMPSE" "$chromium" "$PWD"
done
