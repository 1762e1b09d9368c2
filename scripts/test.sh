#!/bin/sh
# test.sh BUILD JOBS: runs ctest, then says how much this machine could not test, and why.
set -eu
cd "$(dirname "$0")/.."
code=0
ctest --test-dir "$1" --output-on-failure -j "$2" || code=$?
scripts/skips.sh "$1" || true
exit $code
