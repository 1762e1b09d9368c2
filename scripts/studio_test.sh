#!/bin/sh
# studio_test.sh: the studio in a headless Chromium, as a person uses it, beside the command line of build/. With `long` also
# what takes longer: 200 rounds of opening and closing.
set -eu
cd "$(dirname "$0")/.."
[ -e studio/dist/index.html ] || { echo "skipped: no studio (make studio)"; exit 77; }
[ -e node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
[ "${1:-}" = long ] && exec node --test studio/app/test/*.test.mjs
exec node --test studio/app/test/studio.test.mjs
