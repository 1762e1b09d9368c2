// A model turned as a whole.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/rig.h"

static snVec3 turned(snQuat turn, const float* v) { return sn_quat_rotate(turn, sn_vec3(v[0], v[1], v[2])); }

// Tangents of cubic keys turn as the values do: both are linear in them.
static void turn_channel(snQuat turn, const snChannel* c) {
    size_t values = (size_t)c->key_count * (c->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1);
    for (size_t k = 0; k < values; k++) {
        if (c->path == SN_PATH_TRANSLATION) {
            snVec3 v = turned(turn, c->values + k * 3);
            memcpy(c->values + k * 3, &v.x, 3 * sizeof(float));
        } else if (c->path == SN_PATH_ROTATION) {
            const float* v = c->values + k * 4;
            snQuat q = sn_quat_mul(turn, (snQuat){v[0], v[1], v[2], v[3]});
            memcpy(c->values + k * 4, &q.x, 4 * sizeof(float));
        }
    }
}

void sn_model_rotate(snModel* model, snQuat turn) {
    snSkeleton* skeleton = model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->parents[j] != SN_NONE) continue;
        snTrs* rest = &skeleton->rest[j];
        rest->translation = sn_quat_rotate(turn, rest->translation);
        rest->rotation = sn_quat_normalize(sn_quat_mul(turn, rest->rotation));
    }
    for (uint32_t c = 0; c < model->clip_count; c++) {
        for (uint32_t i = 0; i < model->clips[c]->channel_count; i++) {
            const snChannel* channel = &model->clips[c]->channels[i];
            if (skeleton->parents[channel->joint] == SN_NONE) turn_channel(turn, channel);
        }
    }
}
