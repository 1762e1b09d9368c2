#include "builtin/motion.h"

#include "base/memory.h"

static void connect_channels(sniMotion* m) {
    for (uint32_t j = 0; j < m->joint_count; j++) {
        float* values = &sni_motion_rotation(m, j, 0)->x;
        m->channels[j] =
            (snChannel){j, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, m->key_count, 4, m->times, values};
    }
    m->channels[m->joint_count] = (snChannel){
        0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, m->key_count, 3, m->times, &m->places->x};
}

bool sni_motion_create(sniMotion* out, const char* name, uint32_t joint_count, uint32_t interval_count,
                       const snAllocator* allocator) {
    sniMotion m = {.name = name, .joint_count = joint_count, .key_count = interval_count + 1};
    m.allocator = *allocator;
    m.times = SNI_NEW_ARRAY(allocator, float, m.key_count);
    m.rotations = SNI_NEW_ARRAY(allocator, snQuat, (size_t)joint_count * m.key_count);
    m.places = SNI_NEW_ARRAY(allocator, snVec3, m.key_count);
    m.channels = SNI_NEW_ARRAY(allocator, snChannel, (size_t)joint_count + 1);
    if (m.times == NULL || m.rotations == NULL || m.places == NULL || m.channels == NULL) {
        sni_motion_destroy(&m);
        return false;
    }
    for (uint32_t k = 0; k < m.key_count; k++) m.times[k] = (float)k / (float)SNI_KEYS_PER_SECOND;
    for (size_t n = 0; n < (size_t)joint_count * m.key_count; n++) m.rotations[n] = sn_quat_identity();
    connect_channels(&m);
    *out = m;
    return true;
}

void sni_motion_destroy(sniMotion* motion) {
    if (motion->key_count == 0) return;
    sni_free(&motion->allocator, motion->times);
    sni_free(&motion->allocator, motion->rotations);
    sni_free(&motion->allocator, motion->places);
    sni_free(&motion->allocator, motion->channels);
    *motion = (sniMotion){0};
}

void sni_motion_close(sniMotion* motion) {
    uint32_t last = motion->key_count - 1;
    for (uint32_t j = 0; j < motion->joint_count; j++) {
        *sni_motion_rotation(motion, j, last) = *sni_motion_rotation(motion, j, 0);
    }
    motion->places[last] = motion->places[0];
}

snClipDef sni_motion_def(const sniMotion* motion) {
    return (snClipDef){motion->name, 0.0f, motion->joint_count + 1, motion->channels};
}
