#include "channel.h"

#include <math.h>

// Of a length against the rest's, and of the sine of half an angle (0.001 degrees).
#define NEAR 1e-6f
#define NEAR_TURN 1e-5f

static bool near_vector(const float* v, snVec3 rest) {
    return sn_distance(sn_vec3(v[0], v[1], v[2]), rest) <= NEAR * sn_length(rest) + 1e-9f;
}

static bool near_turn(const float* v, snQuat rest) {
    snQuat turn = sn_quat_normalize(sn_quat(v[0], v[1], v[2], v[3]));
    snQuat off = sn_quat_mul(sn_quat_conjugate(sn_quat_normalize(rest)), turn);
    return sn_length(sn_vec3(off.x, off.y, off.z)) <= NEAR_TURN;
}

bool sni_channel_stays(const snChannel* channel, const snTrs* rest) {
    if (channel->interpolation == SN_INTERPOLATION_CUBIC || channel->path == SN_PATH_MORPH) return false;
    for (uint32_t k = 0; k < channel->key_count; k++) {
        const float* v = channel->values + (size_t)k * channel->width;
        bool near = channel->path == SN_PATH_ROTATION
                        ? near_turn(v, rest->rotation)
                        : near_vector(v, channel->path == SN_PATH_SCALE ? rest->scale : rest->translation);
        if (!near) return false;
    }
    return true;
}
