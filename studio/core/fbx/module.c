// The importer of FBX as a module of its own: bytes of a file in, the stream that the core reads out. A page
// makes an instance for every file and throws it away, as the command line does with its process.
#include <emscripten.h>

#include "io/assimp_import.h"

static sniBytes input, output;

EMSCRIPTEN_KEEPALIVE uint8_t* sinew_import_room(size_t size);
uint8_t* sinew_import_room(size_t size) {
    snAllocator memory = sn_allocator_default();
    input = sni_bytes(&memory);
    output = sni_bytes(&memory);
    return sni_bytes_extend(&input, size);
}

// True: sinew_import_data and sinew_import_size have the stream. False: memory ran out.
EMSCRIPTEN_KEEPALIVE bool sinew_import(float unit);
bool sinew_import(float unit) {
    sni_assimp_import(&input, "fbx", unit, &output);
    return !output.failed;
}

EMSCRIPTEN_KEEPALIVE const uint8_t* sinew_import_data(void);
const uint8_t* sinew_import_data(void) { return output.data; }
EMSCRIPTEN_KEEPALIVE size_t sinew_import_size(void);
size_t sinew_import_size(void) { return output.size; }
