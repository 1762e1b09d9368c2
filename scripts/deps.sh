#!/bin/sh
# Installs what is missing for the named groups (build, import, test, film, fuzz, lint, coverage, quality, wasm, fbx, node,
# browser, judges, slurm, arm, shell, locale, valgrind, docs) and nothing else. With everything present it does not touch apt or the network,
# and says nothing.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }
library() { have pkg-config && pkg-config --exists "$1" 2>/dev/null; }
# A file below the system's library folders.
object() { [ -n "$(find /usr/lib -name "$1" -print -quit 2>/dev/null)" ]; }

missing=""
need() { # need PACKAGE TEST...
    package=$1
    shift
    "$@" || missing="$missing $package"
}

# The same for what a build can do without, where the system's release may not have it.
wanted=""
want() {
    package=$1
    shift
    "$@" && return
    known=$(find /var/lib/apt/lists -name '*_Packages*' -print -quit 2>/dev/null)
    if [ -z "$known" ] || apt-cache show "$package" >/dev/null 2>&1; then wanted="$wanted $package"; fi
}

group_build() {
    need gcc have cc
    need libc6-dev test -e /usr/include/stdlib.h
    need cmake have cmake
    need ninja-build have ninja
    need pkg-config have pkg-config
    need libjansson-dev library jansson
    need libpng-dev library libpng
    want libjpeg-dev library libjpeg # Debian's is libjpeg62-turbo-dev
    want libmeshoptimizer-dev test -e /usr/include/meshoptimizer.h
    need zlib1g-dev library zlib
    need libsuitesparse-dev test -e /usr/include/suitesparse/cholmod.h
    need libegl-dev library egl
    need libepoxy-dev library epoxy
    need libgl1-mesa-dri object 'swrast_dri.so'
    need libegl-mesa0 object 'libEGL_mesa.so.0'
    group_import
}
# FBX and the other formats of assimp, part of every build; one without it refuses them with a word about this package.
group_import() { need libassimp-dev library assimp; }
# g++ for the headers, which C++ programs include too.
group_test() {
    need libcmocka-dev library cmocka
    need g++ have c++
}
group_film() { need ffmpeg have ffmpeg; }
group_fuzz() {
    need clang have clang
    # The runtime must be of clang's own version; Debian 12's where clang is still to come.
    major=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
    need "libclang-rt-${major:-14}-dev" object 'libclang_rt.fuzzer*.a'
}
# The reference, which lint makes too.
group_docs() {
    need python3 have python3
    need doxygen have doxygen
}
group_lint() {
    group_docs
    need clang have clang
    need clang-tidy have clang-tidy
    need clang-format have clang-format
    need cppcheck have cppcheck
}
# A cluster of two nodes on one host, for make ci-long.
group_slurm() {
    need slurm-wlm have slurmctld
    need munge have munged
    need time test -x /usr/bin/time
}
# Some tests are skipped without these.
group_shell() { need zsh have zsh; }
# Instructions are counted with it.
group_valgrind() { need valgrind have valgrind; }
group_locale() { need locales test -e /usr/share/i18n/locales/de_DE; }
group_coverage() {
    need clang have clang
    need llvm have llvm-profdata
    major=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
    need "libclang-rt-${major:-14}-dev" object 'libclang_rt.profile*.a'
}
system_numpy() { /usr/bin/python3 -c 'import numpy' 2>/dev/null; }
numpy() { system_numpy || python3 -c 'import numpy' 2>/dev/null; }
group_quality() { need python3-numpy numpy; }
group_node() {
    need nodejs have node
    need npm have npm
}
group_browser() {
    group_node
    need chromium have chromium
}
# Large, and only looked at.
group_judges() {
    want blender have blender
    want python3-numpy system_numpy # which Blender's glTF importer needs
    want godot3-server have godot3-server
}
group_wasm() {
    need nodejs have node
    need emscripten have emcc
}

# The importer of FBX for pages.
group_fbx() {
    group_wasm
    need libutfcpp-dev test -e /usr/include/utf8cpp/utf8.h
}

group_arm() {
    need gcc-aarch64-linux-gnu have aarch64-linux-gnu-gcc
    need libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdlib.h
    need qemu-user have qemu-aarch64
}

for group in "$@"; do "group_$group"; done
[ -n "$missing$wanted" ] || exit 0

echo "installing:$missing$wanted"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    have sudo || [ -n "$missing" ] || { echo "not root and no sudo: going on without$wanted" >&2; exit 0; }
    have sudo || { echo "not root and no sudo: please install$missing" >&2; exit 1; }
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() { $as_root "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "could not install$missing" >&2; exit 1; }; }
run apt-get update
# shellcheck disable=SC2086  # the lists are meant to split
[ -z "$missing" ] || run apt-get install -y --no-install-recommends $missing
for package in $wanted; do
    $as_root apt-get install -y --no-install-recommends "$package" >"$log" 2>&1 || echo "going on without $package"
done
