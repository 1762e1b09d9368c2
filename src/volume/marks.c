// Where a mesh wants to be fine: how much of each joint's correction a vertex may take.
//
// Which way a joint will bend is not known in the bind pose, so a mark is the most that any turn of the
// profile about the parent bone would give; and the valleys between folds want to be as fine as the folds.
#include "base/error.h"
#include "base/memory.h"
#include "volume/exact.h"

#define SAMPLES 256u
#define TURNS 32u

// A profile without its valleys: along the parent bone between its ends, and away from it up to its reach.
typedef struct Envelope {
    float low, per_unit; // along: samples a joint length
    float out_per_unit;  // the same for `around`
    float along[SAMPLES + 1];
    float around[SAMPLES + 1];
} Envelope;

static float curve_most(const snVolumeCurve* curve, float t) {
    return sn_maxf(sn_volume_curve_at(curve, t, 0.0f), sn_volume_curve_at(curve, t, 1.0f));
}

// Each value becomes the smaller of the largest before and the largest behind it.
static void fill_valleys(float* values) {
    float before[SAMPLES + 1], most = 0.0f;
    for (uint32_t i = 0; i <= SAMPLES; i++) before[i] = most = sn_maxf(most, values[i]);
    most = 0.0f;
    for (uint32_t i = SAMPLES + 1; i-- > 0;) {
        most = sn_maxf(most, values[i]);
        values[i] = sn_minf(before[i], most);
    }
}

static float around_most(const snVolumeProfile* profile, float radius) {
    float most = 0.0f;
    for (uint32_t i = 0; i < TURNS; i++) {
        float turn = 2.0f * SN_PI * (float)i / (float)TURNS;
        most = sn_maxf(most, curve_most(&profile->axes[1], radius * sn_cos(turn)) *
                                 curve_most(&profile->axes[2], radius * sn_sin(turn)));
    }
    return most;
}

static void fill_envelope(const sniProfile* profile, Envelope* out) {
    float width = sn_maxf(profile->reach_high - profile->reach_low, 1e-6f) / (float)SAMPLES;
    float ring = sn_maxf(profile->reach, 1e-6f) / (float)SAMPLES, most = 0.0f;
    out->low = profile->reach_low;
    out->per_unit = 1.0f / width;
    out->out_per_unit = 1.0f / ring;
    for (uint32_t i = 0; i <= SAMPLES; i++) {
        out->along[i] = curve_most(&profile->def.axes[0], out->low + width * (float)i);
        out->around[i] = around_most(&profile->def, ring * (float)i);
    }
    fill_valleys(out->along);
    for (uint32_t i = SAMPLES + 1; i-- > 0;) out->around[i] = most = sn_maxf(most, out->around[i]);
}

// Between the samples linear, outside 0.
static float sample_at(const float* values, float place) {
    if (!(place >= 0.0f && place < (float)SAMPLES)) return 0.0f;
    uint32_t i = (uint32_t)place;
    return values[i] + (place - (float)i) * (values[i + 1] - values[i]);
}

static float envelope_at(const Envelope* envelope, const sniVolumeFrame* frame, snVec3 point) {
    snVec3 p = sn_scale(sn_sub(point, frame->place), 1.0f / frame->length);
    float x = sn_dot(p, frame->back), across = sqrtf(sn_maxf(sn_dot(p, p) - x * x, 0.0f));
    return sample_at(envelope->along, (x - envelope->low) * envelope->per_unit) *
           sample_at(envelope->around, across * envelope->out_per_unit);
}

// Only proportions count in a correction, so marks are shares of the largest that the surface has.
static void mark_patch(const snExactVolume* v, const sniPatch* patch, const Envelope* envelope,
                       float* marks) {
    const sniVolumeFrame* frame = &v->joints[patch->joint];
    const uint32_t* ids = v->shells[patch->shell].rings->ids;
    float most = 0.0f;
    for (int pass = 0; pass < 2; pass++) {
        const float* gate = patch->gates;
        for (uint32_t s = 0; s < patch->span_count; s++) {
            for (uint32_t i = patch->spans[s].begin; i < patch->spans[s].end; i++, gate++) {
                if (!(*gate > 0.0f)) continue;
                float mark = envelope_at(envelope, frame, v->closed->rest[ids[i]]);
                if (pass == 0)
                    most = sn_maxf(most, mark);
                else if (most > 0.0f)
                    marks[ids[i]] = sn_maxf(marks[ids[i]], mark / most);
            }
        }
    }
}

snResult sn_exact_volume_weights(const snExactVolume* v, uint32_t part, float* out_weights) {
    const sniClosed* closed = v->closed;
    if (part >= closed->part_count) return SN_RESULT_INVALID_ARGUMENT;
    float* marks = SNI_NEW_ARRAY(&v->allocator, float, closed->point_count);
    Envelope* envelopes = SNI_NEW_ARRAY(&v->allocator, Envelope, v->profile_count);
    bool ready = marks != NULL && envelopes != NULL;
    for (uint32_t p = 0; p < v->profile_count && ready; p++) fill_envelope(&v->profiles[p], &envelopes[p]);
    for (uint32_t p = 0; p < v->patch_count && ready; p++) {
        const sniPatch* patch = &v->patches[p];
        const sniVolumeFrame* frame = &v->joints[patch->joint];
        if (patch->hinge == NULL || patch->span_count == 0 || !(frame->amount > 0.0f) ||
            !(frame->length > 0.0f))
            continue;
        mark_patch(v, patch, &envelopes[frame->profile], marks);
    }
    uint32_t first = closed->vertex_starts[part], count = closed->vertex_starts[part + 1] - first;
    for (uint32_t i = 0; i < count && ready; i++) out_weights[i] = marks[closed->points[first + i]];
    sni_free(&v->allocator, marks);
    sni_free(&v->allocator, envelopes);
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}
