#!/bin/sh
# studio_pictures.sh: pictures of the studio in every state into out/studio, and those that docs show into docs/images.
set -eu
cd "$(dirname "$0")/.."
[ -e node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
node studio/app/test/pictures.mjs out/studio
node studio/app/test/pictures_bind.mjs out/studio
for name in start moves split light bind move forces map check export; do cp "out/studio/$name.png" "docs/images/studio_$name.png"; done
