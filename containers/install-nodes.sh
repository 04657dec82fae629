#!/bin/sh
# Puts the packed nodes where n8n looks for community packages, in place of another version. Keeps
# other packages.
#
#     install-nodes.sh <folder of the tarball> <n8n's folder .n8n>
set -eu

name=n8n-nodes-business-messaging
packages=$2/nodes
target=$packages/node_modules/$name

# Renamed into place at the end, because n8n loads whatever it finds.
new=$packages/$name.new
rm -rf "$new"
mkdir -p "$new" "$packages/node_modules"
tar -xzf "$1"/$name-*.tgz -C "$new" --strip-components=1
rm -rf "$target"
mv "$new" "$target"

# n8n's own installations of other packages keep this entry.
cd "$packages"
[ -f package.json ] || echo '{"name":"installed-nodes","private":true}' >package.json
version=$(node -p "require('./node_modules/$name/package.json').version")
npm pkg set "dependencies.$name=$version"
echo "$name $version is in $target"
