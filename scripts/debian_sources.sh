#!/bin/sh
# debian_sources.sh FOLDER PACKAGE...: the upstream sources of Debian's source packages, each in FOLDER/PACKAGE, for builds
# that no library is packaged for (WASM, other processors). Leaves the system's list of sources alone. Exit code 77 where
# they cannot be had.
set -eu
folder=$1
shift
name=$(basename "$0")
command -v apt-get >/dev/null 2>&1 || { echo "$name: apt-get is not installed" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$folder"
# The machine's own mirror and release, asked for sources.
# shellcheck disable=SC2016  # apt's own variables
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk '/debian|ubuntu/ && $1 !~ /security/ && $3 == "main" && $2 !~ /-/ { print $1, $2; exit }')
[ -n "$mirror" ] || { echo "$name: no Debian mirror among the machine's sources" >&2; exit 77; }
echo "deb-src $mirror main" >"$work/sources.list"
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 77; }; }
apt() { quiet apt-get -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" "$@"; }
apt update
folder=$(cd "$folder" && pwd)
for package in "$@"; do
    mkdir "$work/$package"
    cd "$work/$package"
    apt source --download-only "$package"
    tar xf ./*.orig.tar.*
    rm -rf "${folder:?}/$package"
    mv ./*/ "$folder/$package"
done
