#!/bin/sh
# wasm_libraries.sh FOLDER: the sources of jansson, zlib and libpng with the headers that their own configuration would make,
# so that cmake/SinewIoLibraries.cmake can compile them as WASM. A folder that is there already is left as it is.
set -eu
folder=$1
[ -e "$folder/ready" ] && exit 0
"$(dirname "$0")/debian_sources.sh" "$folder" jansson zlib libpng1.6
# jansson asks what the compiler and the C library have; Emscripten has all of it.
jansson=$folder/jansson/src
sed -e 's/@json_inline@/inline/' -e 's/@json_have_long_long@/1/' -e 's/@json_have_localeconv@/1/' \
    -e 's/@json_have_atomic_builtins@/1/' -e 's/@json_have_sync_builtins@/1/' \
    "$jansson/jansson_config.h.in" >"$jansson/jansson_config.h"
printf '#define %s 1\n' HAVE_STDINT_H HAVE_LOCALE_H HAVE_STRTOLL >"$jansson/jansson_private_config.h"
cp "$folder/libpng1.6/scripts/pnglibconf.h.prebuilt" "$folder/libpng1.6/pnglibconf.h"
touch "$folder/ready"
