#!/bin/sh
# studio_test.sh [long]: the studio in a headless Chromium as a person uses it, beside the command line of build/. With `long` also
# the core in Node.js (which make test has, too), and 200 rounds of opening and closing.
set -eu
cd "$(dirname "$0")/.."
[ -e studio/dist/index.html ] || { echo "skipped: no studio (make studio)"; exit 77; }
[ -e node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
if [ "${1:-}" = long ]; then
    node --test studio/core/test/*.test.mjs
    node --test studio/app/test/*.test.mjs
else
    node --test studio/app/test/studio.test.mjs
    node --test studio/app/test/bind.test.mjs studio/app/test/check.test.mjs
    node --test studio/app/test/move.test.mjs studio/app/test/leave.test.mjs
fi
