// Sizes that floats can work with.
//
// Stages multiply lengths up to six times (squares of volumes). Between a millionth of a metre and a million
// metres such products stay floats; outside they end in zero or in infinity, and the surface in NaN.
#include "rig/range.h"

#include "base/error.h"
#include "base/memory.h"

// What a number of a file may be before it is placed in the world: joints above it may scale by as much.
#define LARGEST_NUMBER (SN_LENGTH_MAX * 1e3f)

// Weights of morph targets, which multiply their offsets.
#define LARGEST_WEIGHT 1e3f

// The advice behind every refusal.
#define EXPECTED "expected %g to %g m; a unit says how long the numbers of a file are"

static bool within(const float* values, size_t count, float most) {
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= -most && values[i] <= most)) return false;
    return true;
}

static float largest(const float* values, size_t count) {
    float most = 0.0f;
    for (size_t i = 0; i < count; i++) most = sn_maxf(most, fabsf(values[i]));
    return most;
}

bool sn_pose_in_range(const snMat4* world, uint32_t count) {
    for (uint32_t j = 0; j < count; j++) {
        const float* m = world[j].m;
        if (!within(m, 12, SN_SCALE_MAX) || !within(m + 12, 3, SN_LENGTH_MAX)) return false;
    }
    return true;
}

static snResult check_joints(const snModel* model, const snMat4* world, snError* error) {
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        if (sn_pose_in_range(&world[j], 1)) continue;
        snVec3 at = sn_mat4_translation(&world[j]);
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, j,
                              "joint \"%.60s\" rests at %.3g %.3g %.3g and scales by up to %.3g, expected "
                              "at most %g m and %g",
                              model->skeleton->names[j], (double)at.x, (double)at.y, (double)at.z,
                              (double)largest(world[j].m, 12), (double)SN_LENGTH_MAX, (double)SN_SCALE_MAX);
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- parts

// How far a box reaches from the origin, and how long its longest side is, seen through a matrix. Both are
// bounds from above.
typedef struct Reach {
    float far, side;
} Reach;

static Reach reach_through(const snMat4* place, snBounds box) {
    Reach reach = {0.0f, 0.0f};
    const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    for (int row = 0; row < 3; row++) {
        float far = fabsf(place->m[12 + row]), side = 0.0f;
        for (int k = 0; k < 3; k++) {
            float factor = fabsf(place->m[4 * k + row]);
            far += factor * sn_maxf(fabsf(low[k]), fabsf(high[k]));
            side += factor * (high[k] - low[k]);
        }
        // A comparison that NaN fails must not lose it.
        if (!(far <= reach.far)) reach.far = far;
        if (!(side <= reach.side)) reach.side = side;
    }
    return reach;
}

// Joints of a skin that move a vertex of the part: what others are does not matter.
static void mark_used(const snPart* part, uint8_t* used) {
    size_t count = (size_t)part->weights.vertex_count * part->weights.influences;
    for (size_t i = 0; i < count; i++)
        if (part->weights.weights[i] > 0.0f) used[part->weights.joints[i]] = 1;
}

static snResult check_place(const snPart* part, const snMat4* place, float* side, snError* error) {
    snBounds box = sn_bounds_of(part->mesh->positions, part->mesh->vertex_count);
    Reach reach = reach_through(place, box);
    if (!within(place->m, 12, SN_SCALE_MAX) || !(reach.far <= SN_LENGTH_MAX)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "part \"%.60s\" reaches %g m from the origin, " EXPECTED,
                        part->name, (double)reach.far, (double)SN_LENGTH_MIN, (double)SN_LENGTH_MAX);
    }
    *side = sn_maxf(*side, reach.side);
    return SN_RESULT_OK;
}

static snResult check_morphs(const snPart* part, snError* error) {
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snVec3* offsets = part->morphs[m].positions;
        if (!within(&part->morph_weights[m], 1, LARGEST_WEIGHT))
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "morph target %u of part \"%.60s\" has the weight %g, more than %g", m,
                            part->name, (double)part->morph_weights[m], (double)LARGEST_WEIGHT);
        for (uint32_t v = 0; offsets != NULL && v < part->mesh->vertex_count; v++) {
            if (within(&offsets[v].x, 3, SN_LENGTH_MAX)) continue;
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                                   "morph target %u of part \"%.60s\" moves vertex %u further than %g", m,
                                   part->name, v, (double)SN_LENGTH_MAX);
        }
    }
    return SN_RESULT_OK;
}

static snResult check_part(const snModel* model, const snPart* part, const snMat4* world, uint8_t* used,
                           float* side, snError* error) {
    if (part->mesh->vertex_count == 0) return SN_RESULT_OK;
    SNI_TRY(check_morphs(part, error));
    if (part->skin == SN_NONE || part->weights.influences == 0)
        return check_place(part, &world[part->joint], side, error);
    const snSkin* skin = &model->skins[part->skin];
    for (uint32_t j = 0; j < skin->joint_count; j++) used[j] = 0;
    mark_used(part, used);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        if (used[j] == 0) continue;
        snMat4 place = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
        SNI_TRY(check_place(part, &place, side, error));
    }
    return SN_RESULT_OK;
}

static snResult check_parts(const snModel* model, const snMat4* world, uint8_t* used, snError* error) {
    float side = 0.0f;
    for (uint32_t p = 0; p < model->part_count; p++)
        SNI_TRY(check_part(model, &model->parts[p], world, used, &side, error));
    // What is nowhere but in one point has no size to be wrong.
    if (side == 0.0f || side >= SN_LENGTH_MIN) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "the model has a size of %g m, " EXPECTED, (double)side,
                    (double)SN_LENGTH_MIN, (double)SN_LENGTH_MAX);
}

// ------------------------------------------------------------------------------------------------- clips

static snResult check_clip(const snModel* model, const snClip* clip, snError* error) {
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const snChannel* channel = &clip->channels[c];
        size_t triple = channel->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1;
        float most = channel->path == SN_PATH_MORPH ? LARGEST_WEIGHT : LARGEST_NUMBER;
        if (within(channel->values, triple * channel->key_count * channel->width, most)) continue;
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, channel->joint,
                              "clip \"%.60s\" moves joint \"%.60s\" by numbers above %g", clip->name,
                              model->skeleton->names[channel->joint], (double)most);
    }
    return SN_RESULT_OK;
}

snResult sn_model_validate_range(const snModel* model, snError* error) {
    const snAllocator* memory = &model->allocator;
    uint32_t most = 0;
    for (uint32_t s = 0; s < model->skin_count; s++)
        most = model->skins[s].joint_count > most ? model->skins[s].joint_count : most;
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, model->skeleton->joint_count);
    uint8_t* used = SNI_NEW_ARRAY(memory, uint8_t, most);
    snResult result = SN_RESULT_OK;
    if (world == NULL || used == NULL) {
        result = sni_fail_memory(error);
    } else {
        sn_skeleton_world(model->skeleton, NULL, world);
        result = check_joints(model, world, error);
        if (result == SN_RESULT_OK) result = check_parts(model, world, used, error);
        for (uint32_t c = 0; c < model->clip_count && result == SN_RESULT_OK; c++)
            result = check_clip(model, model->clips[c], error);
    }
    sni_free(memory, world);
    sni_free(memory, used);
    return result;
}

// ------------------------------------------------------------------------------------------------- poses

// Of what a pose may reach, beyond what rests there: the bound below adds what may cancel out.
#define SLACK 4.0f

bool sni_model_reaches(const snModel* model, const snAllocator* memory, float* out_reaches) {
    uint32_t most = 0;
    for (uint32_t s = 0; s < model->skin_count; s++)
        most = model->skins[s].joint_count > most ? model->skins[s].joint_count : most;
    uint8_t* used = SNI_NEW_ARRAY(memory, uint8_t, most);
    if (used == NULL) return false;
    const snMat4 here = sn_mat4_identity();
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) out_reaches[j] = 0.0f;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        snBounds box = sn_bounds_of(part->mesh->positions, part->mesh->vertex_count);
        if (part->mesh->vertex_count == 0) continue;
        if (part->skin == SN_NONE || part->weights.influences == 0) {
            out_reaches[part->joint] = sn_maxf(out_reaches[part->joint], reach_through(&here, box).far);
            continue;
        }
        const snSkin* skin = &model->skins[part->skin];
        for (uint32_t j = 0; j < skin->joint_count; j++) used[j] = 0;
        mark_used(part, used);
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            float* reach = &out_reaches[skin->joints[j]];
            float far = reach_through(&skin->inverse_binds[j], box).far;
            // Nothing follows it now, but weights can be painted: then what is out of reach stays out of it.
            if (used[j] == 0 && !(far <= SN_LENGTH_MAX)) continue;
            if (!(far <= *reach)) *reach = far;
        }
    }
    sni_free(memory, used);
    return true;
}

bool sni_pose_reaches(const snMat4* world, const float* reaches, uint32_t count) {
    if (!sn_pose_in_range(world, count)) return false;
    for (uint32_t j = 0; j < count; j++) {
        if (reaches[j] == 0.0f) continue;
        const float* m = world[j].m;
        for (int row = 0; row < 3; row++) {
            float turned = fabsf(m[row]) + fabsf(m[4 + row]) + fabsf(m[8 + row]);
            if (!(turned * reaches[j] + fabsf(m[12 + row]) <= SLACK * SN_LENGTH_MAX)) return false;
        }
    }
    return true;
}
