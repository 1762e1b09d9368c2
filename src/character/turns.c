// Which way round joints are turned in dual-quaternion skin: who hangs on whom in the lists of matrices that
// are blended together, those of the model's skins and that of the binding.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"

typedef struct List {
    uint32_t count;
    const uint32_t* joints; // of the skeleton
} List;

static uint32_t count_lists(const snModel* model) {
    return model->skin_count + (model->binding != NULL ? 1 : 0);
}

static List list_at(const snModel* model, uint32_t index) {
    if (index < model->skin_count) return (List){model->skins[index].joint_count, model->skins[index].joints};
    return (List){model->binding->joint_count, model->binding->joints};
}

// The members of a list by the place of their joints in the skeleton's order, parents first. A file may name
// a joint twice. `starts` has joint_count + 1 entries.
static void sort_members(const snSkeleton* skeleton, List list, uint32_t* starts, uint32_t* out) {
    uint32_t joints = skeleton->joint_count, sum = 0;
    memset(starts, 0, ((size_t)joints + 1) * sizeof *starts);
    for (uint32_t i = 0; i < list.count; i++) starts[list.joints[i]]++;
    for (uint32_t k = 0; k < joints; k++) {
        uint32_t count = starts[skeleton->order[k]];
        starts[skeleton->order[k]] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < list.count; i++) out[starts[list.joints[i]]++] = i;
}

// Each hangs on the nearest joint above it that is in the list. Those without one are compared with the
// first: a list is one body, and what holds it together may not be in it. `nearest` has joint_count entries.
static void find_parents(const snSkeleton* skeleton, List list, const uint32_t* order, uint32_t* nearest,
                         uint32_t* out) {
    uint32_t next = 0;
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t joint = skeleton->order[k], above = skeleton->parents[joint];
        uint32_t parent = above != SN_NONE ? nearest[above] : SN_NONE;
        nearest[joint] = parent;
        for (; next < list.count && list.joints[order[next]] == joint; next++) {
            uint32_t member = order[next];
            out[member] = parent != SN_NONE ? parent : member != order[0] ? order[0] : SN_NONE;
            nearest[joint] = member;
        }
    }
}

static bool fill(const snModel* model, const snAllocator* memory, sniTurnTables* turns) {
    const snSkeleton* skeleton = model->skeleton;
    uint32_t lists = count_lists(model);
    uint32_t* work = SNI_NEW_ARRAY(memory, uint32_t, (size_t)skeleton->joint_count + 1);
    turns->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)lists + 1);
    if (work != NULL && turns->starts != NULL) {
        for (uint32_t l = 0; l < lists; l++)
            turns->starts[l + 1] = turns->starts[l] + list_at(model, l).count;
        turns->count = turns->starts[lists];
        turns->parents = SNI_NEW_ARRAY(memory, uint32_t, turns->count);
        turns->order = SNI_NEW_ARRAY(memory, uint32_t, turns->count);
    }
    bool enough = turns->parents != NULL && turns->order != NULL;
    for (uint32_t l = 0; l < lists && enough; l++) {
        uint32_t first = turns->starts[l];
        List list = list_at(model, l);
        if (list.count == 0) continue;
        sort_members(skeleton, list, work, turns->order + first);
        find_parents(skeleton, list, turns->order + first, work, turns->parents + first);
    }
    sni_free(memory, work);
    return enough;
}

snResult sni_turn_tables_create(sniTables* tables, snError* error) {
    return fill(tables->model, &tables->allocator, &tables->turns) ? SN_RESULT_OK : sni_fail_memory(error);
}

snDualSigns sni_turns_of(const snCharacter* character, uint32_t list) {
    const sniTurnTables* turns = &character->tables->turns;
    uint32_t first = turns->starts[list];
    return (snDualSigns){turns->parents + first, turns->order + first, character->turns + first};
}
