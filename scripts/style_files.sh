#!/bin/sh
# style_files.sh PROGRAM [THUMBNAILS]: writes the styles that ship into assets/styles. PROGRAM is style_files of a build (in its
# tests/io); THUMBNAILS is a folder with NAME.png for each.
set -eu
cd "$(dirname "$0")/.."
program=${1:?usage: scripts/style_files.sh PROGRAM [THUMBNAILS]}
shift
mkdir -p assets/styles
"$program" assets/styles "$@"
