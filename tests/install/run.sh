#!/bin/sh
# run.sh HOW SOURCE BUILD WORK COMPONENT...: outside projects against what `cmake --install` puts below WORK, by HOW:
# find_package, pkg_config or add_subdirectory link and run each target that was built; headers includes each header
# on its own in C and C++; refused asks for components that cannot be had; missing configures
# Sinew itself without cmocka and others.
set -eu
how=$1 source=$2 build=$3 work=$4/$1
shift 4
here=$source/tests/install
rm -rf "$work"
mkdir -p "$work/files"

install() { cmake --install "$build" --prefix "$work/prefix" >/dev/null; }
has() { for component in $components; do [ "$component" != "$1" ] || return 0; done; return 1; }
components=$*

# says TEXT COMMAND...: the command's output has the text in it; line breaks of a message do not count.
says() {
    text=$1
    shift
    if "$@" >"$work/log" 2>&1; then status=0; else status=$?; fi
    if ! tr -s '\n ' '  ' <"$work/log" | grep -qF -- "$text"; then
        cat "$work/log"
        echo "expected: $text"
        exit 1
    fi
    return $status
}
# The command fails, and says why.
fails() { if says "$@"; then cat "$work/log"; echo "should have failed"; exit 1; fi; }

case $how in
find_package)
    install
    list=$(echo "$components" | tr ' ' ';')
    cmake -S "$here/find_package" -B "$work/out" -DCMAKE_PREFIX_PATH="$work/prefix" -DEXPECTED="$list" >/dev/null
    cmake --build "$work/out" >/dev/null
    for program in static shared $components; do "$work/out/with_$program" "$work/files"; done
    ;;
pkg_config)
    install
    # Moved, and without the shared library: what is left to link is the archive.
    mkdir "$work/moved"
    mv "$work/prefix" "$work/moved/here"
    cp -r "$work/moved/here" "$work/static"
    find "$work/static" -name 'libsinew.so*' -delete
    for tree in moved/here static; do
        PKG_CONFIG_PATH=$(dirname "$(find "$work/$tree" -name sinew.pc)")
        export PKG_CONFIG_PATH
        path=$(pkg-config --variable=libdir sinew)
        for component in "" $components; do
            name=sinew${component:+-$component} program=consumer${component:+_$component}
            libs=$(pkg-config --libs "$name")
            # Of the archive alone also what is private.
            [ "$tree" != static ] || libs=$(pkg-config --static --libs "$name")
            # shellcheck disable=SC2046,SC2086  # flags are meant to split
            cc -Wall -Werror $(pkg-config --cflags "$name") "$here/$program.c" -o "$work/$program" $libs -Wl,-rpath,"$path"
            "$work/$program" "$work/files"
        done
    done
    ;;
headers)
    command -v c++ >/dev/null || { echo "skipped: no C++ compiler (g++)"; exit 77; }
    install
    include=$(dirname "$(dirname "$(find "$work/prefix" -name sinew.h)")")
    count=0
    for header in "$include"/sinew/*.h; do
        name=$(basename "$header" .h)
        echo "#include <sinew/$name.h>" | tee "$work/files/$name.c" >"$work/files/$name.cpp"
        count=$((count + 1))
    done
    flags="-Wall -Wextra -Werror -I$include"
    # shellcheck disable=SC2086
    cc $flags -std=c17 -pedantic -fsyntax-only "$work"/files/*.c
    echo 'int main() { return sn_result_name(SN_RESULT_OK)[0] == 0; }' >>"$work/files/sinew.cpp"
    # shellcheck disable=SC2086
    c++ $flags -std=c++17 "$work"/files/*.cpp "$(find "$work/prefix" -name libsinew.a)" -lm -o "$work/all"
    "$work/all"
    echo "$count headers"
    ;;
refused)
    install
    config=$(find "$work/prefix" -name sinew-config.cmake)
    ask() { cmake -S "$here/refused" -B "$work/out$1" -DCMAKE_PREFIX_PATH="$work/prefix" -DCOMPONENTS="$1"; }
    fails "sinew has no component crowd; there are pool, job, io, document and sparse" ask crowd
    if has io; then
        # A machine that lacks what the archive needs.
        lacks="sinew::io needs what was not found: jansson (libjansson-dev), libpng (libpng-dev), libjpeg (libjpeg62-turbo-dev), zlib (zlib1g-dev)"
        PKG_CONFIG_LIBDIR=$work/files fails "$lacks" ask io
        PKG_CONFIG_LIBDIR=$work/files says "$lacks" ask ""
    fi
    sed -i 's/^set(sinew_built_components.*/set(sinew_built_components pool)/' "$config"
    fails "this sinew was built without sinew::sparse" ask sparse
    ;;
missing)
    # All that pkg-config knows but cmocka.
    mkdir "$work/known"
    for folder in $(pkg-config --variable pc_path pkg-config | tr ':' ' '); do
        [ ! -d "$folder" ] || cp "$folder"/*.pc "$work/known/" 2>/dev/null || true
    done
    rm -f "$work/known/cmocka.pc"
    unset PKG_CONFIG_PATH
    export PKG_CONFIG_LIBDIR="$work/known"
    configure() { folder=$work/$1; shift; cmake -S "$source" -B "$folder" "$@"; }
    says "cmocka is not installed: the tests are left out (libcmocka-dev)" configure plain
    [ ! -e "$work/plain/tests" ] || { echo "tests were configured"; exit 1; }
    fails "Tests need cmocka (Debian package libcmocka-dev); -DSINEW_TESTS=OFF leaves them out" \
        configure asked -DSINEW_TESTS=ON
    rm "$work/known/epoxy.pc"
    fails "need epoxy (Debian package libepoxy-dev); -DSINEW_APPS=OFF leaves them out" configure unseen
    rm "$work/known/jansson.pc"
    fails "need jansson (Debian package libjansson-dev); -DSINEW_IO=OFF -DSINEW_APPS=OFF leaves them out" configure mute
    ;;
add_subdirectory)
    # Without instruction sets, which are most of the library's compiling and nothing of this.
    cmake -S "$here/add_subdirectory" -B "$work/out" -G Ninja -DSINEW_SOURCE_DIR="$source" -DSINEW_SIMD=OFF >/dev/null
    cmake --build "$work/out" >/dev/null
    "$work/out/consumer"
    ;;
esac
