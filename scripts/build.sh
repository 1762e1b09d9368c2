#!/bin/sh
# build.sh PRESET [cmake options]: configures and builds quietly; everything is shown when something fails.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "building ($preset)"
if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
grep -E 'warning:' "$log" >&2 || true
