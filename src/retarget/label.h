// Labelling joints: what the parts of it share.
#ifndef SNI_RETARGET_LABEL_H
#define SNI_RETARGET_LABEL_H

#include "sinew/retarget.h"

// Names that only say which limb ("leg_joint_L_2"): the place along the limb decides the role.
enum { SNI_ROLE_ANY_LEG = SN_ROLE_COUNT, SNI_ROLE_ANY_ARM };

// What a name alone says.
typedef struct sniName {
    uint32_t role; // snRole or one of the above
    snSide side;
    bool twist;
    float confidence;
} sniName;

// Never fails: a name that says nothing has the role SN_ROLE_NONE.
sniName sni_name_parse(const char* name);

// The tree as labelling walks it.
typedef struct sniTree {
    const snSkeleton* skeleton;
    snVec3* points;         // joint_count; rest positions in the world
    uint32_t* first_child;  // joint_count; SN_NONE: a leaf
    uint32_t* next_sibling; // joint_count
    float* reach;           // joint_count; length of the longest path below
} sniTree;

bool sni_tree_create(sniTree* tree, const snSkeleton* skeleton, const snAllocator* memory);
void sni_tree_destroy(sniTree* tree, const snAllocator* memory);
// Is `above` on the way from `joint` to its root? A joint is not above itself.
bool sni_tree_above(const sniTree* tree, uint32_t above, uint32_t joint);
// The child from which the way down is longest; SN_NONE: a leaf, or all below is in the same place.
uint32_t sni_tree_longest_child(const sniTree* tree, uint32_t joint);
// The lowest joint that is, or is above, both; SN_NONE when they have none. SN_NONE as input gives the other.
uint32_t sni_tree_common(const sniTree* tree, uint32_t a, uint32_t b);

// Labels every joint anew. False: out of memory.
bool sni_label_joints(const snSkeleton* skeleton, const snAllocator* memory, snLabel* out_labels);
// Fills `error` with what sn_skeleton_label returned; never SN_RESULT_OK.
snResult sni_fail_labels(snError* error, snResult result);

static inline void sni_label_forget(snLabel* label) {
    *label = (snLabel){SN_ROLE_NONE, SN_SIDE_NONE, 0, false, 0.0f};
}
static inline bool sni_label_is(const snLabel* label, snRole role, snSide side) {
    return label->role == role && label->side == side;
}

// label_limbs.c: after names, and before the tree has its say: a lower limb that is called an ankle, an upper
// one that only leads sideways to where the limb begins, and two pieces of one bone that are two bones.
void sni_label_ankles(const sniTree* tree, snLabel* labels);
void sni_label_stubs(const sniTree* tree, snLabel* labels);
void sni_label_bent(const sniTree* tree, snLabel* labels);

// Labels from positions and branching alone; does nothing where no two-legged body is found.
void sni_label_structure(const sniTree* tree, snLabel* labels);

#endif
