#!/bin/sh
# studio_times.sh: how long hands wait for the surface, for every tool of the studio (studio/app/test/times.mjs), into
# docs/studio.md between its markers.
set -eu
cd "$(dirname "$0")/.."
table=$(mktemp)
trap 'rm -f "$table"' EXIT
node studio/app/test/times.mjs >"$table"
awk -v table="$table" '
/<!-- times begin/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
/<!-- times end/ { skip = 0 }
!skip { print }' docs/studio.md >docs/studio.md.tmp
mv docs/studio.md.tmp docs/studio.md
cat "$table"
