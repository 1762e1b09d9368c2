#!/bin/sh
# test.sh SOURCE PROGRAM: the tests of the core in Node.js, against the native program. Skipped where the core is not built (make core).
set -eu
cd "$1/studio/core"
command -v node >/dev/null 2>&1 || { echo "skipped: no Node.js"; exit 77; }
[ -e dist/sinew.wasm ] || { echo "skipped: the core is not built (make core)"; exit 77; }
[ $# -lt 2 ] || export SINEW="$2"
exec node --test test/
