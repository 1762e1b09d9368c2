// Joints as settings name them: by their own names, or by what they are in a body.
#include "base/error.h"
#include "base/likeness.h"
#include "base/memory.h"
#include "settings/settings.h"

bool sni_joints_match(const sniJoints* joints, const char* pattern, uint32_t joint) {
    const char* anatomy = joints->anatomy[joint].text;
    return sn_name_matches(pattern, joints->skeleton->names[joint]) ||
           (anatomy[0] != '\0' && sn_name_matches(pattern, anatomy));
}

// A skeleton that is too large to be a body has only its own names.
snResult sni_joints_name(sniJoints* joints, const snSkeleton* skeleton, const snAllocator* memory) {
    joints->skeleton = skeleton;
    joints->anatomy = SNI_NEW_ARRAY(memory, snJointName, skeleton->joint_count);
    if (joints->anatomy == NULL) return SN_RESULT_OUT_OF_MEMORY;
    snResult result = sn_skeleton_anatomy(skeleton, memory, joints->anatomy);
    return result == SN_RESULT_LIMIT ? SN_RESULT_OK : result;
}

// Adds "OWN (ANATOMY)" of the first joints that have a name, or a name in the body.
static uint32_t list_names(const sniJoints* joints, bool body, char* out, size_t capacity) {
    size_t length = 0;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < joints->skeleton->joint_count && listed < 6 && length + 64 < capacity; i++) {
        const char* own = joints->skeleton->names[i];
        const char* anatomy = joints->anatomy[i].text;
        if (own[0] == '\0' || (body && anatomy[0] == '\0')) continue;
        bool both = anatomy[0] != '\0' && strcmp(own, anatomy) != 0;
        int wrote = snprintf(out + length, capacity - length, "%s%.24s%s%s%s", listed > 0 ? ", " : "", own,
                             both ? " (" : "", both ? anatomy : "", both ? ")" : "");
        length += wrote > 0 ? (size_t)wrote : 0;
        listed++;
    }
    return listed;
}

// The name that is most like what was written, or NULL where none is.
static const char* likest_name(const sniJoints* joints, const char* pattern) {
    const char* best = NULL;
    uint32_t least = (uint32_t)strlen(pattern) / 3 + 1; // further away is no likeness
    for (uint32_t i = 0; i < joints->skeleton->joint_count; i++) {
        const char* names[] = {joints->skeleton->names[i], joints->anatomy[i].text};
        for (int k = 0; k < 2; k++) {
            uint32_t distance = names[k][0] != '\0' ? sni_edit_distance(pattern, names[k]) : least;
            if (distance >= least) continue;
            least = distance;
            best = names[k];
        }
    }
    return best;
}

snResult sni_joints_unknown(const sniJoints* joints, const char* list, const char* pattern, snError* error) {
    char names[256] = "none with a name";
    if (list_names(joints, true, names, sizeof names) == 0) list_names(joints, false, names, sizeof names);
    const char* likest = likest_name(joints, pattern);
    return sni_fail(error, SN_RESULT_NOT_FOUND, "%s: no joint is called %.60s; there are %s ...%s%.40s%s",
                    list, pattern, names, likest != NULL ? "; did you mean " : "",
                    likest != NULL ? likest : "", likest != NULL ? "?" : "");
}
