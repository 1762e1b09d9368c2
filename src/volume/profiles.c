// Profiles as tables: sampled once, so that every kind costs the same.
#include "base/error.h"
#include "base/memory.h"
#include "volume/exact.h"

// Profiles are looked at this far from the joint, in its lengths, at so many places a length.
#define SPAN 8
#define STEPS 256
// What is never said to end ends here.
#define NEVER 1e-12f

static bool same_curve(const snVolumeCurve* a, const snVolumeCurve* b) {
    bool same = a->center == b->center && a->sigma == b->sigma && a->side == b->side &&
                a->folds == b->folds && a->key_count == b->key_count;
    for (uint32_t k = 0; same && k < a->key_count; k++)
        same = a->keys[k].at == b->keys[k].at && a->keys[k].value == b->keys[k].value;
    return same;
}

bool sni_same_volume_profile(const snVolumeProfile* a, const snVolumeProfile* b) {
    bool same = a->folds_grow == b->folds_grow;
    for (int axis = 0; same && axis < 3; axis++)
        same = a->shares[axis] == b->shares[axis] && same_curve(&a->axes[axis], &b->axes[axis]);
    return same;
}

static float place_of(int i) { return (float)i / (float)STEPS; }

static float largest(const snVolumeCurve* curve) {
    float most = 0.0f;
    for (int i = -SPAN * STEPS; i <= SPAN * STEPS; i++) {
        float t = place_of(i);
        most = sn_maxf(most, sn_volume_curve_at(curve, t, 0.0f));
        most = sn_maxf(most, sn_volume_curve_at(curve, t, 1.0f));
    }
    return most;
}

static bool counts(const snVolumeCurve* curve, float t, float least) {
    return sn_volume_curve_at(curve, t, 0.0f) > least || sn_volume_curve_at(curve, t, 1.0f) > least;
}

// Samples a curve between the places where it ends for good; what is left there is taken off everywhere, so
// that it ends without a step.
static void sample(const snVolumeCurve* curve, float support, bool grows, sniProfileTable* plain,
                   sniProfileTable* folded) {
    float most = largest(curve), least = sn_maxf(support, NEVER) * most;
    int first = -SPAN * STEPS, last = SPAN * STEPS;
    while (first < last && !counts(curve, place_of(first), least)) first++;
    while (last > first && !counts(curve, place_of(last), least)) last--;
    float low = place_of(first - 1), high = place_of(last + 1);
    float unit = most > 0.0f ? 1.0f / most : 0.0f, width = (high - low) / (float)SNI_PROFILE_SAMPLES;
    plain->low = folded->low = low;
    plain->per_unit = folded->per_unit = 1.0f / width;
    // The ends stay 0.
    for (uint32_t i = 1; i < SNI_PROFILE_SAMPLES; i++) {
        float t = low + width * (float)i;
        folded->at[i][0] = sn_maxf(sn_volume_curve_at(curve, t, 1.0f) - least, 0.0f) * unit;
        plain->at[i][0] =
            grows ? sn_maxf(sn_volume_curve_at(curve, t, 0.0f) - least, 0.0f) * unit : folded->at[i][0];
    }
    for (uint32_t i = 0; i < SNI_PROFILE_SAMPLES; i++) {
        folded->at[i][1] = folded->at[i + 1][0] - folded->at[i][0];
        plain->at[i][1] = plain->at[i + 1][0] - plain->at[i][0];
    }
}

// Whether a profile looks the same however it is turned about the parent bone.
static bool is_round(const snVolumeProfile* p) {
    const snVolumeCurve *y = &p->axes[1], *z = &p->axes[2];
    return p->shares[1] == p->shares[2] && y->key_count == 0 && z->key_count == 0 && y->side == 0.0f &&
           z->side == 0.0f && y->folds == 0.0f && z->folds == 0.0f && y->center == 0.0f &&
           z->center == 0.0f && y->sigma == z->sigma;
}

static void share_axes(sniProfile* p) {
    const float* shares = p->def.shares;
    for (int a = 0; a < 3; a++) p->shares[a] = shares[a] / (shares[0] + shares[1] + shares[2]);
    p->even = shares[0] == shares[1] && shares[1] == shares[2];
}

static float end_of(const sniProfileTable* t) { return t->low + (float)SNI_PROFILE_SAMPLES / t->per_unit; }

static snResult add_profile(const snVolumeProfile* def, float support, sniProfile* out, snError* error) {
    SNI_TRY(sn_volume_profile_validate(def, error));
    out->def = *def;
    out->round = is_round(def);
    share_axes(out);
    for (int a = 0; a < 3; a++)
        sample(&def->axes[a], support, def->folds_grow, &out->plain[a], &out->folded[a]);
    out->reach_low = out->plain[0].low;
    out->reach_high = end_of(&out->plain[0]);
    for (int a = 1; a < 3; a++) {
        out->reach = sn_maxf(out->reach, fabsf(out->plain[a].low));
        out->reach = sn_maxf(out->reach, fabsf(end_of(&out->plain[a])));
    }
    return SN_RESULT_OK;
}

// A profile of `old` that was sampled from the same numbers, or NULL.
static const sniProfile* find_sampled(const snExactVolume* old, const snVolumeProfile* def, float support) {
    for (uint32_t p = 0; old != NULL && old->support == support && p < old->profile_count; p++)
        if (sni_same_volume_profile(&old->profiles[p].def, def)) return &old->profiles[p];
    return NULL;
}

snResult sni_profiles_create(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                             snError* error) {
    // Joints mostly share a few; at worst each has its own.
    const snVolumeProfile* plain = sn_volume_preset_find("isotropic");
    uint32_t count = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        count = 0;
        for (uint32_t j = 0; j < def->joint_count; j++) {
            const snVolumeProfile* wanted = def->joints[j].profile != NULL ? def->joints[j].profile : plain;
            uint32_t same = 0;
            while (same < j &&
                   (def->joints[same].profile != NULL ? def->joints[same].profile : plain) != wanted)
                same++;
            if (same < j) {
                volume->joints[j].profile = volume->joints[same].profile;
                continue;
            }
            volume->joints[j].profile = count++;
            if (pass == 0) continue;
            const sniProfile* sampled = find_sampled(old, wanted, def->support);
            if (sampled != NULL)
                volume->profiles[count - 1] = *sampled;
            else
                SNI_TRY(add_profile(wanted, def->support, &volume->profiles[count - 1], error));
        }
        if (pass == 1) break;
        volume->profiles = SNI_NEW_ARRAY(&volume->allocator, sniProfile, count);
        if (volume->profiles == NULL) return sni_fail_memory(error);
    }
    volume->profile_count = count;
    return SN_RESULT_OK;
}
