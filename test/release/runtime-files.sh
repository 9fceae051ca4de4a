#!/bin/sh
# Copies the files that a program on Node needs into a folder: node, its shared libraries, their licences, and the
# package data for image scanners. Run this script in the base image. STRIP=no keeps the symbols of node. The exit code
# is 1 if a file is missing.
set -eu
to=$1
node=$(node -p process.execPath)

mkdir -p "$to/usr/local/bin" "$to/var/lib/dpkg" "$to/etc" "$to/usr/share/doc/node"
cp "$node" "$to/usr/local/bin/node"
if [ "${STRIP:-yes}" = yes ]; then
  command -v strip >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends binutils; } ||
    { echo 'Cannot strip node: binutils cannot be installed; give STRIP=no, or a base that has them' >&2; exit 1; }
  strip "$to/usr/local/bin/node"
fi

# ldd prints the paths where the linker searches for the libraries.
libraries=$(ldd "$node" | grep -o '/[^ ]*')
for library in $libraries; do cp -L --parents "$library" "$to"; done

# If /lib is a link to /usr/lib, a package may list the file with either path.
package_of() { dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "/usr$1" 2>/dev/null || dpkg-query -S "${1#/usr}"; }
for library in $libraries; do
  owner=$(package_of "$library")
  packages="${packages:-} ${owner%%:*}"
done
for package in $(printf '%s\n' $packages | sort -u); do
  dpkg-query --status "$package"
  echo
  # Packages of one source share this file. It names licences whose texts Debian stores in a common folder.
  copyright=$(readlink -f "/usr/share/doc/$package/copyright")
  cp --parents "$copyright" "$to"
  for licence in $(grep -o '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$copyright" | sort -u); do
    if [ -e "$licence" ]; then cp -L --parents "$licence" "$to"; fi
  done
done >"$to/var/lib/dpkg/status"
test -s "$to/var/lib/dpkg/status"
cp -L /etc/os-release "$to/etc/os-release"

if [ -e /usr/local/LICENSE ]; then
  cp /usr/local/LICENSE "$to/usr/share/doc/node/LICENSE"
else
  echo "The licence of Node is at https://github.com/nodejs/node/blob/$(node --version)/LICENSE" \
    | tee "$to/usr/share/doc/node/LICENSE"
fi

# A mount point for a volume, for use with --store /data/todo.db. Without it, the service does not write here.
install -d -o 65532 -g 65532 "$to/data"
