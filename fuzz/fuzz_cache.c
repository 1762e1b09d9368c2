#include <stdlib.h>

#include "sinew/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// The first byte chooses the format.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    snReadDef def = sn_read_def();
    def.memory_limit = (size_t)64 << 20;
    snPointCache* cache = NULL;
    const char* name = data[0] % 2 == 0 ? "fuzz.pc2" : "fuzz.mdd";
    if (sn_point_cache_read_memory(name, data + 1, size - 1, &def, &cache, NULL) != SN_RESULT_OK) return 0;
    size_t count = (size_t)cache->point_count * cache->frame_count;
    if (count == 0 || !sn_vec3_finite(cache->points[count - 1])) abort();
    sn_point_cache_destroy(cache);
    return 0;
}
