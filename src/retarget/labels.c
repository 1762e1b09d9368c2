// The labels of a skeleton: those it keeps, or made now.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/label.h"

snResult sn_skeleton_label(const snSkeleton* skeleton, const snAllocator* allocator, snLabel* out_labels) {
    if (skeleton == NULL || out_labels == NULL) return SN_RESULT_INVALID_ARGUMENT;
    if (skeleton->joint_count == 0) return SN_RESULT_OK;
    if (skeleton->joint_count > SN_LABEL_JOINTS) return SN_RESULT_LIMIT;
    if (skeleton->labels != NULL) {
        memcpy(out_labels, skeleton->labels, skeleton->joint_count * sizeof *out_labels);
        return SN_RESULT_OK;
    }
    snAllocator memory = sni_allocator(allocator);
    return sni_label_joints(skeleton, &memory, out_labels) ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

snResult sn_skeleton_keep_labels(snSkeleton* skeleton, snError* error) {
    if (skeleton == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton is needed");
    snLabel* labels = SNI_NEW_ARRAY(&skeleton->allocator, snLabel, skeleton->joint_count);
    if (labels == NULL) return sni_fail_memory(error);
    sni_free(&skeleton->allocator, skeleton->labels); // names or places may have changed
    skeleton->labels = NULL;
    snResult result = sn_skeleton_label(skeleton, &skeleton->allocator, labels);
    if (result == SN_RESULT_OK) {
        skeleton->labels = labels;
        return result;
    }
    sni_free(&skeleton->allocator, labels);
    return sni_fail_labels(error, result);
}

snResult sni_fail_labels(snError* error, snResult result) {
    if (result == SN_RESULT_LIMIT)
        return sni_fail(error, result, "a skeleton has more than %u joints, too many for a character",
                        SN_LABEL_JOINTS);
    return sni_fail_memory(error);
}
