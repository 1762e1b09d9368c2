// What joints are called in a body: by the place where their segment begins, so that one name means the same
// joint of every character.
#include <stdio.h>

#include "base/glob.h"
#include "base/memory.h"
#include "sinew/retarget.h"

static const char* const NAMES[SN_ROLE_COUNT] = {
    [SN_ROLE_NONE] = "",
    [SN_ROLE_ROOT] = "Root",
    [SN_ROLE_HIPS] = "Hips",
    [SN_ROLE_SPINE] = "Spine",
    [SN_ROLE_NECK] = "Neck",
    [SN_ROLE_HEAD] = "Head",
    [SN_ROLE_SHOULDER] = "Clavicle",
    [SN_ROLE_UPPER_ARM] = "Shoulder",
    [SN_ROLE_LOWER_ARM] = "Elbow",
    [SN_ROLE_HAND] = "Wrist",
    [SN_ROLE_THUMB] = "Thumb",
    [SN_ROLE_INDEX] = "Index",
    [SN_ROLE_MIDDLE] = "Middle",
    [SN_ROLE_RING] = "Ring",
    [SN_ROLE_LITTLE] = "Little",
    [SN_ROLE_UPPER_LEG] = "Hip",
    [SN_ROLE_LOWER_LEG] = "Knee",
    [SN_ROLE_FOOT] = "Ankle",
    [SN_ROLE_TOES] = "Toes",
    [SN_ROLE_TAIL] = "Tail",
};

// Fingers and tails have joints of one kind, which are counted.
static bool is_counted(snRole role) {
    return (role >= SN_ROLE_THUMB && role <= SN_ROLE_LITTLE) || role == SN_ROLE_TAIL;
}

// Of a limb that is cut in two only the first piece begins at the joint.
static bool begins_segment(const snLabel* label) {
    bool trunk = label->role >= SN_ROLE_ROOT && label->role <= SN_ROLE_HEAD;
    return !label->twist && (trunk || is_counted(label->role) || label->index == 0);
}

static void write_name(const snLabel* label, bool chest, snJointName* out) {
    static const char* const sides[] = {
        [SN_SIDE_NONE] = "", [SN_SIDE_LEFT] = "Left", [SN_SIDE_RIGHT] = "Right"};
    const char* name = chest ? "Chest" : NAMES[label->role];
    if (!begins_segment(label))
        out->text[0] = '\0';
    else if (is_counted(label->role))
        snprintf(out->text, sizeof out->text, "%s%s%u", sides[label->side], name,
                 (unsigned)(label->index + 1));
    else
        snprintf(out->text, sizeof out->text, "%s%s", sides[label->side], name);
}

snResult sn_skeleton_anatomy(const snSkeleton* skeleton, const snAllocator* allocator,
                             snJointName* out_names) {
    snAllocator memory = sni_allocator(allocator);
    snLabel* labels = SNI_NEW_ARRAY(&memory, snLabel, skeleton->joint_count);
    if (labels == NULL) return SN_RESULT_OUT_OF_MEMORY;
    snResult result = sn_skeleton_label(skeleton, &memory, labels);
    uint32_t last_spine = 0;
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        const snLabel* label = &labels[j];
        if (label->role == SN_ROLE_SPINE && label->index > last_spine) last_spine = label->index;
    }
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        bool chest = labels[j].role == SN_ROLE_SPINE && labels[j].index == last_spine;
        write_name(&labels[j], chest, &out_names[j]);
    }
    sni_free(&memory, labels);
    return result;
}

bool sn_name_matches(const char* pattern, const char* name) { return sni_glob_matches(pattern, name); }
