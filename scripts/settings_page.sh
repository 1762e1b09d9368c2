#!/bin/sh
# settings_page.sh [--check] PROGRAM: keeps the reference in docs/settings.md equal to what the library writes. PROGRAM is
# settings_reference of a build (in its tests/io).
set -eu
cd "$(dirname "$0")/.."
check=""
if [ "${1:-}" = "--check" ]; then
    check=yes
    shift
fi
program=${1:?usage: scripts/settings_page.sh [--check] PROGRAM}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" "$folder/reference.json"
awk -v reference="$folder/reference.json" '
/^```jsonc$/ && !done { print; while ((getline line < reference) > 0) print line; skip = 1; done = 1; next }
/^```$/ { skip = 0 }
!skip { print }' docs/settings.md >"$folder/page.md"
if [ -n "$check" ]; then
    cmp -s docs/settings.md "$folder/page.md" || { echo "docs/settings.md is not current: run scripts/settings_page.sh $program"; exit 1; }
else
    cp "$folder/page.md" docs/settings.md
fi
