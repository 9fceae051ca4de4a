#!/bin/sh
# Collects what a program on Node needs to run, below the folder that is given: node, the libraries it is linked with,
# their licences, and what a scanner of images reads to know them. Runs in the base of the image; STRIP=no
# leaves the symbols of node in it. Ends with 1 where something cannot be had.
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

# ldd names the libraries by the paths that they are looked for.
libraries=$(ldd "$node" | grep -o '/[^ ]*')
for library in $libraries; do cp -L --parents "$library" "$to"; done

# Where /lib is a link to /usr/lib, a package may know the file by either path.
package_of() { dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "/usr$1" 2>/dev/null || dpkg-query -S "${1#/usr}"; }
for library in $libraries; do
  owner=$(package_of "$library")
  packages="${packages:-} ${owner%%:*}"
done
for package in $(printf '%s\n' $packages | sort -u); do
  dpkg-query --status "$package"
  echo
  # Several packages share the file of their common source. It names the licences whose texts Debian has in one place.
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

# For who mounts a volume there and gives --store /data/todo.db. Nothing is written to it otherwise.
install -d -o 65532 -g 65532 "$to/data"
