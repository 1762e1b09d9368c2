// Finding a person in the solid: how it stands and faces, its arms, legs and head.
#include "base/error.h"
#include "base/memory.h"
#include "fit/limb.h"

// A mirror axis this near a world axis is that axis (cosine of 10 degrees).
#define SNAP 0.985f
// The others were judged: the bodies of docs/fit.md pass, the animals of the tests are refused.
// Feet reach at least this far ahead of the shins when it is clear which way they point, in heights.
#define FEET_AHEAD 0.008f
// Pairs further apart than this in the mirror, in heights, are posed differently; nearer ones are averaged.
#define ALIKE 0.03f
// A mean beyond this, in heights, is no body with two equal sides.
#define UNLIKE 0.05f

// ----------------------------------------------------------------------------------------------------- frame

static snVec3 mean_point(const sniSolid* solid) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t c = 0; c < solid->cell_count; c++) {
        snVec3 p = sni_solid_point(solid, c);
        sum[0] += (double)p.x;
        sum[1] += (double)p.y;
        sum[2] += (double)p.z;
    }
    double n = solid->cell_count;
    return sn_vec3((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
}

// From side to side a body reaches further than from front to back: the horizontal axis of most spread.
// Mirror symmetry would tell it too, but also of animals, which are deeper than wide and must not pass for
// people.
static snVec3 side_axis(const sniSolid* solid, snVec3 mean) {
    double xx = 0.0;
    double xz = 0.0;
    double zz = 0.0;
    for (uint32_t c = 0; c < solid->cell_count; c++) {
        snVec3 d = sn_sub(sni_solid_point(solid, c), mean);
        xx += (double)d.x * (double)d.x;
        xz += (double)d.x * (double)d.z;
        zz += (double)d.z * (double)d.z;
    }
    double scale = xx + zz > 0.0 ? 1.0 / (xx + zz) : 0.0; // keeps tiny and huge bodies in float's range
    float angle = 0.5f * sn_atan2((float)(2.0 * xz * scale), (float)((xx - zz) * scale));
    snVec3 axis = sn_vec3(sn_cos(angle), 0.0f, sn_sin(angle));
    if (axis.x > SNAP || axis.x < -SNAP) return sn_vec3(1.0f, 0.0f, 0.0f);
    if (axis.z > SNAP || axis.z < -SNAP) return sn_vec3(0.0f, 0.0f, 1.0f);
    return axis;
}

static void set_frame(sniLandmarks* marks, snVec3 left) {
    snVec3 up = sn_vec3(0.0f, 1.0f, 0.0f);
    snVec3 forward = sn_cross(left, up);
    snMat4 m = {{left.x, left.y, left.z, 0.0f, up.x, up.y, up.z, 0.0f, forward.x, forward.y, forward.z, 0.0f,
                 0.0f, 0.0f, 0.0f, 1.0f}};
    marks->frame = sn_quat_normalize(sn_quat_from_mat4(&m));
}

static void place_points(const sniFinder* f, const sniLandmarks* marks) {
    snQuat back = sn_quat_conjugate(marks->frame);
    for (uint32_t c = 0; c < f->solid->cell_count; c++)
        f->points[c] = sn_quat_rotate(back, sn_sub(sni_solid_point(f->solid, c), marks->origin));
}

// How far the feet are ahead of the shins.
static float feet_ahead(const sniFinder* f) {
    double feet = 0.0;
    double shins = 0.0;
    uint32_t foot_count = 0;
    uint32_t shin_count = 0;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        snVec3 p = f->points[c];
        if (p.y < 0.04f * f->height) {
            feet += (double)p.z;
            foot_count++;
        }
        if (p.y > 0.1f * f->height && p.y < 0.2f * f->height) {
            shins += (double)p.z;
            shin_count++;
        }
    }
    if (foot_count == 0 || shin_count == 0) return 0.0f;
    return (float)(feet / foot_count - shins / shin_count);
}

static bool find_frame(sniFinder* f, snAxis facing, sniLandmarks* marks) {
    float low = 0.0f;
    float high = 0.0f;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        float y = sni_solid_point(f->solid, c).y;
        low = c == 0 ? y : sn_minf(low, y);
        high = c == 0 ? y : sn_maxf(high, y);
    }
    low -= 0.5f * f->solid->size;
    high += 0.5f * f->solid->size;
    snVec3 mean = mean_point(f->solid);
    bool given = facing != SN_AXIS_AUTO;
    snVec3 left =
        given ? sn_cross(sn_vec3(0.0f, 1.0f, 0.0f), sn_axis_vector(facing)) : side_axis(f->solid, mean);
    marks->height = high - low;
    marks->origin = sn_vec3(mean.x, low, mean.z);
    f->height = marks->height;
    set_frame(marks, left);
    place_points(f, marks);
    if (given) return true;
    float ahead = feet_ahead(f);
    if (ahead < 0.0f) {
        set_frame(marks, sn_neg(left));
        place_points(f, marks);
    }
    return (ahead < 0.0f ? -ahead : ahead) > FEET_AHEAD * f->height;
}

// -------------------------------------------------------------------------------------------------- symmetry

static snVec3 mirrored(snVec3 p) { return sn_vec3(-p.x, p.y, p.z); }

// Averages pairs that agree, doubts those that do not.
static void balance(sniMark* left, sniMark* right, int count, float height) {
    for (int i = 0; i < count; i++) {
        float apart = sn_distance(left[i].point, mirrored(right[i].point));
        if (apart < ALIKE * height) {
            left[i].point = sn_lerp(left[i].point, mirrored(right[i].point), 0.5f);
            right[i].point = mirrored(left[i].point);
            continue;
        }
        float worse = sn_maxf(0.3f, 1.0f - 4.0f * apart / height);
        left[i].sure *= worse;
        right[i].sure *= worse;
        left[i].doubts |= SN_FIT_ASYMMETRIC;
        right[i].doubts |= SN_FIT_ASYMMETRIC;
    }
}

static float arm_length(const sniMark* arm) {
    return sn_distance(arm[SNI_SHOULDER].point, arm[SNI_ELBOW].point) +
           sn_distance(arm[SNI_ELBOW].point, arm[SNI_WRIST].point);
}

// How far the two sides are from mirror images, whatever the arms do: where limbs begin, how long they are.
static float unlikeness(const sniLandmarks* marks) {
    float sum = 0.0f;
    for (int i = SNI_HIP; i <= SNI_ANKLE; i++)
        sum += sn_distance(marks->legs[0][i].point, mirrored(marks->legs[1][i].point));
    sum += sn_distance(marks->arms[0][SNI_SHOULDER].point, mirrored(marks->arms[1][SNI_SHOULDER].point));
    float longer = arm_length(marks->arms[0]) - arm_length(marks->arms[1]);
    return 0.2f * (sum + sn_maxf(longer, -longer)) / marks->height;
}

static void doubt_facing(sniLandmarks* marks) {
    sniMark* all[] = {marks->legs[0], marks->legs[1], marks->arms[0], marks->arms[1]};
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < SNI_LEG_POINTS; i++) {
            all[a][i].sure *= 0.5f;
            all[a][i].doubts |= SN_FIT_FACING;
        }
    }
}

// ------------------------------------------------------------------------------------------------------- all

static void find_trunk(const sniFinder* f, const sniLevels* levels, float crotch, sniLandmarks* marks) {
    for (uint32_t i = 0; i <= SNI_TRUNK_SLICES; i++) {
        float y = sn_lerpf(crotch, f->height, (float)i / SNI_TRUNK_SLICES);
        uint32_t level = (uint32_t)sn_clampf(y / f->height * SNI_LEVELS, 0.0f, SNI_LEVELS - 1);
        marks->trunk[i] = sn_vec3(0.0f, y, levels->depth[level]);
    }
    snVec3 top = marks->trunk[SNI_TRUNK_SLICES];
    marks->crown = (sniMark){top, 0.9f, 0};
}

static snResult find_all(sniFinder* f, snAxis facing, sniLandmarks* marks, snError* error) {
    bool faces = find_frame(f, facing, marks);
    snVec3 mean = mean_point(f->solid);
    uint32_t center = sni_solid_nearest(f->solid, mean, 2.0f * f->height);
    if (center == SN_NONE)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "no standing person was recognised in the mesh");
    static const char* const sides[] = {"left", "right"};
    for (int s = 0; s < 2; s++) {
        sni_solid_walk(f->solid, center, f->distances, f->links);
        if (!sni_limb_arm(f, s, marks->arms[s], &marks->palms[s]))
            return sni_fail(error, SN_RESULT_UNSUPPORTED,
                            "no %s arm that leaves the body was found in the mesh; expected a person in T- "
                            "or A-pose, +Y up",
                            sides[s]);
    }
    sniLevels levels;
    float crotch;
    sni_levels_measure(&levels, f);
    if (!sni_limb_legs(f, &levels, marks->legs, &crotch))
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "the mesh does not stand on two legs; expected a person, +Y up");
    float unlike = unlikeness(marks);
    balance(marks->legs[0], marks->legs[1], SNI_LEG_POINTS, f->height);
    balance(marks->arms[0], marks->arms[1], SNI_ARM_POINTS, f->height);
    float shoulder = 0.5f * (marks->arms[0][SNI_SHOULDER].point.y + marks->arms[1][SNI_SHOULDER].point.y);
    if (unlike > UNLIKE || shoulder < crotch + 0.1f * f->height)
        return sni_fail(
            error, SN_RESULT_UNSUPPORTED,
            "left and right of the mesh are not mirror images; expected a person who stands, +Y up");
    sni_limb_neck(f, &levels, shoulder, &marks->neck, &marks->head);
    find_trunk(f, &levels, crotch, marks);
    if (!faces) doubt_facing(marks);
    return SN_RESULT_OK;
}

snResult sni_landmarks_find(sniLandmarks* marks, const sniSolid* solid, snAxis facing,
                            const snAllocator* memory, snError* error) {
    *marks = (sniLandmarks){0};
    sniFinder f = {.solid = solid};
    f.points = SNI_NEW_ARRAY(memory, snVec3, solid->cell_count);
    f.distances = SNI_NEW_ARRAY(memory, uint32_t, solid->cell_count);
    f.links = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)solid->cell_count);
    f.arm = SNI_NEW_ARRAY(memory, uint8_t, solid->cell_count);
    bool ok = f.points != NULL && f.distances != NULL && f.links != NULL && f.arm != NULL;
    snResult result = ok ? find_all(&f, facing, marks, error) : sni_fail_memory(error);
    sni_free(memory, f.points);
    sni_free(memory, f.distances);
    sni_free(memory, f.links);
    sni_free(memory, f.arm);
    return result;
}
