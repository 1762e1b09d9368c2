#!/bin/sh
# run.sh HOW SOURCE BUILD WORK: builds and runs the outside project HOW (find_package, pkg_config or
# add_subdirectory) against what `cmake --install` puts below WORK.
set -eu
how=$1 source=$2 build=$3 work=$4/$1
rm -rf "$work"
mkdir -p "$work"
here=$source/tests/install

case $how in
find_package)
    cmake --install "$build" --prefix "$work/prefix" >/dev/null
    cmake -S "$here/find_package" -B "$work/out" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
    cmake --build "$work/out" >/dev/null
    "$work/out/with_static"
    "$work/out/with_shared"
    ;;
pkg_config)
    cmake --install "$build" --prefix "$work/prefix" >/dev/null
    directory=$(dirname "$(find "$work/prefix" -name sinew.pc)")
    flags() { PKG_CONFIG_PATH=$directory pkg-config "$@" sinew; }
    # shellcheck disable=SC2046  # flags are meant to split
    cc $(flags --cflags) "$here/consumer.c" -o "$work/consumer" $(flags --libs) -Wl,-rpath,"$(flags --variable=libdir)"
    "$work/consumer"
    # shellcheck disable=SC2046
    cc $(flags --cflags) "$here/consumer.c" -o "$work/consumer_static" -Wl,-Bstatic $(flags --libs) -Wl,-Bdynamic -lm
    "$work/consumer_static"
    ;;
add_subdirectory)
    cmake -S "$here/add_subdirectory" -B "$work/out" -DSINEW_SOURCE_DIR="$source" >/dev/null
    cmake --build "$work/out" >/dev/null
    "$work/out/consumer"
    ;;
esac
