#!/bin/sh
# wasm_libraries.sh FOLDER: the sources of jansson, zlib and libpng with the headers that their own configuration would make,
# so that cmake/SinewIoLibraries.cmake can compile them as WASM. A folder that is there already is left as it is.
set -eu
folder=$1
version=2 # of what is made below
[ "$(cat "$folder/ready" 2>/dev/null)" = $version ] && exit 0
"$(dirname "$0")/debian_sources.sh" "$folder" jansson zlib libpng1.6
# jansson asks what the compiler and the C library have; Emscripten has all of it.
jansson=$folder/jansson/src
sed -e 's/@json_inline@/inline/' -e 's/@json_have_long_long@/1/' -e 's/@json_have_localeconv@/1/' \
    -e 's/@json_have_atomic_builtins@/1/' -e 's/@json_have_sync_builtins@/1/' \
    "$jansson/jansson_config.h.in" >"$jansson/jansson_config.h"
printf '#define %s 1\n' HAVE_STDINT_H HAVE_LOCALE_H HAVE_STRTOLL >"$jansson/jansson_private_config.h"
# Of libpng only what io/ calls: chunks that say nothing of pixels, gamma, quantising and the simplified interface stay out.
keep='16BIT|ALIGNED_MEMORY|BENIGN_ERRORS|BENIGN_READ_ERRORS|CHECK_FOR_INVALID_INDEX|ERROR_TEXT|FIXED_POINT|FLOATING_ARITHMETIC|FLOATING_POINT'
keep="$keep|EASY_ACCESS|INFO_IMAGE|IO_STATE|POINTER_INDEXING|READ|READ_16BIT|READ_CHECK_FOR_INVALID_INDEX|READ_EXPAND|READ_FILLER"
keep="$keep|READ_GRAY_TO_RGB|READ_INTERLACING|READ_INT_FUNCTIONS|READ_SCALE_16_TO_8|READ_STRIP_16_TO_8|READ_SWAP|READ_TRANSFORMS|READ_tRNS"
keep="$keep|READ_ANCILLARY_CHUNKS|SAVE_INT_32|SEQUENTIAL_READ|SETJMP|SET_OPTION|SET_USER_LIMITS|USER_LIMITS|USER_MEM|WARNINGS|tRNS"
keep="$keep|WRITE|WRITE_16BIT|WRITE_CHECK_FOR_INVALID_INDEX|WRITE_CUSTOMIZE_COMPRESSION|WRITE_FILTER|WRITE_FLUSH|WRITE_INT_FUNCTIONS"
keep="$keep|WRITE_OPTIMIZE_CMF|WRITE_SWAP|WRITE_TRANSFORMS|WRITE_WEIGHTED_FILTER"
awk -v keep="^#define PNG_($keep)_SUPPORTED" '/_SUPPORTED *$/ && $0 !~ keep { next } { print }' \
    "$folder/libpng1.6/scripts/pnglibconf.h.prebuilt" >"$folder/libpng1.6/pnglibconf.h"
echo $version >"$folder/ready"
