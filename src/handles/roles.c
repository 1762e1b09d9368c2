// What handles are for a body, so that poses and paths made on one model know those of another.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "handles/roles.h"

static snResult fill_skeleton(const snHandles* handles, const char** names, uint32_t* parents, snTrs* rest,
                              const snAllocator* memory, snSkeleton** out, snError* error) {
    uint32_t count = handles->handle_count;
    for (uint32_t h = 0; h < count; h++) parents[h] = SN_NONE;
    for (uint32_t h = 0; h < count; h++) {
        const snHandle* handle = &handles->handles[h];
        for (uint32_t i = 0; i < handle->follower_count; i++)
            if (parents[handle->followers[i]] == SN_NONE) parents[handle->followers[i]] = h;
    }
    for (uint32_t h = 0; h < count; h++) {
        names[h] = handles->handles[h].name;
        rest[h] = sn_trs_identity();
        rest[h].translation = handles->handles[h].center;
        if (parents[h] != SN_NONE)
            rest[h].translation = sn_sub(rest[h].translation, handles->handles[parents[h]].center);
    }
    snSkeletonDef def = {count, names, parents, rest};
    return sn_skeleton_create(&def, memory, out, error);
}

snResult sn_handles_skeleton(const snHandles* handles, const snAllocator* allocator, snSkeleton** out,
                             snError* error) {
    if (handles == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "handles and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    uint32_t count = handles->handle_count;
    const char** names = SNI_NEW_ARRAY(&memory, const char*, count);
    uint32_t* parents = SNI_NEW_ARRAY(&memory, uint32_t, count);
    snTrs* rest = SNI_NEW_ARRAY(&memory, snTrs, count);
    bool room = names != NULL && parents != NULL && rest != NULL;
    snResult result =
        room ? fill_skeleton(handles, names, parents, rest, &memory, out, error) : sni_fail_memory(error);
    sni_free(&memory, names);
    sni_free(&memory, parents);
    sni_free(&memory, rest);
    return result;
}

snResult sn_handles_anatomy(const snHandles* handles, const snAllocator* allocator, snJointName* out_names) {
    snAllocator memory = sni_allocator(allocator);
    snSkeleton* skeleton = NULL;
    SNI_TRY(sn_handles_skeleton(handles, &memory, &skeleton, NULL));
    snResult result = sn_skeleton_anatomy(skeleton, &memory, out_names);
    sn_skeleton_destroy(skeleton);
    if (result != SN_RESULT_LIMIT) return result;
    for (uint32_t h = 0; h < handles->handle_count; h++) out_names[h].text[0] = '\0'; // too many for a body
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ finding

// What carries a part of a body, of the same side; false: nothing does, or it is none.
static bool part_above(const char* part, char out[32]) {
    static const char* const chains[][2] = {
        {"Toes", "Ankle"},    {"Ankle", "Knee"},     {"Knee", "Hip"},          {"Hip", "Hips"},
        {"Wrist", "Elbow"},   {"Elbow", "Shoulder"}, {"Shoulder", "Clavicle"}, {"Clavicle", "Chest"},
        {"Thumb*", "Wrist"},  {"Index*", "Wrist"},   {"Middle*", "Wrist"},     {"Ring*", "Wrist"},
        {"Little*", "Wrist"}, {"Head", "Neck"},      {"Neck", "Chest"},        {"Chest", "Hips"},
        {"Spine*", "Chest"},  {"Tail*", "Hips"},     {"Hips", "Root"}};
    const char* side = strncmp(part, "Left", 4) == 0 ? "Left" : strncmp(part, "Right", 5) == 0 ? "Right" : "";
    const char* bare = part + strlen(side);
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        if (!sn_name_matches(chains[i][0], bare)) continue;
        const char* above = chains[i][1];
        bool middle = strcmp(above, "Hips") == 0 || strcmp(above, "Chest") == 0;
        snprintf(out, 32, "%s%s", middle ? "" : side, above);
        return true;
    }
    return false;
}

uint32_t sn_handles_find_part(const snHandles* handles, const snJointName* anatomy, const char* name,
                              bool* out_above) {
    uint32_t found = sn_handles_find(handles, name);
    if (out_above != NULL) *out_above = false;
    if (found == SN_NONE) found = sni_handles_part(handles, anatomy, name);
    char part[32], above[32];
    snprintf(part, sizeof part, "%s", name);
    while (found == SN_NONE && part_above(part, above)) {
        found = sni_handles_part(handles, anatomy, above);
        if (out_above != NULL) *out_above = true;
        memcpy(part, above, sizeof part);
    }
    return found;
}
