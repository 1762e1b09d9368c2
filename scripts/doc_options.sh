#!/bin/sh
# doc_options.sh SINEW: every option of every verb is named on some page of docs/.
set -eu
sinew=$1
cd "$(dirname "$0")/.."
missing=$("$sinew" completion bash | grep -oE -- '--[a-z][a-z-]*' | sort -u | while read -r option; do
    grep -qE -- "$option([^a-z-]|\$)" docs/*.md README.md || echo "$option"
done)
[ -z "$missing" ] || { echo "no page documents:" $missing; exit 1; }
