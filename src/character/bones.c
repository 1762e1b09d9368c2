// Bones as segments, and how far from them flesh is.
#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "character/character.h"

// A bone without children reaches this far through its own flesh, measured from the joint to its middle.
// Judged: short of the surface, where it would be 2.
#define LEAF_REACH 1.6f

typedef struct Segment {
    snVec3 from, to;
} Segment;

// Segments by bone: those of bone b are segments[starts[b] .. starts[b + 1]].
typedef struct Bones {
    uint32_t* starts;
    Segment* segments;
} Bones;

static snVec3 bone_origin(const snBinding* binding, uint32_t bone) {
    return sn_mat4_translation(&binding->binds[bone]);
}

// Through the middle of what the bone moves; of no length where it moves nothing.
static Segment leaf_segment(const snBinding* binding, uint32_t bone) {
    snVec3 origin = bone_origin(binding, bone), sum = {0.0f, 0.0f, 0.0f};
    uint32_t count = 0;
    for (uint32_t p = 0; p < binding->lattice->particle_count; p++) {
        if (binding->parts->bone_parts[p] != bone) continue;
        sum = sn_add(sum, sn_sub(binding->lattice->rest[p], origin));
        count++;
    }
    float reach = count > 0 ? LEAF_REACH / (float)count : 0.0f;
    return (Segment){origin, sn_add(origin, sn_scale(sum, reach))};
}

static void bones_destroy(Bones* bones, const snAllocator* memory) {
    sni_free(memory, bones->starts);
    sni_free(memory, bones->segments);
}

static bool bones_create(const snBinding* binding, const snAllocator* memory, Bones* out) {
    uint32_t joints = binding->joint_count;
    *out = (Bones){SNI_NEW_ARRAY(memory, uint32_t, (size_t)joints + 1),
                   SNI_NEW_ARRAY(memory, Segment, 2 * (size_t)joints)};
    if (out->starts == NULL || out->segments == NULL) {
        bones_destroy(out, memory);
        return false;
    }
    uint32_t count = 0;
    for (uint32_t b = 0; b < joints; b++) {
        out->starts[b] = count;
        for (uint32_t c = 0; c < joints; c++) {
            if (binding->parents[c] != b) continue;
            out->segments[count++] = (Segment){bone_origin(binding, b), bone_origin(binding, c)};
        }
        if (out->starts[b] == count) out->segments[count++] = leaf_segment(binding, b);
    }
    out->starts[joints] = count;
    return true;
}

static float bone_distance(const Bones* bones, uint32_t bone, snVec3 p) {
    float least = INFINITY;
    for (uint32_t i = bones->starts[bone]; i < bones->starts[bone + 1]; i++) {
        const Segment* s = &bones->segments[i];
        least = sn_minf(least, sni_segment_distance(s->from, s->to, p));
    }
    return least;
}

static bool mean_radii(const snBinding* binding, const Bones* bones, const snAllocator* memory,
                       float* radii) {
    uint32_t* counts = SNI_NEW_ARRAY(memory, uint32_t, binding->joint_count);
    if (counts == NULL) return false;
    const snLattice* lattice = binding->lattice;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        if (lattice->depths[p] != 0) continue;
        uint32_t bone = binding->parts->bone_parts[p];
        radii[bone] += bone_distance(bones, bone, lattice->rest[p]);
        counts[bone]++;
    }
    for (uint32_t b = 0; b < binding->joint_count; b++) {
        if (counts[b] > 0) radii[b] /= (float)counts[b];
    }
    sni_free(memory, counts);
    return true;
}

snResult sni_bone_distances(const snBinding* binding, const snAllocator* memory, float* out_distances,
                            float* out_radii, snError* error) {
    Bones bones;
    if (!bones_create(binding, memory, &bones)) return sni_fail_memory(error);
    float* radii = SNI_NEW_ARRAY(memory, float, binding->joint_count);
    bool enough = radii != NULL && mean_radii(binding, &bones, memory, radii);
    for (uint32_t p = 0; p < binding->lattice->particle_count && enough; p++) {
        uint32_t bone = binding->parts->bone_parts[p];
        snVec3 place = binding->lattice->rest[p];
        float least = bone_distance(&bones, bone, place);
        if (binding->parents[bone] != SN_NONE)
            least = sn_minf(least, bone_distance(&bones, binding->parents[bone], place));
        out_distances[p] = least;
        out_radii[p] = radii[bone];
    }
    sni_free(memory, radii);
    bones_destroy(&bones, memory);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_bone_capsules_create(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    const snAllocator* memory = &tables->allocator;
    Bones bones;
    if (!bones_create(binding, memory, &bones)) return sni_fail_memory(error);
    float* radii = SNI_NEW_ARRAY(memory, float, binding->joint_count);
    tables->capsules = SNI_NEW_ARRAY(memory, sniBoneCapsule, bones.starts[binding->joint_count]);
    bool enough = radii != NULL && tables->capsules != NULL && mean_radii(binding, &bones, memory, radii);
    for (uint32_t b = 0; b < binding->joint_count && enough; b++) {
        // Lattice boundary lies up to a cell outside of the skin.
        float radius = radii[b] - 0.5f * binding->lattice->cell_size;
        for (uint32_t i = bones.starts[b]; i < bones.starts[b + 1] && radius > 0.0f; i++) {
            tables->capsules[tables->capsule_count++] =
                (sniBoneCapsule){bones.segments[i].from, bones.segments[i].to, radius, b};
        }
    }
    sni_free(memory, radii);
    bones_destroy(&bones, memory);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}
