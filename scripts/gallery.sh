#!/bin/sh
# gallery.sh [BUILD]: makes every picture and film of docs/gallery.md by the very commands that stand below it there, in a
# folder that has assets/ in it.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
PATH=$root/${1:-build}:$PATH
out=$root/docs/images/gallery
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$root/assets" "$work/assets"
# Commands are the lines of the page's sh blocks.
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0; next } inside { print }' docs/gallery.md >"$work/commands"
cd "$work"
sh -eu ./commands >log 2>&1 || { tail -n 5 log; exit 1; }
for file in *.png *.gif; do mv "$file" "$out/"; done
# What the page shows is what was made.
for file in $(grep -o 'images/gallery/[^)]*' "$root/docs/gallery.md"); do
    [ -s "$root/docs/$file" ] || { echo "docs/gallery.md shows $file, which no command makes"; exit 1; }
done
