#include <stdlib.h>
#include <string.h>

#include "fuzz_summary.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Two handles and two poses without steps, for files to name.
typedef struct Names {
    snHandle list[2];
    snHandles handles;
    snHandlePose poses[2];
    const snHandlePose* all[2];
} Names;

static char texts[4][4] = {"L", "R", "a", "b"};

static snPathReadDef make_def(Names* names) {
    memset(names, 0, sizeof *names);
    for (int i = 0; i < 2; i++) {
        names->list[i].name = texts[i];
        names->poses[i].name = texts[2 + i];
        names->all[i] = &names->poses[i];
    }
    names->handles.handle_count = 2;
    names->handles.handles = names->list;
    names->handles.size = 1.0f;
    snPathReadDef def = sn_path_read_def();
    def.handles = &names->handles;
    def.pose_count = 2;
    def.poses = names->all;
    def.read.memory_limit = (size_t)64 << 20;
    return def;
}

// Targets are somewhere at any time, and rests hold still.
static void check_path(const snPathDef* path, const snTerrain* terrain) {
    static const float times[] = {-1e30f, -1.0f, 0.0f, 0.1f, 1.0f, 7.5f, 1e30f};
    if (path->handle > 1 || sn_path_validate(path, NULL) != SN_RESULT_OK) abort();
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        snPathPoint at = sn_path_at(path, NULL, times[i]);
        if (!sn_vec3_finite(at.place) || !(at.since >= 0.0f) || !(at.until >= 0.0f)) abort();
        sn_path_at(path, terrain, times[i]);
    }
    const snPathKey* key = &path->keys[path->key_count / 2];
    snPathPoint begin = sn_path_at(path, terrain, key->time);
    snPathPoint end = sn_path_at(path, terrain, key->time + key->rest);
    if (memcmp(&begin.place, &end.place, sizeof begin.place) != 0) abort();
}

static void check_file(const snPathFile* file) {
    const snTerrain* terrain = file->grounded ? &file->terrain : NULL;
    if (terrain != NULL && sn_terrain_validate(terrain, NULL) != SN_RESULT_OK) abort();
    for (uint32_t i = 0; file->paths != NULL && i < file->paths->path_count; i++)
        check_path(&file->paths->paths[i], terrain);
    // A file of settings alone goes with a capture.
    if (file->keyframes.key_count == 0) return;
    float weights[2];
    if (sn_keyframes_validate(&file->keyframes, 2, NULL) != SN_RESULT_OK) abort();
    sn_keyframes_at(&file->keyframes, 0.7f, 2, weights);
    if (!sn_finite(weights[0]) || !sn_finite(weights[1])) abort();
}

// What is refused says why; what is taken can be played.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Names names;
    snPathReadDef def = make_def(&names);
    snPathFile* file = NULL;
    snError error = sn_error_none();
    snResult result = sn_path_file_read_memory("fuzz.json", data, size, &def, &file, &error);
    snFileSummary* summary = fuzz_summary(data, size);
    if (result == SN_RESULT_OK && (summary == NULL || summary->kind != SN_FILE_PATH)) abort();
    sn_file_summary_destroy(summary);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0' || file != NULL) abort();
        return 0;
    }
    check_file(file);
    sn_path_file_destroy(file);
    return 0;
}
