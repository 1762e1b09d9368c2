// Handle structures to files (.snrig). Laid out by hand: a handle changes few lines, so that two versions of
// a file can be compared.
#include "base/error.h"
#include "json.h"
#include "number.h"
#include "sinew/io.h"

// Ranges of vertices in one text.
#define RANGES 16

static void add_float(sniBytes* out, float value) {
    char text[SNI_NUMBER_MAX];
    sni_print_float(value, text);
    sni_bytes_text(out, text);
}

// With quotes and escapes.
static bool add_name(sniBytes* out, const char* name) {
    sniJsonValue* text = sni_json_string(name);
    if (text == NULL) return false;
    sni_json_print(text, false, out);
    sni_json_free(text);
    return true;
}

// The vertices of a handle whose weight is `weight`; any weight where `all`.
typedef struct Choice {
    bool all;
    float weight;
} Choice;

static bool chosen(const snHandle* handle, uint32_t i, Choice choice) {
    return choice.all || handle->weights[i] == choice.weight;
}

// Lines of texts such as "12-40 57 60-61".
static void add_ranges(sniBytes* out, const snHandle* handle, Choice choice, const char* indent) {
    uint32_t written = 0;
    for (uint32_t i = 0; i < handle->vertex_count;) {
        if (!chosen(handle, i, choice)) {
            i++;
            continue;
        }
        uint32_t first = handle->vertices[i], last = first;
        for (i++; i < handle->vertex_count && handle->vertices[i] == last + 1 && chosen(handle, i, choice);
             i++)
            last++;
        char text[48];
        if (last > first) {
            snprintf(text, sizeof text, "%u-%u", first, last);
        } else {
            snprintf(text, sizeof text, "%u", first);
        }
        if (written % RANGES == 0) {
            sni_bytes_text(out, written > 0 ? "\",\n" : "\n");
            sni_bytes_text(out, indent);
            sni_bytes_text(out, "\"");
        } else {
            sni_bytes_text(out, " ");
        }
        sni_bytes_text(out, text);
        written++;
    }
    if (written > 0) sni_bytes_text(out, "\"");
}

// The largest weight below `below` in the handle; a negative number where there is none.
static float next_weight(const snHandle* handle, float below) {
    float next = -1.0f;
    for (uint32_t i = 0; i < handle->vertex_count; i++) {
        if (handle->weights[i] < below && handle->weights[i] > next) next = handle->weights[i];
    }
    return next;
}

static void add_weights(sniBytes* out, const snHandle* handle) {
    float weight = next_weight(handle, 1.0f);
    if (weight < 0.0f) return;
    sni_bytes_text(out, ",\n      \"weights\": [");
    const char* comma = "";
    while (weight >= 0.0f) {
        sni_bytes_text(out, comma);
        sni_bytes_text(out, "\n        {\"weight\": ");
        add_float(out, weight);
        sni_bytes_text(out, ", \"vertices\": [");
        add_ranges(out, handle, (Choice){false, weight}, "          ");
        sni_bytes_text(out, "]}");
        weight = next_weight(handle, weight);
        comma = ",";
    }
    sni_bytes_text(out, "\n      ]");
}

static bool add_followers(sniBytes* out, const snHandles* handles, const snHandle* handle) {
    if (handle->follower_count == 0) return true;
    sni_bytes_text(out, ",\n      \"followers\": [");
    for (uint32_t i = 0; i < handle->follower_count; i++) {
        if (i > 0) sni_bytes_text(out, ", ");
        if (!add_name(out, handles->handles[handle->followers[i]].name)) return false;
    }
    sni_bytes_text(out, "]");
    return true;
}

static bool add_handle(sniBytes* out, const snHandles* handles, const snHandle* handle) {
    sni_bytes_text(out, "    {\n      \"name\": ");
    if (!add_name(out, handle->name)) return false;
    const float center[3] = {handle->center.x, handle->center.y, handle->center.z};
    for (int k = 0; k < 3; k++) {
        sni_bytes_text(out, k > 0 ? ", " : ",\n      \"center\": [");
        add_float(out, center[k]);
    }
    sni_bytes_text(out, "],\n      \"confidence\": ");
    add_float(out, handle->confidence);
    if (!add_followers(out, handles, handle)) return false;
    sni_bytes_text(out, ",\n      \"vertices\": [");
    add_ranges(out, handle, (Choice){true, 0.0f}, "        ");
    sni_bytes_text(out, "\n      ]");
    add_weights(out, handle);
    sni_bytes_text(out, "\n    }");
    return true;
}

static snResult print_rig(sniBytes* out, const snHandles* handles, snError* error) {
    char head[160];
    snprintf(
        head, sizeof head,
        "{\n  \"sinew_rig\": 1,\n  \"mesh\": {\"vertices\": %u, \"hash\": \"%016llx\"},\n  \"handles\": [\n",
        handles->vertex_count, (unsigned long long)handles->mesh_hash);
    sni_bytes_text(out, head);
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        if (h > 0) sni_bytes_text(out, ",\n");
        if (!add_handle(out, handles, &handles->handles[h])) return sni_fail_memory(error);
    }
    sni_bytes_text(out, "\n  ]\n}\n");
    return SN_RESULT_OK;
}

snResult sn_handles_write(const snHandles* handles, const char* path, snError* error) {
    if (handles == NULL || path == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "handles and a path are needed");
    }
    snAllocator memory = sn_allocator_default();
    sniBytes out = sni_bytes(&memory);
    return sni_bytes_save(&out, print_rig(&out, handles, error), path, error);
}

snResult sn_handles_write_memory(const snHandles* handles, const snAllocator* allocator, snBytes* out,
                                 snError* error) {
    if (handles == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "handles and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, print_rig(&bytes, handles, error), out, error);
}
