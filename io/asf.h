// Acclaim skeletons (ASF) and their motions (AMC), as CMU publishes them.
#ifndef SNI_IO_ASF_H
#define SNI_IO_ASF_H

#include "motion.h"

#define SNI_ASF_DOFS 7

// tx ty tz rx ry rz l
enum { SNI_DOF_MOVE = 0, SNI_DOF_TURN = 3, SNI_DOF_LENGTH = 6 };

typedef struct sniBone {
    size_t name;      // offset into the names
    snVec3 direction; // unit vector in the world at rest
    float length;     // file units
    float axis[3];    // angles about x, y, z of the frame that the bone's channels turn in
    char order[3];    // 'x' 'y' 'z': the order in which `axis` is applied
    uint8_t dof_count;
    uint8_t dofs[SNI_ASF_DOFS]; // kinds in the order of the motion's values
    uint32_t parent;            // SN_NONE for the root, and while unknown
    bool leaf;
    snQuat frame; // of `axis`
} sniBone;

// Bone 0 is the root. Joints of the model: one per bone, at its start, then one per leaf, at its end.
typedef struct sniAsf {
    sniList bones; // sniBone
    sniBytes names;
    snVec3 position; // of the root, file units
    float unit;      // metres per file unit, the caller's scale included
    bool radians;
    snAllocator allocator;
} sniAsf;

snResult sni_asf_parse(const sniSource* source, sniAsf* out);
void sni_asf_free(sniAsf* asf);
static inline sniBone* sni_asf_bone(const sniAsf* asf, size_t bone) {
    return (sniBone*)asf->bones.items + bone;
}
static inline const char* sni_asf_name(const sniAsf* asf, size_t bone) {
    return (const char*)asf->names.data + sni_asf_bone(asf, bone)->name;
}
// The bone of that name, searched from `from` on and around; SN_NONE when there is none.
uint32_t sni_asf_find(const sniAsf* asf, const char* name, size_t length, uint32_t from);
// Where a bone starts in its parent's frame, the parent stretched by `stretch` file units; metres.
snVec3 sni_asf_offset(const sniAsf* asf, size_t bone, float stretch);
// The joints of the model.
bool sni_asf_joints(const sniAsf* asf, sniMotion* motion);

// A motion with its skeleton already at hand.
snResult sni_amc_read_with(const sniSource* source, const sniSource* skeleton, snModel** out);

#endif
