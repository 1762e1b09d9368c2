#!/bin/sh
# studio.sh: builds the studio into studio/dist, a folder that any host can serve (sinew studio does so on this machine): the
# core with and without threads (scripts/studio_core.sh), the page, and the licences of what is inside.
set -eu
cd "$(dirname "$0")/.."
scripts/studio_core.sh threads
cd studio/app
npm ci --no-audit --no-fund --silent
npx tsc --noEmit
npx vite build --logLevel warn
cd ../..
{
    echo "Sinew Studio, MIT licence. The page contains the following, under licences of their own."
    for file in build-wasm-libraries/jansson/LICENSE build-wasm-libraries/zlib/LICENSE build-wasm-libraries/libpng1.6/LICENSE \
        studio/app/node_modules/preact/LICENSE studio/app/node_modules/@preact/signals/LICENSE; do
        [ -e "$file" ] || continue
        printf '\n---- %s\n\n' "$(basename "$(dirname "$file")")"
        cat "$file"
    done
} >studio/dist/licences.txt
scripts/studio_size.mjs
