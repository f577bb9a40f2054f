# The documents that are made of the sources are what the sources say now, and links lead somewhere.
. "$SOURCE/tests/cli/support/checks.sh"

run help --markdown
expect_status 0
expect_no_err
cmp -s "$SOURCE/docs/COMMANDS.md" out ||
  fail "docs/COMMANDS.md is stale ('make docs' writes it anew): $(diff "$SOURCE/docs/COMMANDS.md" out | head -20)"

ran="scripts/api-reference.awk"
LC_ALL=C awk -f "$SOURCE/scripts/api-reference.awk" "$SOURCE/include/glimpse.h" >api || fail "the header is not understood"
cmp -s "$SOURCE/docs/API.md" api ||
  fail "docs/API.md is stale ('make docs' writes it anew): $(diff "$SOURCE/docs/API.md" api | head -20)"
# Every function of the header is in the index, once.
sed -n '/^#/!s/^GLIMPSE_API .*[ *]\(glimpse_[a-z0-9_]*\)(.*/\1/p' "$SOURCE/include/glimpse.h" | LC_ALL=C sort >declared
sed -n 's/^- \[`\(glimpse_[a-z0-9_]*\)`\](#\1)$/\1/p' api >indexed
cmp -s declared indexed || fail "the index of docs/API.md lacks functions: $(diff declared indexed)"
# A header that is laid out otherwise is refused, not misread.
sed 's/^typedef enum glimpse_severity/enum glimpse_severity/' "$SOURCE/include/glimpse.h" >other.h
! LC_ALL=C awk -f "$SOURCE/scripts/api-reference.awk" other.h >out 2>err || fail "an unknown declaration is passed over"
err_has "not understood"

# The index has all documents.
for page in "$SOURCE"/docs/*.md; do
  name=${page##*/}
  [[ $name == README.md ]] || grep -qF "($name)" "$SOURCE/docs/README.md" || fail "docs/README.md does not lead to $name"
done

# The README has a row for each command.
"$GLIMPSE" help --list >commands
while read -r command; do
  grep -q "^| .glimpse $command[ \`]" "$SOURCE/README.md" || fail "the table of commands in the README lacks $command"
done <commands

# The messages that docs/FAQ.md cannot show on demand are still in the sources. (tests/pages.sh runs the others.)
ran="docs/FAQ.md"
sed -n '/^## Messages that depend/,/^## /s/^| `\([^`]*\)`.*/\1/p' "$SOURCE/docs/FAQ.md" >messages
(($(wc -l <messages) > 5)) || fail "expected more messages"
while IFS= read -r message; do
  grep -rqF -e "$message" "$SOURCE/src" "$SOURCE/tool" "$SOURCE/experiment" "$SOURCE/include" ||
    fail "no source says: $message"
done <messages

# Links between documents: the file is there, and so is the heading or the anchor.
anchors() { # as GitHub makes them of headings
  sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
  sed -n 's/<a id="\([^"]*\)">/\n@\1\n/gp' "$1" | sed -n 's/^@//p'
}
count=0
for page in "$SOURCE"/*.md "$SOURCE"/docs/*.md; do
  ran="links of ${page#"$SOURCE"/}"
  awk '/^```/ { code = !code } !code' "$page" | grep -o '\](\([^)]*\))' | sed 's/^](//; s/)$//' >links || continue
  while IFS= read -r link; do
    case $link in http://* | https://* | mailto:*) continue ;; esac
    target=${link%%#*}
    file=$page
    if [[ -n $target ]]; then file=$(dirname "$page")/$target; fi
    [[ -e $file ]] || fail "no file for the link $link"
    count=$((count + 1))
    if [[ $link == *#* ]]; then
      anchors "$file" >headings
      grep -qxF -e "${link#*#}" headings || fail "no heading for the link $link"
    fi
  done <links
done
((count > 100)) || fail "expected more links than $count"
