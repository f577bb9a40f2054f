#!/usr/bin/env bash
# Checks the #include lines of src/, common/, xml/, experiment/, tool/ and include/ against the layers, and that no files of
# a library need each other in a circle.
#
#   tests/layers.sh [ROOT [LIBRARY ...]]      ROOT is the root of the source tree, LIBRARY a static library of one
#
# A source file of a layer may include the public header, system headers, headers of its own layer
# and of the layers listed for it here, always as "layer/file.h".  An edge that nobody uses is a
# violation, too: the table says what is, not what might be.
#
# Which file needs which is read from the symbols of each LIBRARY.

table='
base:
model:        base
formats:      base model
policy:       base model formats planner graph belief
transform:    base model
environments: base
belief:       base model
bounds:       base model belief
graph:        base model belief bounds
paper:        graph
planner:      base bounds
planners:     base model belief graph paper planner policy
agent:        base belief planner
episode:      base
price:        base model
'

set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

files=()
for directory in src common xml experiment tool include; do
  if [[ ! -d $directory ]]; then
    echo "layers: there is no $directory in $PWD"
    exit 1
  fi
  mapfile -t -O "${#files[@]}" files < <(find "$directory" -type f -not -name .clang-tidy | LC_ALL=C sort)
done

awk -v table="$table" '
function complain(text) {
  printf "%s:%d: %s\n", FILENAME, FNR, text
  complaints++
}
function exists(path,   line, got) {
  got = (getline line < path)
  close(path)
  return got >= 0
}
BEGIN {
  count = split(table, rows, "\n")
  for (i = 1; i <= count; i++) {
    if (rows[i] == "") continue
    words = split(rows[i], word, " ")
    layer = substr(word[1], 1, length(word[1]) - 1)
    known[layer] = 1
    allowed[layer, layer] = 1
    for (j = 2; j <= words; j++) allowed[layer, word[j]] = 1
  }
  # Here rather than at the first line of each file, since a file may be empty.
  for (i = 1; i < ARGC; i++) {
    parts = split(ARGV[i], part, "/")
    if (part[1] == "src" && (parts != 3 || !(part[2] in known))) {
      printf "%s:1: lies in no known layer (see the table in tests/layers.sh)\n", ARGV[i]
      complaints++
    }
  }
}
FNR == 1 {
  parts = split(FILENAME, part, "/")
  where = part[1]
  layer = where == "src" ? part[2] : ""
  if (where == "src" && !(layer in known)) layer = ""
}
/^[ \t]*#[ \t]*include/ {
  seen++
  name = $0
  sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
  quoted = name ~ /^"/
  if (name !~ /^["<]/) {
    complain("#include of a macro cannot be checked")
    next
  }
  name = substr(name, 2)
  sub(/[">].*$/, "", name)
  target = name
  if (!sub(/\/.*$/, "", target)) target = ""

  if (!quoted && !(target in known) && !exists("src/" name)) next
  if (where == "src") {
    if (layer == "" || name == "glimpse.h") next
    if (name ~ /(^|\/)\.\.?\//) complain("\"" name "\": write \"layer/file.h\", without . and ..")
    else if (!(target in known)) complain("\"" name "\" is not in a known layer")
    else if (!((layer, target) in allowed))
      complain("layer " layer " must not include \"" name "\"")
    else used[layer, target] = 1
  } else if (where == "common") {
    if (name == "glimpse.h" || (target == where && exists(name))) next
    complain("\"" name "\": what is common includes \"glimpse.h\" and \"common/file.h\" only")
  } else if (where == "xml") {
    if (name == "glimpse.h" || ((target == where || target == "common") && exists(name))) next
    complain("\"" name "\": what reads XML includes \"glimpse.h\", \"common/file.h\" and \"xml/file.h\" only")
  } else if (where == "experiment") {
    if (name == "glimpse.h" || ((target == where || target == "common" || target == "xml") && exists(name))) next
    complain("\"" name "\": experiments include \"glimpse.h\", \"common/file.h\", \"xml/file.h\" and \"experiment/file.h\" only")
  } else if (where == "tool") {
    if (name == "glimpse.h" || ((target == "experiment" || target == "common" || target == "xml") && exists(name))) next
    if (target != "" || !exists("tool/" name))
      complain("\"" name "\": the program includes \"glimpse.h\", \"common/file.h\", \"xml/file.h\", \"experiment/file.h\" and its own headers only")
  } else {
    complain("\"" name "\": the public header includes system headers only")
  }
}
END {
  for (edge in allowed) {
    split(edge, end, SUBSEP)
    if (end[1] == end[2] || used[edge]) continue
    printf "layers: %s never includes %s: take it out of the table\n", end[1], end[2]
    complaints++
  }
  if (complaints) {
    printf "layers: %d violation(s)\n", complaints
    exit 1
  }
  printf "layers: %d files, %d #include lines, no violation\n", ARGC - 1, seen
}
' "${files[@]}"

# nm -P prints "archive[file.c.o]:" for each member, then "name type ..." for each symbol; U: needed from elsewhere.
needs=''
for library in "${@:2}"; do
  # One name for two files would hide a circle, or make one up.
  if twice=$(ar t "$library" | LC_ALL=C sort | uniq -d | grep .); then
    echo "layers: $library has two files of one name: ${twice//$'\n'/ }"
    exit 1
  fi
  symbols=$(nm -P -g "$library")
  name=${library##*/lib}
  needs+=$(awk -v name="${name%.a}" '
    NF == 1 { file = $1; sub(/^.*\[/, name "/", file); sub(/\.c\.o.*$/, "", file); next }
    $2 == "U" { needed[file, $1] = 1; next }
    { home[$1] = file }
    END {
      for (pair in needed) {
        split(pair, part, SUBSEP)
        if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]]
      }
    }' <<<"$symbols" | LC_ALL=C sort -u)$'\n'
done
[[ $# -ge 2 ]] || exit 0

if ! loops=$(LC_ALL=C tsort <<<"$needs" 2>&1 >/dev/null); then
  echo "layers: files that need each other in a circle:"
  sed -n 's/^tsort: -: input contains a loop:$/ a circle:/p; s/^tsort: \(.*\)$/   \1.c/p' <<<"$loops"
  exit 1
fi
echo "layers: $(grep -c . <<<"$needs") times a file needs another one, no circle"
