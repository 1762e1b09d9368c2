// Joints by what people call them: by their own names, or by what they are in a body.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/likeness.h"
#include "base/memory.h"
#include "sinew/retarget.h"

snResult sn_joint_names_create(const snSkeleton* skeleton, const snAllocator* allocator, snJointNames** out,
                               snError* error) {
    if (skeleton == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snJointNames* names = SNI_NEW(&memory, snJointNames);
    if (names == NULL) return sni_fail_memory(error);
    names->allocator = memory;
    names->skeleton = skeleton;
    names->body = SNI_NEW_ARRAY(&memory, snJointName, skeleton->joint_count);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (names->body != NULL) result = sn_skeleton_anatomy(skeleton, &memory, names->body);
    if (result == SN_RESULT_OK || result == SN_RESULT_LIMIT) {
        *out = names;
        return SN_RESULT_OK;
    }
    sn_joint_names_destroy(names);
    return sni_fail_memory(error);
}

void sn_joint_names_destroy(snJointNames* names) {
    if (names == NULL) return;
    snAllocator memory = names->allocator;
    sni_free(&memory, names->body);
    sni_free(&memory, names);
}

// "#12" is joint 12; SN_NONE: it is no number of a joint.
static uint32_t joint_of_number(const snSkeleton* skeleton, const char* name) {
    uint32_t joint = 0;
    if (name[0] != '#' || name[1] == '\0') return SN_NONE;
    for (const char* c = name + 1; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || joint > SN_LABEL_JOINTS) return SN_NONE;
        joint = 10 * joint + (uint32_t)(*c - '0');
    }
    return joint < skeleton->joint_count ? joint : SN_NONE;
}

snJointName sn_joint_name(const snSkeleton* skeleton, uint32_t joint) {
    snJointName name = {""};
    if (joint < skeleton->joint_count && skeleton->names[joint][0] != '\0')
        snprintf(name.text, sizeof name.text, "%s", skeleton->names[joint]);
    else
        snprintf(name.text, sizeof name.text, "#%u", joint);
    return name;
}

uint32_t sn_joint_names_find(const snJointNames* names, const char* name) {
    uint32_t joint = sn_skeleton_find(names->skeleton, name);
    if (joint == SN_NONE) joint = joint_of_number(names->skeleton, name);
    for (uint32_t j = 0; joint == SN_NONE && name[0] != '\0' && j < names->skeleton->joint_count; j++)
        if (strcmp(names->body[j].text, name) == 0) joint = j;
    return joint;
}

uint32_t sn_joint_names_mark(const snJointNames* names, const char* pattern, uint8_t* out_marks) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < names->skeleton->joint_count; j++) {
        const char* body = names->body[j].text;
        bool named = sn_name_matches(pattern, names->skeleton->names[j]) ||
                     (body[0] != '\0' && sn_name_matches(pattern, body));
        out_marks[j] = named ? 1 : 0;
        count += named;
    }
    return count;
}

const char* sn_joint_names_nearest(const snJointNames* names, const char* text) {
    const char* best = NULL;
    uint32_t least = (uint32_t)strlen(text) / 3 + 2; // further away is no likeness
    for (uint32_t j = 0; j < names->skeleton->joint_count; j++) {
        const char* both[] = {names->skeleton->names[j], names->body[j].text};
        for (int k = 0; k < 2; k++) {
            uint32_t distance = both[k][0] != '\0' ? sni_edit_distance(text, both[k]) : least;
            if (distance >= least) continue;
            least = distance;
            best = both[k];
        }
    }
    return best;
}
