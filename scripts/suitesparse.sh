#!/bin/sh
# suitesparse.sh FOLDER: the sources of the parts of SuiteSparse that factor matrices, for builds that no library is
# packaged for. A folder that is there already is left as it is.
set -eu
folder=$1
[ -e "$folder/CHOLMOD/Include/cholmod.h" ] && exit 0
"$(dirname "$0")/debian_sources.sh" "$folder.tmp" suitesparse
rm -rf "$folder"
mv "$folder.tmp/suitesparse" "$folder"
rmdir "$folder.tmp"
