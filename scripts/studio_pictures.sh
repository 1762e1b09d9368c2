#!/bin/sh
# studio_pictures.sh: pictures of the studio in every state into out/studio, and those that docs show into docs/images.
set -eu
cd "$(dirname "$0")/.."
[ -e node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
node studio/app/test/pictures.mjs out/studio
for name in start moves split light move map export; do cp "out/studio/$name.png" "docs/images/studio_$name.png"; done
