# Checks that a file is one JSON object and nothing else (RFC 8259, and no key
# twice), and prints its leaves, one per line: path, a tab, the value as it stands
# in the file.
#
#   { "a": [1, {"b": "x"}], "c": {} }   gives   a[0]   1
#                                               a[1].b "x"
#                                               c      {}

function die(what) {
  printf "not JSON: expected %s at byte %d: %s\n", what, at, substr(text, at, 30) > "/dev/stderr"
  dead = 1
  exit 1
}

function blank() {
  while (index(" \n\t\r", substr(text, at, 1)) && at <= size) at++
}

function take(token) {
  blank()
  if (substr(text, at, length(token)) != token) die("'" token "'")
  at += length(token)
}

function string(    first) {
  blank()
  first = at
  if (substr(text, at, 1) != "\"") die("a string")
  if (!match(substr(text, at), /^"([^"\\\001-\037]|\\["\\\/bfnrt]|\\u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f])*"/))
    die("a string that ends")
  at += RLENGTH
  return substr(text, first, RLENGTH)
}

function leaf(path, value) {
  printf "%s\t%s\n", path, value
}

function list(path,    i) {
  take("[")
  blank()
  if (substr(text, at, 1) == "]") leaf(path, "[]")
  else
    for (;;) {
      value(path "[" i + 0 "]")
      i++
      blank()
      if (substr(text, at, 1) != ",") break
      at++
    }
  take("]")
}

function record(path,    key) {
  take("{")
  blank()
  if (substr(text, at, 1) == "}") leaf(path, "{}")
  else
    for (;;) {
      key = string()
      key = (path == "" ? "" : path ".") substr(key, 2, length(key) - 2)
      if (key in seen) die("a new key instead of " key)
      seen[key] = 1
      take(":")
      value(key)
      blank()
      if (substr(text, at, 1) != ",") break
      at++
    }
  take("}")
}

function value(path,    c) {
  blank()
  c = substr(text, at, 1)
  if (c == "{") record(path)
  else if (c == "[") list(path)
  else if (c == "\"") leaf(path, string())
  else if (match(substr(text, at, 80), /^(true|false|null)/) ||
           match(substr(text, at, 80), /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/)) {
    leaf(path, substr(text, at, RLENGTH))
    at += RLENGTH
  } else die("a value")
}

{ text = text $0 "\n" }

END {
  if (dead) exit 1
  size = length(text)
  at = 1
  record("")
  blank()
  if (at <= size) die("the end")
}
