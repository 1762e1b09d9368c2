// Places of accessors that a document needs no more: new data goes there first, so that a file that passes
// through does not grow by what it loses.
#include "gltf_output.h"

static bool whole(const sniJsonValue* object, const char* key, size_t* out) {
    sniJson json = sni_json_root((sniJsonValue*)object);
    sniJson member = sni_json_get(&json, key);
    int64_t value = -1;
    if (!sni_json_whole(&member, &value) || value < 0) return false;
    *out = (size_t)value;
    return true;
}

typedef struct Count {
    size_t index;
    uint32_t uses;
} Count;

static void count_use(void* user, const char* key, sniJsonValue* value) {
    Count* count = user;
    sniJson json = sni_json_root(value);
    int64_t index = -1;
    (void)key;
    count->uses += sni_json_whole(&json, &index) && index == (int64_t)count->index;
}

static uint32_t count_uses(const sniOutput* out, uint32_t accessor) {
    Count count = {accessor, 0};
    const sniJsonValue* meshes = sni_json_find(out->json, "meshes");
    for (size_t m = 0; m < sni_json_count(meshes); m++) {
        const sniJsonValue* list = sni_json_find(sni_json_element(meshes, m), "primitives");
        for (size_t p = 0; p < sni_json_count(list); p++) {
            const sniJsonValue* primitive = sni_json_element(list, p);
            const sniJsonValue* targets = sni_json_find(primitive, "targets");
            sni_json_each(sni_json_find(primitive, "attributes"), count_use, &count);
            for (size_t t = 0; t < sni_json_count(targets); t++)
                sni_json_each(sni_json_element(targets, t), count_use, &count);
        }
    }
    return count.uses;
}

// How many accessors look into a view.
static uint32_t count_views(const sniOutput* out, size_t view) {
    const sniJsonValue* accessors = sni_json_find(out->json, "accessors");
    uint32_t count = 0;
    for (size_t i = 0; i < sni_json_count(accessors); i++) {
        size_t index = 0;
        const sniJsonValue* accessor = sni_json_element(accessors, i);
        count += (whole(accessor, "bufferView", &index) && index == view) ||
                 sni_json_find(accessor, "sparse") != NULL;
    }
    return count;
}

void sni_output_release(sniOutput* out, uint32_t accessor) {
    const sniJsonValue* object = sni_json_element(sni_json_find(out->json, "accessors"), accessor);
    size_t view = 0, begin = 0, size = 0;
    if (out->free_count == SNI_FREE_MAX || count_uses(out, accessor) > 0) return;
    if (!whole(object, "bufferView", &view) || count_views(out, view) != 1) return;
    const sniJsonValue* place = sni_json_element(sni_json_find(out->json, "bufferViews"), view);
    if (sni_json_find(object, "extensions") != NULL || sni_json_find(place, "extensions") != NULL) return;
    if (!whole(place, "byteLength", &size)) return;
    whole(place, "byteOffset", &begin);
    if (begin % 4 != 0 || begin + size > out->bin.size) return;
    for (uint32_t i = 0; i < out->free_count; i++) {
        if (out->frees[i].accessor == accessor) return;
    }
    out->frees[out->free_count++] = (sniFreePlace){accessor, (uint32_t)view, begin, size};
}

// The smallest place that is large enough.
bool sni_output_take_place(sniOutput* out, size_t size, sniFreePlace* place) {
    uint32_t best = SN_NONE;
    for (uint32_t i = 0; i < out->free_count; i++) {
        if (out->frees[i].size >= size && (best == SN_NONE || out->frees[i].size < out->frees[best].size))
            best = i;
    }
    if (best == SN_NONE || size == 0) return false;
    *place = out->frees[best];
    out->frees[best] = out->frees[--out->free_count];
    return true;
}
