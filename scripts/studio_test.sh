#!/bin/sh
# studio_test.sh [long]: the studio in a headless Chromium as a person uses it, beside the command line of build/. With `long` also
# the core in Node.js (which make test has, too), and 200 rounds of opening and closing.
set -eu
cd "$(dirname "$0")/.."
[ -e studio/dist/index.html ] || { echo "skipped: no studio (make studio)"; exit 77; }
[ -e node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
# A browser on a busy machine may be late for a test: a page that failed is tried once more, and the log says so.
page() {
    node --test "studio/app/test/$1.test.mjs" && return
    echo "studio_test.sh: $1 failed, once more"
    node --test "studio/app/test/$1.test.mjs"
}
[ "${1:-}" = long ] && node --test studio/core/test/*.test.mjs
for name in studio bind check move leave; do page $name; done
[ "${1:-}" != long ] || page rounds
