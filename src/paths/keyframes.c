// Poses at given times, and the way from one to the next (Hansen 2006, 7.6.3, with easing).
#include "base/error.h"
#include "sinew/paths.h"

const char* sn_ease_name(snEase ease) {
    static const char* const names[SN_EASE_COUNT] = {"linear", "in", "out", "in-out", "hold"};
    return (unsigned)ease < SN_EASE_COUNT ? names[ease] : "none";
}

float sn_ease(snEase ease, float t) {
    t = sn_clampf(t, 0.0f, 1.0f);
    switch (ease) {
    case SN_EASE_IN:
        return t * t;
    case SN_EASE_OUT:
        return t * (2.0f - t);
    case SN_EASE_IN_OUT:
        return t * t * (3.0f - 2.0f * t);
    case SN_EASE_HOLD:
        return t < 1.0f ? 0.0f : 1.0f;
    case SN_EASE_LINEAR:
    case SN_EASE_COUNT:
        break;
    }
    return t;
}

static snResult check_shares(const snPoseKey* key, uint32_t index, uint32_t pose_count, snError* error) {
    for (uint32_t i = 0; i < key->share_count; i++) {
        if (key->shares[i].pose >= pose_count)
            return sni_fail(error, SN_RESULT_BAD_DATA, "keyframe %u names pose %u of %u", index,
                            key->shares[i].pose, pose_count);
        if (!sn_finite(key->shares[i].weight))
            return sni_fail(error, SN_RESULT_BAD_DATA, "keyframe %u has a weight that is not finite", index);
        for (uint32_t k = 0; k < i; k++) {
            if (key->shares[k].pose == key->shares[i].pose)
                return sni_fail(error, SN_RESULT_BAD_DATA, "keyframe %u names pose %u twice", index,
                                key->shares[i].pose);
        }
    }
    return SN_RESULT_OK;
}

snResult sn_keyframes_validate(const snKeyframes* keyframes, uint32_t pose_count, snError* error) {
    if (keyframes == NULL || (keyframes->keys == NULL && keyframes->key_count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "keyframes are needed");
    if (keyframes->key_count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "there is no keyframe");
    for (uint32_t i = 0; i < keyframes->key_count; i++) {
        const snPoseKey* key = &keyframes->keys[i];
        if (!sn_finite(key->time))
            return sni_fail(error, SN_RESULT_BAD_DATA, "the time of keyframe %u is not finite", i);
        if (i > 0 && !(key->time > key[-1].time))
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "keyframe %u is at %g seconds, but the one before is at %g", i, (double)key->time,
                            (double)key[-1].time);
        if ((unsigned)key->ease >= SN_EASE_COUNT)
            return sni_fail(error, SN_RESULT_BAD_DATA, "keyframe %u has an unknown easing", i);
        SNI_TRY(check_shares(key, i, pose_count, error));
    }
    return SN_RESULT_OK;
}

static void add_key(const snPoseKey* key, float share, float* weights) {
    for (uint32_t i = 0; i < key->share_count; i++)
        weights[key->shares[i].pose] += share * key->shares[i].weight;
}

void sn_keyframes_at(const snKeyframes* keyframes, float time, uint32_t pose_count, float* out_weights) {
    const snPoseKey* keys = keyframes->keys;
    uint32_t last = keyframes->key_count - 1, i = 0;
    float span = keys[last].time - keys[0].time;
    if (keyframes->loop && span > 0.0f) {
        float rounds = floorf((time - keys[0].time) / span);
        time = sn_clampf(time - rounds * span, keys[0].time, keys[last].time);
    }
    for (uint32_t p = 0; p < pose_count; p++) out_weights[p] = 0.0f;
    while (i < last && time >= keys[i + 1].time) i++;
    if (i == last || time <= keys[i].time) {
        add_key(&keys[i], 1.0f, out_weights);
        return;
    }
    float t = sn_ease(keys[i].ease, (time - keys[i].time) / (keys[i + 1].time - keys[i].time));
    add_key(&keys[i], 1.0f - t, out_weights);
    add_key(&keys[i + 1], t, out_weights);
}
