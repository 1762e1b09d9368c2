#!/bin/sh
# style_files.sh BUILD: writes the styles that ship into assets/styles, with thumbnails that the build's own sinew draws.
set -eu
build=$(cd "${1:?usage: scripts/style_files.sh BUILD}" && pwd)
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p assets/styles "$folder/plain"
"$build/tests/io/style_files" "$folder/plain"
for style in "$folder"/plain/*; do
    name=$(basename "$style")
    "$build/sinew" style new "$name" --from "$name" -o "$folder/$name" -q
    mv "$folder/$name/thumbnail.png" "$folder/$name.png"
done
"$build/tests/io/style_files" assets/styles "$folder"
