// The joint tree as labelling walks it: children, rest positions, reach.
#include "base/memory.h"
#include "retarget/label.h"

bool sni_tree_create(sniTree* tree, const snSkeleton* skeleton, const snAllocator* memory) {
    uint32_t count = skeleton->joint_count;
    tree->skeleton = skeleton;
    tree->points = SNI_NEW_ARRAY(memory, snVec3, count);
    tree->first_child = SNI_NEW_ARRAY(memory, uint32_t, count);
    tree->next_sibling = SNI_NEW_ARRAY(memory, uint32_t, count);
    tree->reach = SNI_NEW_ARRAY(memory, float, count);
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, count);
    if (tree->points == NULL || tree->first_child == NULL || tree->next_sibling == NULL ||
        tree->reach == NULL || world == NULL) {
        sni_free(memory, world);
        sni_tree_destroy(tree, memory);
        return false;
    }
    sn_skeleton_world(skeleton, NULL, world);
    for (uint32_t j = 0; j < count; j++) {
        tree->points[j] = sn_mat4_translation(&world[j]);
        tree->first_child[j] = tree->next_sibling[j] = SN_NONE;
    }
    sni_free(memory, world);
    for (uint32_t j = count; j-- > 0;) {
        uint32_t parent = skeleton->parents[j];
        if (parent == SN_NONE) continue;
        tree->next_sibling[j] = tree->first_child[parent];
        tree->first_child[parent] = j;
    }
    for (uint32_t i = count; i-- > 0;) {
        uint32_t j = skeleton->order[i];
        uint32_t parent = skeleton->parents[j];
        if (parent == SN_NONE) continue;
        float length = tree->reach[j] + sn_distance(tree->points[j], tree->points[parent]);
        tree->reach[parent] = sn_maxf(tree->reach[parent], length);
    }
    return true;
}

void sni_tree_destroy(sniTree* tree, const snAllocator* memory) {
    sni_free(memory, tree->points);
    sni_free(memory, tree->first_child);
    sni_free(memory, tree->next_sibling);
    sni_free(memory, tree->reach);
    *tree = (sniTree){0};
}

bool sni_tree_above(const sniTree* tree, uint32_t above, uint32_t joint) {
    if (joint == SN_NONE || above == SN_NONE) return false;
    for (uint32_t j = tree->skeleton->parents[joint]; j != SN_NONE; j = tree->skeleton->parents[j]) {
        if (j == above) return true;
    }
    return false;
}

uint32_t sni_tree_common(const sniTree* tree, uint32_t a, uint32_t b) {
    if (a == SN_NONE) return b;
    if (b == SN_NONE) return a;
    uint32_t j = a;
    while (j != SN_NONE && j != b && !sni_tree_above(tree, j, b)) j = tree->skeleton->parents[j];
    return j;
}

uint32_t sni_tree_longest_child(const sniTree* tree, uint32_t joint) {
    uint32_t best = SN_NONE;
    float length = 0.0f;
    for (uint32_t c = tree->first_child[joint]; c != SN_NONE; c = tree->next_sibling[c]) {
        float here = sn_distance(tree->points[c], tree->points[joint]) + tree->reach[c];
        if (!(here > length)) continue;
        best = c;
        length = here;
    }
    return best;
}
