#!/usr/bin/env bash
# Documents that show commands tell the truth: a build is installed, and with nothing but what was
# installed every command of these pages is run, in order, and must print what the page shows.
#
#   tests/pages.sh [BUILD-DIRECTORY [PAGE ...]]      by default build/release, and all pages
#
# In a page, a block whose fence names a file (```c plant.c) is that file. In other blocks a line that
# begins with "$ " is a command and the lines below it are what it prints. Commands that compile need
# pkg-config, those of Python python3, bench and report SQLite, and .pomdpx files expat; without them they are left
# out, and that is said.
#
# Times and sizes of memory are not compared. Of what searches print only the form and the words are:
# better searches find other bounds.

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
shift || true
mapfile -t pages < <((($#)) && realpath "$@")
((${#pages[@]})) || pages=("$root"/docs/{YOUR-MODEL,TUTORIAL,FAQ,POLICIES}.md)
work=$build/pages-test
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/installed" >/dev/null

PATH=$work/installed/bin:$PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/installed" -name glimpse.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$work/installed" -name libglimpse.a)")
export PATH PKG_CONFIG_PATH LD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE=1
unset GLIMPSE_LIBRARY
package=$(find "$work/installed" -path '*/glimpse/__init__.py')
if [[ -n $package ]]; then
  PYTHONPATH=$(dirname "$(dirname "$package")")
else # installed without Python: the package beside the sources
  PYTHONPATH=$root/python
  export GLIMPSE_LIBRARY=$LD_LIBRARY_PATH/libglimpse.so
fi
export PYTHONPATH
unset NO_COLOR

have=" "
if command -v pkg-config >/dev/null; then have+="pkg-config "; fi
if command -v python3 >/dev/null; then have+="python3 "; fi
if glimpse bench --list >/dev/null 2>&1; then have+="experiments "; fi
if ! glimpse check - 2>&1 <<<"<" | grep -q 'without expat'; then have+="expat "; fi

take_apart() { # the files of a page, and command-N with shown-N
  awk '
    /^```/ {
      inside = !inside
      file = inside && NF > 1 ? $2 : ""
      block = file
      if (file != "") printf "" > file
      next
    }
    !inside { next }
    file == "" && /^\$ / {
      n++
      block = "shown-" n
      print substr($0, 3) > ("command-" n)
      printf "" > block
      next
    }
    block != "" { print > block }
  ' "$1"
}

# An empty line at the end belongs to the page.
normal() {
  sed -E 's/ +[0-9]+ +[0-9]+\.[0-9]{3}  /  N  S  /; s/ +- +- +-  /  -  -  -  /; s/^(memory +).*/\1M/' "$1" |
    sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}
words() { sed -E 's/-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/N/g; s/ [kMG]B$/ B/; s/  +/  /g; s/\bN (times|episodes|expansions)\b/N \1/g'; }

for page in "${pages[@]}"; do
  name=${page##*/}
  mkdir "$work/${name%.md}"
  cd "$work/${name%.md}"
  ln -s "$root/examples" . # as in a clone
  take_apart "$page"
  left_out=0
  for ((i = 1; ; i++)); do
    [[ -e command-$i ]] || break
    command=$(<"command-$i")
    case $command in
    *pkg-config* | ./*) needs=pkg-config ;;
    python3\ * | *from-python*) needs=python3 ;;
    glimpse\ bench* | glimpse\ report*) needs=experiments ;;
    *.pomdpx*) needs=expat ;;
    *) needs= ;;
    esac
    if [[ -n $needs && $have != *" $needs "* ]]; then
      left_out=$((left_out + 1))
      continue
    fi
    status=0
    timeout 60 bash -c "$command" >out 2>&1 </dev/null || status=$?
    sed -i '/^glimpse: episode /d' out # progress, which a slow machine shows
    normal out >found
    normal "shown-$i" >wanted
    if ! [[ $command =~ ^(glimpse (check|info|convert|bounds|help)|cmp|cat|sed|grep|ls)\  ]]; then
      words <found >form && mv form found
      words <wanted >form && mv form wanted
    fi
    if ((status > 2)) || ! cmp -s wanted found; then
      echo "pages: $name shows something else for: $command (exit status $status)"
      diff wanted found || true
      exit 1
    fi
  done
  ((i > 5)) || { echo "pages: $name has only $((i - 1)) commands"; exit 1; }
  echo "pages: $name: $((i - 1 - left_out)) commands run, $left_out left out"
done
