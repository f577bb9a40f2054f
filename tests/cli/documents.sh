# The page that the program prints is what it prints now, there are few pages, and links lead somewhere.
#
# Covers tool/manual_markdown.c.
. "$SOURCE/tests/cli/support/checks.sh"

run help --markdown
expect_status 0
expect_no_err
cmp -s "$SOURCE/docs/COMMANDS.md" out ||
  fail "docs/COMMANDS.md is stale ('make docs' writes it): $(diff "$SOURCE/docs/COMMANDS.md" out | head -20)"

# The index has all documents, and they are few.
pages=("$SOURCE"/docs/*.md)
((${#pages[@]} <= 16)) || fail "docs/ has more than 16 pages: merge two"
for page in "${pages[@]}"; do
  name=${page##*/}
  [[ $name == README.md ]] || grep -qF "($name)" "$SOURCE/docs/README.md" || fail "docs/README.md does not lead to $name"
done

# The version stands in the header; these follow by hand.
version=$(sed -n 's/^#define GLIMPSE_VERSION "\(.*\)"/\1/p' "$SOURCE/include/glimpse.h")
grep -qx "version: $version" "$SOURCE/CITATION.cff" || fail "CITATION.cff is not of version $version"
[[ $(grep -m1 '^## ' "$SOURCE/NEWS.md") == "## $version"* ]] || fail "NEWS.md does not begin with version $version"
[[ ! -e $SOURCE/debian/changelog || $(head -1 "$SOURCE/debian/changelog") == "glimpse ($version-"* ]] ||
  fail "debian/changelog does not begin with version $version"

# The README has a row for each command.
"$GLIMPSE" help --list >commands
while read -r command; do
  grep -q "^| .glimpse ${command}[ \`]" "$SOURCE/README.md" || fail "the table of commands in the README lacks $command"
done <commands

# The messages that docs/FAQ.md cannot show on demand are still in the sources. (tests/pages.sh runs the others.)
ran="docs/FAQ.md"
sed -n '/^## Messages that depend/,/^## /s/^| `\([^`]*\)`.*/\1/p' "$SOURCE/docs/FAQ.md" >messages
(($(wc -l <messages) > 5)) || fail "expected more messages"
while IFS= read -r message; do
  grep -rqF -e "$message" "$SOURCE/src" "$SOURCE/tool" "$SOURCE/xml" "$SOURCE/experiment" "$SOURCE/include" ||
    fail "no source says: $message"
done <messages

# Links between documents: the file is there, and so is the heading (its anchor as GitHub makes it) or the
# anchor. One pass over all pages gives "anchor PAGE NAME" and "link PAGE TARGET".
ran="links"
pages=()
for page in "$SOURCE"/*.md "$SOURCE"/docs/*.md; do pages+=("${page#"$SOURCE"/}"); done
(
  cd "$SOURCE"
  LC_ALL=C awk '
    FNR == 1 { code = 0 }
    /^```/ { code = !code; next }
    code { next }
    /^#+ / {
      heading = tolower($0)
      sub(/^#+ /, "", heading)
      gsub(/[^a-z0-9 _-]/, "", heading)
      gsub(/ /, "-", heading)
      print "anchor", FILENAME, heading
    }
    {
      line = $0
      while (match(line, /<a id="[^"]*">/)) {
        print "anchor", FILENAME, substr(line, RSTART + 7, RLENGTH - 9)
        line = substr(line, RSTART + RLENGTH)
      }
      line = $0
      while (match(line, /\]\([^)]*\)/)) {
        link = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        if (link ~ /^(https?|mailto):/) continue
        folder = FILENAME
        if (!sub(/\/[^\/]*$/, "/", folder)) folder = ""
        target = link ~ /^#/ ? FILENAME link : folder link
        while (sub(/[^\/]+\/\.\.\//, "", target)) continue
        print "link", FILENAME, target
      }
    }' "${pages[@]}"
) >found
awk '$1 == "link" { sub(/#.*/, "", $3); print $2, $3 }' found | LC_ALL=C sort -u >targets
while read -r page target; do
  [[ -e $SOURCE/$target ]] || fail "$page: no file for the link to $target"
done <targets
lost=$(awk '$1 == "anchor" { have[$2 "#" $3] = 1 }
            $1 == "link" && $3 ~ /#/ { want[$3] = $2 }
            END { for (link in want) if (!(link in have)) print want[link] ": " link }' found)
[[ -z $lost ]] || fail "no heading for the link: $lost"
(($(grep -c '^link' found) > 100)) || fail "expected more links"
