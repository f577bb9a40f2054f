# Makes docs/API.md of include/glimpse.h: the same text and the same declarations, with headings and
# an index of the functions.
#
#   awk -f scripts/api-reference.awk include/glimpse.h > docs/API.md        (make docs)
#
# It knows the layout of that header, not C: a section is a comment with a rule of dashes; a comment
# that begins a line belongs to the declarations below it; a declaration ends with the line whose last
# character but a comment is ";" outside of braces; a table X(NAME, ...) gives the constants of the enum
# that follows it. What it does not understand makes it fail.

function die(text) {
  printf "%s:%d: %s: %s\n", FILENAME, FNR, text, $0 >"/dev/stderr"
  bad = 1
  exit 1
}

# Between backquotes a text is as it is.
function escaped(line, parts, n, i, out) {
  n = split(line, parts, "`")
  for (i = 1; i <= n; i++) {
    if (i % 2) gsub(/[*_<]/, "\\\\&", parts[i])
    out = out (i > 1 ? "`" : "") parts[i]
  }
  return out
}

# Outside of code Markdown would take these for something else; it also wants an empty line before a
# list or a formula.
function text_of(comment, lines, n, i, line, out, code, formula) {
  n = split(comment, lines, "\n")
  for (i = 1; i <= n; i++) {
    line = lines[i]
    sub(/^ \*/, "", line)
    sub(/^ /, "", line)
    formula = line ~ /^  +[A-Za-z].*(=|->) /
    if (formula && !code) out = out "\n```\n"
    if (!formula && code) out = out "```\n"
    code = formula
    if (!formula) {
      sub(/^ +- /, "- ", line)
      sub(/^ +/, line ~ /^   / ? "  " : "", line)
      line = escaped(line)
    }
    out = out line "\n"
  }
  if (code) out = out "```\n"
  sub(/\n+$/, "\n", out)
  return out
}

function flush_code() {
  if (code == "") return
  sub(/\n+$/, "\n", code)
  body = body "\n```c\n" code "```\n"
  code = ""
}

function flush_comment() {
  if (comment == "") return
  body = body "\n" text_of(comment)
  comment = ""
}

# Functions get an anchor of their own; the index points to it.
function declare(text, name) {
  if (text ~ /^GLIMPSE_API /) {
    name = text
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    if (name !~ /^glimpse_/) die("no name found")
    names[++count] = name
    anchors = anchors "<a id=\"" name "\"></a>"
    sub(/^GLIMPSE_API /, "", text)
    stripped = 1
  } else stripped = 0
  code = code text "\n"
}

# A group is what stands between two empty lines: comments, and declarations below them.
function end_group() {
  if (anchors != "") body = body "\n" anchors "\n"
  anchors = ""
  body = body group_comment
  group_comment = ""
  flush_code()
}

function table_row(line, i, cell, row) {
  sub(/^ *X\(/, "", line)
  sub(/\)[ \\]*$/, "", line)
  row = ""
  while (line != "") {
    if (line ~ /^"/) {
      match(line, /^"([^"\\]|\\.)*"/)
      cell = substr(line, 2, RLENGTH - 2)
    } else {
      match(line, /^[^,]*/)
      cell = substr(line, 1, RLENGTH)
    }
    line = substr(line, RLENGTH + 1)
    sub(/^, */, "", line)
    gsub(/\|/, "\\|", cell)
    row = row SUBSEP cell
  }
  rows[++row_count] = substr(row, 2)
}

function put_table(prefix, i, k, n, cells) {
  body = body "\n| constant | " (split(rows[1], cells, SUBSEP) > 2 ? "key | " : "")
  n = split(rows[1], cells, SUBSEP)
  if (n > 3) body = body "side | "
  body = body "meaning |\n|---|"
  for (k = 2; k <= n; k++) body = body "---|"
  body = body "\n"
  for (i = 1; i <= row_count; i++) {
    split(rows[i], cells, SUBSEP)
    body = body "| `" prefix cells[1] "` |"
    for (k = 2; k <= n; k++) body = body " " (k < n ? "`" cells[k] "`" : cells[k]) " |"
    body = body "\n"
  }
  row_count = 0
}

function ends_declaration(line) {
  sub(/[ \t]*\/\*.*\*\/[ \t]*$/, "", line)
  return line ~ /;$/
}

# The part of the header before the first declaration is its essay.
BEGIN { state = "essay" }

state == "essay" {
  if (/^ \*\/$/) state = "preamble"
  else if (FNR == 1) {
    sub(/^\/\* /, "")
    if (!/^glimpse - /) die("expected the essay")
    essay = ""
  } else essay = essay $0 "\n"
  next
}
state == "preamble" {
  if (!/^#define GLIMPSE_VERSION_MAJOR/) next
  state = ""
  title("version")
}

function title(name) {
  body = body "\n## " toupper(substr(name, 1, 1)) substr(name, 2) "\n"
  sections = sections (sections == "" ? "" : ", ") "[" name "](#" name ")"
}

state == "comment" {
  comment = comment "\n" $0
  if (/\*\/$/) {
    sub(/ *\*\/$/, "", comment)
    state = ""
  }
  next
}
state == "macro" { # goes on while lines end with a backslash
  if (in_table) table_row($0)
  else code = code $0 "\n"
  if (!/\\$/) {
    state = ""
    in_table = 0
  }
  next
}
state == "guard" { # the attribute of GLIMPSE_API is nobody's business
  if (/^#endif/) state = ""
  next
}
state == "enum" { # made of the table above it
  if (/##name/) {
    match($0, /GLIMPSE_[A-Z_]*##name/)
    prefix = substr($0, RSTART, RLENGTH - 6)
  }
  if (/^[}]/) {
    name = $0
    gsub(/[} ;]/, "", name)
    group_comment = group_comment "\n`enum " name "`:\n"
    body = body group_comment
    group_comment = ""
    put_table(prefix)
    state = ""
  }
  next
}
state == "declaration" {
  if (stripped) sub(/^            /, "") # as far as GLIMPSE_API took
  code = code $0 "\n"
  depth += gsub(/[{]/, "{") - gsub(/[}]/, "}")
  if (!depth && ends_declaration($0)) state = ""
  next
}

/^#ifdef __cplusplus/ { exit }
/^#if defined\(__GNUC__\)/ { state = "guard"; next }
/^\/\* -----* [a-z ]+ \*\/$/ {
  end_group()
  name = $0
  gsub(/^\/\* -+ | \*\/$/, "", name)
  title(name)
  next
}
/^$/ {
  end_group()
  next
}
/^\/\*/ {
  end_group()
  comment = substr($0, 3)
  if (/\*\/$/) sub(/ *\*\/$/, "", comment)
  else state = "comment"
  next
}
{
  if (comment != "") {
    group_comment = group_comment "\n" text_of(comment)
    comment = ""
  }
}
/^#define GLIMPSE_[A-Z]*_TABLE\(X\)/ {
  in_table = 1
  if (group_comment ~ /^\nname, /) group_comment = "" # it explains the columns, which have titles
  state = "macro"
  next
}
/^#define/ {
  code = code $0 "\n"
  if (/\\$/) state = "macro"
  next
}
/^typedef enum/ && !/[}]/ { if (row_count) { state = "enum"; next } }
/^(typedef|GLIMPSE_API) / {
  declare($0)
  depth = gsub(/[{]/, "{") - gsub(/[}]/, "}")
  if (depth || !ends_declaration($0)) state = "declaration"
  next
}
{ die("not understood") }

END {
  if (bad) exit 1
  end_group()
  if (state != "" || row_count || count < 50) {
    printf "%s: ends in the middle (%s) or has few functions (%d)\n", FILENAME, state, count >"/dev/stderr"
    exit 1
  }
  print "# The library's interface\n"
  print "This page is made of `include/glimpse.h` by `scripts/api-reference.awk`; `make docs` writes it anew."
  print "Every word of it stands in the header as well. `examples/plan.c` is a program that uses most of it."
  print "\nSections: " sections ". [All functions](#all-functions)."
  print "\n## In general\n"
  body = text_of(essay) body
  while (sub(/\n\n\n/, "\n\n", body)) continue
  sub(/^\n/, "", body)
  printf "%s", body
  print "\n## All functions\n"
  for (i = 1; i <= count; i++) {
    for (k = i; k > 1 && names[k - 1] > names[k]; k--) {
      name = names[k]
      names[k] = names[k - 1]
      names[k - 1] = name
    }
  }
  for (i = 1; i <= count; i++) print "- [`" names[i] "`](#" names[i] ")"
}
