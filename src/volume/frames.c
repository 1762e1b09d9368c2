// The frames of the joints: where a profile's axes point.
//
// x runs from the joint back along the parent bone, y along the axis of the bend, z into the bend. A limb
// that is straight, or folded onto itself, shows no axis; there a frame that stays with the parent takes
// over, little by little, and each frame corrects its part of the volume. So nothing jumps and nothing has to
// be remembered from the frame before.
#include "base/error.h"
#include "base/memory.h"
#include "volume/exact.h"

// Sines of the bend between which the two frames share: 5 and 20 degrees. Judged, not measured.
#define STRAIGHT 0.09f
#define BENT 0.34f
// Bones shorter than this (squared, of the profile's unit) have no direction: places are rounded to 1e-7 of
// what the body measures, and a posed bone must be long beside that or it points anywhere, anew every frame.
#define NO_LENGTH 1e-6f

// A bone that runs back beside its parent's has no plane between them: less than 30 degrees.
#define APART 0.5f

static float smooth(float t) { return t <= 0.0f ? 0.0f : t >= 1.0f ? 1.0f : t * t * (3.0f - 2.0f * t); }

static snVec3 turned(const snMat4* m, snVec3 v) { return sn_mat4_vector(m, v); }

// The part of v across the unit vector n, as a unit vector.
static snVec3 across(snVec3 v, snVec3 n, snVec3 fallback) {
    snVec3 rest = sn_sub(v, sn_scale(n, sn_dot(v, n)));
    if (sn_dot(rest, rest) > 1e-6f * sn_dot(v, v)) return sn_normalize_or(rest, fallback);
    return fallback;
}

// Some unit vector across n: from the one of the world's axes that is furthest from it.
static snVec3 any_across(snVec3 n) {
    snVec3 axis = fabsf(n.z) < 0.9f ? sn_vec3(0, 0, 1) : sn_vec3(1, 0, 0);
    return across(axis, n, sn_vec3(0, 1, 0));
}

static sniFrame frame_of(snVec3 origin, snVec3 back, snVec3 side) {
    return (sniFrame){origin, {back, side, sn_cross(back, side)}};
}

sniPosedFrame sni_posed_frame(const snExactVolume* volume, uint32_t joint, const snMat4* matrices) {
    const sniVolumeFrame* j = &volume->joints[joint];
    const snMat4* own = &matrices[joint];
    const snMat4* parent = j->parent != SN_NONE ? &matrices[j->parent] : own;
    snVec3 origin = sn_mat4_point(own, j->place);
    snVec3 back = sn_normalize_or(turned(parent, j->back), j->back);
    if (j->parent != SN_NONE) {
        snVec3 bone = sn_sub(sn_mat4_point(parent, volume->joints[j->parent].place), origin);
        if (sn_dot(bone, bone) > NO_LENGTH * j->length * j->length) back = sn_normalize_or(bone, back);
    }
    snVec3 side = across(turned(parent, j->side), back, any_across(back));
    sniPosedFrame out = {.straight = frame_of(origin, back, side)};
    out.scale = sn_maxf(sn_length(turned(parent, j->back)), 1e-6f);
    snVec3 ahead = turned(own, sn_sub(j->tail, j->place));
    snVec3 axis = sn_cross(sn_normalize_or(ahead, sn_neg(back)), back);
    out.bend = smooth((sn_length(axis) - STRAIGHT) / (BENT - STRAIGHT));
    out.bent = frame_of(origin, back, across(axis, back, side));
    return out;
}

// -------------------------------------------------------------------------------------------------- build

// Mean of what a joint and those under it move.
typedef struct Mass {
    double sum[3], weight;
} Mass;

static void add_points(const sniClosed* closed, Mass* masses) {
    for (uint32_t i = 0; i < closed->point_count; i++) {
        for (uint32_t k = 0; k < closed->influences; k++) {
            size_t at = (size_t)i * closed->influences + k;
            double w = (double)closed->weights[at] * (double)closed->areas[i];
            Mass* mass = &masses[closed->joints[at]];
            mass->sum[0] += w * (double)closed->rest[i].x;
            mass->sum[1] += w * (double)closed->rest[i].y;
            mass->sum[2] += w * (double)closed->rest[i].z;
            mass->weight += w;
        }
    }
}

static snVec3 tail_of(const snExactVolumeDef* def, uint32_t joint, const Mass* mass, uint32_t only_child) {
    snVec3 place = def->joints[joint].place;
    if (only_child != SN_NONE && sn_distance(def->joints[only_child].place, place) > 0.0f)
        return def->joints[only_child].place;
    if (!(mass->weight > 0.0)) return place;
    return sn_vec3((float)(mass->sum[0] / mass->weight), (float)(mass->sum[1] / mass->weight),
                   (float)(mass->sum[2] / mass->weight));
}

static void fill_frame(const snExactVolumeDef* def, uint32_t joint, sniVolumeFrame* out) {
    const snVolumeJoint* j = &def->joints[joint];
    out->parent = j->parent;
    out->place = j->place;
    out->amount = sn_clampf(j->amount, 0.0f, SN_VOLUME_MOST_AMOUNT);
    snVec3 ahead = sn_sub(out->tail, out->place);
    snVec3 bone = j->parent != SN_NONE ? sn_sub(def->joints[j->parent].place, j->place) : sn_neg(ahead);
    out->length = sn_length(bone);
    out->back = sn_normalize_or(bone, sn_normalize_or(sn_neg(ahead), sn_vec3(0, 1, 0)));
    snVec3 forth = sn_normalize_or(ahead, sn_neg(out->back)), axis = sn_cross(forth, out->back);
    out->across = sn_sub(out->back, forth);
    bool apart = sn_length(out->across) > APART && j->parent != SN_NONE;
    out->across = apart ? sn_normalize_or(out->across, out->back) : sn_vec3(0.0f, 0.0f, 0.0f);
    // z of the frame is back x side: towards the front, where most limbs bend and nothing else is known.
    snVec3 guess = sn_cross(any_across(out->back), out->back);
    out->side = sn_length(axis) > STRAIGHT ? sn_normalize_or(axis, guess) : sn_normalize_or(guess, axis);
}

snResult sni_frames_create(const snExactVolumeDef* def, snExactVolume* volume, snError* error) {
    const snAllocator* memory = &volume->allocator;
    uint32_t count = def->joint_count;
    volume->joints = SNI_NEW_ARRAY(memory, sniVolumeFrame, count);
    Mass* masses = SNI_NEW_ARRAY(memory, Mass, count);
    uint32_t* children = SNI_NEW_ARRAY(memory, uint32_t, count);
    uint32_t* only = SNI_NEW_ARRAY(memory, uint32_t, count);
    bool ready = volume->joints != NULL && masses != NULL && children != NULL && only != NULL;
    if (ready) {
        add_points(volume->closed, masses);
        for (uint32_t i = count; i-- > 0;) {
            uint32_t j = def->order[i], parent = def->joints[j].parent;
            // Children without any surface, end sites among them, still say where a bone points to.
            if (parent == SN_NONE) continue;
            children[parent]++;
            only[parent] = j;
            for (int k = 0; k < 3; k++) masses[parent].sum[k] += masses[j].sum[k];
            masses[parent].weight += masses[j].weight;
        }
        for (uint32_t j = 0; j < count; j++) {
            volume->joints[j].tail = tail_of(def, j, &masses[j], children[j] == 1 ? only[j] : SN_NONE);
            fill_frame(def, j, &volume->joints[j]);
        }
    }
    sni_free(memory, masses);
    sni_free(memory, children);
    sni_free(memory, only);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}
