#!/bin/sh
# studio.sh [quick]: builds the studio into studio/dist, a folder that any host can serve (sinew studio does so on this
# machine): the core (scripts/studio_core.sh), the page, and the licences of what is inside. `quick` leaves out the build with
# threads and the importer of FBX, which take longest.
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = quick ]; then
    rm -f studio/core/dist/fbx.wasm
    scripts/studio_core.sh
else
    scripts/studio_core.sh threads
    scripts/studio_fbx.sh || [ $? -eq 77 ]
fi
cd studio/app
npm ci --no-audit --no-fund --silent
npx tsc --noEmit
npx vite build --logLevel warn
cd ../..
{
    echo "Sinew Studio, MIT licence. The page contains the following, under licences of their own."
    for file in build-wasm-libraries/jansson/LICENSE build-wasm-libraries/zlib/LICENSE build-wasm-libraries/libpng1.6/LICENSE \
        build-assimp/assimp/LICENSE studio/app/node_modules/preact/LICENSE studio/app/node_modules/@preact/signals/LICENSE; do
        [ -e "$file" ] || continue
        printf '\n---- %s\n\n' "$(basename "$(dirname "$file")")"
        cat "$file"
    done
} >studio/dist/licences.txt
scripts/studio_size.mjs
