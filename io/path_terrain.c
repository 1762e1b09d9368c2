// The terrain of a path file.
#include <float.h>
#include <stdio.h>

#include "path_file.h"
#include "picture.h"

// A side of a height map, in pixels.
#define MAP_MAX 8192u

// "x", "z" of a direction, of any length.
static void read_direction(sniPathReading* r, const sniJson* json, snVec2* out) {
    float d[2] = {0.0f, 1.0f};
    if (json->value != NULL && !sni_path_numbers(r, json, 2, "two numbers, x and z", d)) return;
    float length = sqrtf(d[0] * d[0] + d[1] * d[1]);
    if (!(length > 0.0f) || !sn_finite(length)) {
        sni_fault(r->reading, json, "has no length");
        return;
    }
    out->x = d[0] / length;
    out->y = d[1] / length;
}

static void take_heights(sniPathReading* r, const sniGrey* grey) {
    snPathFile* file = r->file;
    size_t count = (size_t)grey->width * grey->height;
    float most = grey->depth > 8 ? 65535.0f : 255.0f;
    file->heights = SNI_NEW_ARRAY(r->memory, float, count);
    if (file->heights == NULL) {
        sni_fault_memory(r->reading);
        return;
    }
    for (size_t i = 0; i < count; i++) file->heights[i] = (float)grey->samples[i] / most;
    file->terrain.columns = grey->width;
    file->terrain.rows = grey->height;
    file->terrain.heights = file->heights;
}

// A grey picture beside the file, seen from above: +X to the right, +Z down.
static void read_image(sniPathReading* r, const sniJson* json) {
    const char* name = NULL;
    char path[SNI_PATH_MAX];
    if (!sni_get_name(json, &name) || name[0] == '\0') {
        sni_fault_kind(r->reading, json, "the name of a PNG");
        return;
    }
    if (r->beside == NULL) {
        sni_fault(r->reading, json, "names a picture, and none can be opened from here");
        return;
    }
    char relative[SNI_PATH_MAX];
    if ((size_t)snprintf(relative, sizeof relative, "%s", name) >= sizeof relative ||
        !sni_path_inside(relative) || !sni_path_beside(r->beside->name, relative, path)) {
        sni_fault(r->reading, json, "is \"%.60s\", expected a relative path inside the file's folder", name);
        return;
    }
    uint8_t* data = NULL;
    size_t size = 0;
    sniGrey grey = {0};
    snError why = sn_error_none();
    snResult result = sni_beside_read(r->beside, path, r->memory_limit, r->memory, &data, &size, &why);
    if (result == SN_RESULT_OK) result = sni_grey_decode(data, size, 2, MAP_MAX, r->memory, &grey, &why);
    sni_free(r->memory, data);
    if (result == SN_RESULT_OK)
        take_heights(r, &grey);
    else if (result == SN_RESULT_OUT_OF_MEMORY)
        sni_fault_memory(r->reading);
    else
        sni_fault(r->reading, json, "cannot be read: %.200s: %.120s", path, why.text);
    sni_free(r->memory, grey.samples);
}

static void read_map(sniPathReading* r, const sniJson* json) {
    float low[2] = {0.0f, 0.0f}, high[2] = {0.0f, 0.0f};
    sniJson from = sni_json_get(json, "from"), to = sni_json_get(json, "to"),
            image = sni_json_get(json, "image");
    if (!sni_path_numbers(r, &from, 2, "two numbers, x and z", low) ||
        !sni_path_numbers(r, &to, 2, "two numbers, x and z", high))
        return;
    r->file->terrain.low = (snVec2){low[0], low[1]};
    r->file->terrain.high = (snVec2){high[0], high[1]};
    read_image(r, &image);
}

void sni_path_read_terrain(sniPathReading* r, const sniJson* json) {
    static const char* const keys[SN_TERRAIN_COUNT][8] = {
        {"kind", "height", "slope", NULL},
        {"kind", "height", "length", "direction", "begin", "edge", "steps", NULL},
        {"kind", "height", "length", "direction", "begin", NULL},
        {"kind", "height", "from", "to", "image", NULL}};
    const char* kinds[SN_TERRAIN_COUNT + 1] = {NULL};
    for (uint32_t i = 0; i < SN_TERRAIN_COUNT; i++) kinds[i] = sn_terrain_name((snTerrainKind)i);
    snTerrain* terrain = &r->file->terrain;
    uint32_t kind = 0;
    sniJson where = sni_json_get(json, "kind");
    if (!sni_path_choice(r, json, "kind", kinds, &kind)) {
        if (sni_path_good(r)) sni_fault_kind(r->reading, &where, "a kind of terrain");
        return;
    }
    if (!sni_path_object(r, json, keys[kind])) return;
    terrain->kind = (snTerrainKind)kind;
    float slope[2] = {0.0f, 0.0f}, steps = 0.0f;
    sniJson tilt = sni_json_get(json, "slope"), direction = sni_json_get(json, "direction");
    if (tilt.value != NULL) sni_path_numbers(r, &tilt, 2, "two numbers, along x and z", slope);
    terrain->slope_x = slope[0];
    terrain->slope_z = slope[1];
    terrain->length = 1.0f;
    read_direction(r, &direction, &terrain->direction);
    sni_path_float(r, json, "height", -1e6f, 1e6f, &terrain->height);
    sni_path_float(r, json, "length", 1e-3f, 1e6f, &terrain->length);
    sni_path_float(r, json, "begin", -1e6f, 1e6f, &terrain->begin);
    sni_path_float(r, json, "edge", 0.0f, terrain->length, &terrain->edge);
    sni_path_float(r, json, "steps", 0.0f, 1e6f, &steps);
    terrain->steps = (uint32_t)steps;
    if (kind == SN_TERRAIN_MAP && sni_path_good(r)) read_map(r, json);
    snError why = sn_error_none();
    if (sni_path_good(r) && sn_terrain_validate(terrain, &why) != SN_RESULT_OK)
        sni_fault(r->reading, json, "cannot be used: %s", why.text);
    r->file->grounded = true;
}
