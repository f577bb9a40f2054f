# The README tells the truth: its model is valid, and its commands print what it shows.
. "$SOURCE/tests/cli/support/checks.sh"

# Takes the blocks of the README apart: the model goes to machine.pomdp, each command that
# follows a "$ " to a file, and what is shown below it to another.
awk '
  /^```/ { inside = !inside; block = ""; next }
  !inside { next }
  /^discount:/ { block = "machine.pomdp" }
  /^\$ / {
    n++
    block = "shown-" n
    print substr($0, 3) > ("command-" n)
    printf "" > block
    next
  }
  block != "" { print > block }
' "$SOURCE/README.md"
[[ -s machine.pomdp && -s command-1 && -s shown-1 ]] || fail "no examples in the README"

# Iterations and times may differ; an empty line at the end belongs to the README.
normal() { sed -E 's/ +[0-9]+ +[0-9]+\.[0-9]{3}  /  N  S  /; s/ +- +- +-  /  -  -  -  /; s/^(memory +).*/\1M/' "$1" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; }

# Of what a search does only the form and the words are compared: better searches find other bounds.
words() { sed -E 's/-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/N/g; s/ [kMG]B$/ B/; s/  +/  /g' "$1"; }

glimpse() { "$GLIMPSE" "$@"; }
for ((i = 1; ; i++)); do
  [[ -e command-$i ]] || break
  read -r ran <"command-$i"
  status=0
  eval "$ran" >out 2>&1 || status=$?
  sed -i '/^glimpse: episode /d' out # progress, which a slow machine shows
  ((status <= 1)) || fail "expected exit status 0 or 1"
  normal out >found
  normal "shown-$i" >wanted
  if [[ $ran =~ ^glimpse\ (plan|explain|run)\  ]]; then
    words found >form && mv form found
    words wanted >form && mv form wanted
  fi
  cmp -s wanted found || fail "the README shows something else: $(diff wanted found)"
done
((i > 5)) || fail "expected more examples"
