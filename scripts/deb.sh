#!/usr/bin/env bash
# Builds the Debian packages from the source archive, with their tests, and lets lintian look at them.
#
#   scripts/deb.sh [--twice]      --twice: builds once more, without tests, and compares: the same bytes
#
# The upstream archive of the packages is the source archive without debian/. Everything is below build/deb. DEB_BUILD_OPTIONS="nocheck parallel=1" is honoured, as everywhere in Debian.

set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "deb: $*" >&2; exit 1; }
for tool in dpkg-buildpackage:dpkg-dev dh:debhelper dh_python3:dh-python lintian:lintian fakeroot:fakeroot; do
  command -v "${tool%:*}" >/dev/null || fail "${tool%:*} was not found (Debian: apt install ${tool#*:})"
done
version=$(sed -n 's/^#define GLIMPSE_VERSION "\(.*\)"/\1/p' include/glimpse.h)
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -STimestamp)

rm -rf build/deb
mkdir -p build/deb/first
archive=$(scripts/python_backend.py dist build/deb)

packages() { # packages: builds in build/deb/tree, always the same path, which compilers may note
  rm -rf build/deb/tree
  mkdir build/deb/tree
  gzip -dc "$archive" | tar --delete "glimpse-$version/debian" | gzip -n9 >"build/deb/tree/glimpse_$version.orig.tar.gz"
  tar -xf "$archive" -C build/deb/tree
  (cd "build/deb/tree/glimpse-$version" && dpkg-buildpackage -us -uc) >build/deb/log 2>&1 || { tail -100 build/deb/log; fail "failed, see build/deb/log"; }
}

packages
grep -E '^[0-9]+% tests passed|^Total Test time' build/deb/log || echo "deb: without tests"
find build/deb/tree -maxdepth 1 -type f -exec cp {} build/deb/first \;
lintian --allow-root --fail-on error,warning build/deb/first/*.changes || fail "lintian is not content"
if [[ ${1:-} == --twice ]]; then
  DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} nocheck" packages
  for file in build/deb/first/*.deb build/deb/first/*.dsc build/deb/first/*.debian.tar.xz; do
    cmp "$file" "build/deb/tree/${file##*/}" || fail "${file##*/} differs when it is built once more"
  done
  echo "deb: the same bytes when built once more"
fi
rm -rf build/deb/tree
ls build/deb/first/*.deb
