// Pose spaces: what searches need of all examples.
#include "poses/space.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static bool allocate_space(snPoseSpace* space) {
    const snAllocator* memory = &space->allocator;
    size_t poses = space->pose_count, handles = space->handle_count;
    space->steps = SNI_NEW_ARRAY(memory, sniStep, space->step_count);
    space->first_step = SNI_NEW_ARRAY(memory, uint32_t, poses + 1);
    space->moved = SNI_NEW_ARRAY(memory, uint32_t, space->moved_count);
    space->needs = SNI_NEW_ARRAY(memory, uint32_t, handles * space->need_words);
    space->alone = SNI_NEW_ARRAY(memory, snRigid, poses * handles);
    space->example_places = SNI_NEW_ARRAY(memory, float, poses * 3 * space->padded_handles);
    space->groups = SNI_NEW_ARRAY(memory, sniPoseGroup, handles);
    space->members = SNI_NEW_ARRAY(memory, float, handles* poses);
    return space->steps != NULL && space->first_step != NULL && space->moved != NULL &&
           space->needs != NULL && space->alone != NULL && space->example_places != NULL &&
           space->groups != NULL && space->members != NULL;
}

static void fill_steps(snPoseSpace* space, const snPoseSpaceDef* def) {
    uint32_t next = 0, moved = 0;
    for (uint32_t e = 0; e < def->pose_count; e++) {
        space->first_step[e] = next;
        for (uint32_t i = 0; i < def->poses[e]->step_count; i++) {
            const snPoseStep* from = &def->poses[e]->steps[i];
            sniStep* to = &space->steps[next++];
            to->act = from->act;
            to->frame = from->frame;
            to->center = from->center;
            to->axis = from->axis;
            to->angle = from->angle;
            bool turn = from->act == SN_POSE_ROTATE;
            to->pivot = turn ? def->handles->handles[from->center].center : from->move;
            to->first = moved;
            to->count = from->handle_count;
            for (uint32_t k = 0; k < from->handle_count; k++) space->moved[moved++] = from->handles[k];
        }
    }
    space->first_step[def->pose_count] = next;
}

static void fill_examples(snPoseSpace* space, const snPoseSpaceDef* def) {
    const float all = 1.0f;
    for (uint32_t e = 0; e < def->pose_count; e++) {
        snRigid* alone = space->alone + (size_t)e * space->handle_count;
        sn_handle_poses_blend(def->handles, &def->poses[e], &all, NULL, 1, alone);
        float* places = space->example_places + (size_t)e * 3 * space->padded_handles;
        for (uint32_t h = 0; h < space->handle_count; h++) {
            snVec3 place = sn_rigid_point(alone[h], def->handles->handles[h].position);
            places[h] = place.x;
            places[space->padded_handles + h] = place.y;
            places[2 * space->padded_handles + h] = place.z;
        }
    }
}

static bool add_needs(uint32_t* to, const uint32_t* from, uint32_t words) {
    uint32_t added = 0;
    for (uint32_t w = 0; w < words; w++) {
        added |= from[w] & ~to[w];
        to[w] |= from[w];
    }
    return added != 0;
}

// A handle depends on itself, on the frames and centers of all turns that move it, and on what those depend.
static void fill_needs(snPoseSpace* space) {
    uint32_t words = space->need_words;
    for (uint32_t h = 0; h < space->handle_count; h++)
        space->needs[(size_t)h * words + h / 32] |= 1u << (h % 32);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < space->step_count; i++) {
            const sniStep* step = &space->steps[i];
            if (step->act != SN_POSE_ROTATE) continue;
            for (uint32_t k = 0; k < step->count; k++) {
                uint32_t* to = space->needs + (size_t)space->moved[step->first + k] * words;
                more = add_needs(to, space->needs + (size_t)step->frame * words, words) || more;
                more = add_needs(to, space->needs + (size_t)step->center * words, words) || more;
            }
        }
    }
}

// What an example turns about the center of a handle, or moves with it, into `row`; false: nothing in any.
static bool fill_row(const snPoseSpace* space, uint32_t handle, float* row) {
    bool used = false;
    for (uint32_t e = 0; e < space->pose_count; e++) {
        row[e] = 0.0f;
        for (uint32_t i = space->first_step[e]; i < space->first_step[e + 1]; i++) {
            const sniStep* step = &space->steps[i];
            uint32_t of = step->act == SN_POSE_ROTATE ? step->center : space->moved[step->first];
            if (of == handle) row[e] = 1.0f;
        }
        used = used || row[e] > 0.0f;
    }
    return used;
}

static bool rests_somewhere(const float* row, uint32_t count) {
    for (uint32_t e = 0; e < count; e++)
        if (row[e] == 0.0f) return true;
    return false;
}

static void fill_groups(snPoseSpace* space) {
    uint32_t count = space->pose_count, used = 0;
    for (uint32_t h = 0; h < space->handle_count; h++) {
        float* row = space->members + (size_t)space->group_count * count;
        if (!fill_row(space, h, row)) continue;
        used++;
        uint32_t g = 0;
        while (g < space->group_count &&
               memcmp(row, space->members + (size_t)g * count, count * sizeof *row) != 0)
            g++;
        if (g == space->group_count) {
            space->groups[g] = (sniPoseGroup){0.0f, rests_somewhere(row, count)};
            space->group_count++;
        }
        space->groups[g].share += 1.0f;
    }
    for (uint32_t g = 0; g < space->group_count; g++) space->groups[g].share /= (float)used;
}

// Poses made for other handles may name more of them than there are.
static bool pose_fits(const snHandlePose* pose, uint32_t handle_count) {
    for (uint32_t i = 0; i < pose->step_count; i++) {
        const snPoseStep* step = &pose->steps[i];
        if (step->handles[step->handle_count - 1] >= handle_count) return false;
        if (step->act == SN_POSE_ROTATE && (step->frame >= handle_count || step->center >= handle_count))
            return false;
    }
    return true;
}

static snResult count_steps(snPoseSpace* space, const snPoseSpaceDef* def, snError* error) {
    uint64_t steps = 0, moved = 0;
    for (uint32_t e = 0; e < def->pose_count; e++) {
        if (!pose_fits(def->poses[e], def->handles->handle_count)) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "pose \"%s\" was made for other handles",
                            def->poses[e]->name);
        }
        steps += def->poses[e]->step_count;
        for (uint32_t i = 0; i < def->poses[e]->step_count; i++)
            moved += def->poses[e]->steps[i].handle_count;
    }
    if (moved > UINT32_MAX) return sni_fail(error, SN_RESULT_LIMIT, "too many steps in all poses together");
    space->step_count = (uint32_t)steps;
    space->moved_count = (uint32_t)moved;
    return SN_RESULT_OK;
}

static snResult check_space(const snPoseSpaceDef* def, snPoseSpace** out, snError* error) {
    if (def == NULL || out == NULL || def->handles == NULL || (def->pose_count > 0 && def->poses == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "handles, poses and an output are needed");
    }
    if (def->pose_count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "no example poses to search among");
    if (def->pose_count > SN_POSE_EXAMPLES_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%u example poses, expected %u at most", def->pose_count,
                        SN_POSE_EXAMPLES_MAX);
    }
    for (uint32_t e = 0; e < def->pose_count; e++) {
        if (def->poses[e] == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "pose %u is NULL", e);
    }
    return SN_RESULT_OK;
}

snResult sn_pose_space_create(const snPoseSpaceDef* def, const snAllocator* allocator, snPoseSpace** out,
                              snError* error) {
    snResult result = check_space(def, out, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snPoseSpace* space = SNI_NEW(&memory, snPoseSpace);
    if (space == NULL) return sni_fail_memory(error);
    space->allocator = memory;
    space->handles = def->handles;
    space->handle_count = def->handles->handle_count;
    space->pose_count = def->pose_count;
    space->padded_handles = sni_pad_lanes(space->handle_count);
    space->padded_poses = sni_pad_lanes(space->pose_count);
    space->need_words = (space->handle_count + 31) / 32;
    result = count_steps(space, def, error);
    if (result == SN_RESULT_OK && !allocate_space(space)) result = sni_fail_memory(error);
    if (result != SN_RESULT_OK) {
        sn_pose_space_destroy(space);
        return result;
    }
    fill_steps(space, def);
    fill_examples(space, def);
    fill_needs(space);
    fill_groups(space);
    *out = space;
    return SN_RESULT_OK;
}

void sn_pose_space_destroy(snPoseSpace* space) {
    if (space == NULL) return;
    snAllocator memory = space->allocator;
    void* blocks[] = {space->steps,          space->first_step, space->moved,   space->needs, space->alone,
                      space->example_places, space->groups,     space->members, space};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) sni_free(&memory, blocks[i]);
}
