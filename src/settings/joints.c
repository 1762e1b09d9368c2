// The joints that rules of the settings mean, and what to say where there are none.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "settings/settings.h"

snResult sni_joints_open(sniJoints* joints, const snSkeleton* skeleton, const snAllocator* memory,
                         snError* error) {
    *joints = (sniJoints){0};
    SNI_TRY(sn_joint_names_create(skeleton, memory, &joints->names, error));
    joints->marks = SNI_NEW_ARRAY(memory, uint8_t, skeleton->joint_count);
    return joints->marks != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

void sni_joints_close(sniJoints* joints) {
    if (joints->names != NULL) sni_free(&joints->names->allocator, joints->marks);
    sn_joint_names_destroy(joints->names);
}

// Adds "OWN (ANATOMY)" of the first joints that have a name, or a name in the body.
static uint32_t list_names(const snJointNames* names, bool body, char* out, size_t capacity) {
    size_t length = 0;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < names->skeleton->joint_count && listed < 6 && length + 64 < capacity; i++) {
        const char* own = names->skeleton->names[i];
        const char* anatomy = names->body[i].text;
        if (own[0] == '\0' || (body && anatomy[0] == '\0')) continue;
        bool both = anatomy[0] != '\0' && strcmp(own, anatomy) != 0;
        int wrote = snprintf(out + length, capacity - length, "%s%.24s%s%s%s", listed > 0 ? ", " : "", own,
                             both ? " (" : "", both ? anatomy : "", both ? ")" : "");
        length += wrote > 0 ? (size_t)wrote : 0;
        listed++;
    }
    return listed;
}

static snResult unknown(const snJointNames* names, const char* list, const char* pattern, snError* error) {
    char some[256] = "none with a name";
    if (list_names(names, true, some, sizeof some) == 0) list_names(names, false, some, sizeof some);
    const char* likest = sn_joint_names_nearest(names, pattern);
    return sni_fail(error, SN_RESULT_NOT_FOUND, "%s: no joint is called %.60s; there are %s ...%s%.40s%s",
                    list, pattern, some, likest != NULL ? "; did you mean " : "",
                    likest != NULL ? likest : "", likest != NULL ? "?" : "");
}

snResult sni_joints_choose(sniJoints* joints, const char* list, const char* pattern, snError* error) {
    if (sn_joint_names_mark(joints->names, pattern, joints->marks) > 0) return SN_RESULT_OK;
    return unknown(joints->names, list, pattern, error);
}
