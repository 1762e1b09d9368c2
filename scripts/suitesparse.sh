#!/bin/sh
# suitesparse.sh FOLDER: the sources of the parts of SuiteSparse that factor matrices, from Debian's source package, for
# builds that no library is packaged for (WASM, other processors). Leaves the system's list of sources alone; a folder
# that is there already is left as it is.
set -eu
folder=$1
[ -e "$folder/CHOLMOD/Include/cholmod.h" ] && exit 0
command -v apt-get >/dev/null 2>&1 || { echo "suitesparse.sh: apt-get is not installed" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/source"
# The machine's own mirror and release, asked for sources.
# shellcheck disable=SC2016  # apt's own variables
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk '/debian|ubuntu/ && $1 !~ /security/ && $3 == "main" && $2 !~ /-/ { print $1, $2; exit }')
[ -n "$mirror" ] || { echo "suitesparse.sh: no Debian mirror among the machine's sources" >&2; exit 77; }
echo "deb-src $mirror main" >"$work/sources.list"
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 77; }; }
apt() { quiet apt-get -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" "$@"; }
apt update
cd "$work/source"
apt source --download-only suitesparse
tar xf ./*.orig.tar.*
cd - >/dev/null
mkdir -p "$(dirname "$folder")"
rm -rf "$folder"
mv "$work"/source/*/ "$folder"
