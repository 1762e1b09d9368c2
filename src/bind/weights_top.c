// Keeping the largest weights of every item, and mixing items.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bind.h"

snResult sni_top_create(uint32_t count, const snAllocator* allocator, sniTop* out, snError* error) {
    sniTop top = {.count = count, .allocator = sni_allocator(allocator)};
    top.joints = SNI_NEW_ARRAY(&top.allocator, uint16_t, (size_t)count * SNI_TOP);
    top.weights = SNI_NEW_ARRAY(&top.allocator, float, (size_t)count* SNI_TOP);
    top.totals = SNI_NEW_ARRAY(&top.allocator, float, count);
    if (top.joints == NULL || top.weights == NULL || top.totals == NULL) {
        sni_top_free(&top);
        return sni_fail_memory(error);
    }
    *out = top;
    return SN_RESULT_OK;
}

void sni_top_free(sniTop* top) {
    if (top == NULL || top->allocator.free == NULL) return;
    sni_free(&top->allocator, top->joints);
    sni_free(&top->allocator, top->weights);
    sni_free(&top->allocator, top->totals);
    *top = (sniTop){0};
}

void sni_top_add(sniTop* top, uint32_t item, uint32_t joint, float weight) {
    if (!(weight > 0.0f)) return;
    float* weights = top->weights + (size_t)item * SNI_TOP;
    uint16_t* joints = top->joints + (size_t)item * SNI_TOP;
    top->totals[item] += weight;
    if (!(weight > weights[SNI_TOP - 1])) return;
    int at = SNI_TOP - 1;
    for (; at > 0 && weight > weights[at - 1]; at--) {
        weights[at] = weights[at - 1];
        joints[at] = joints[at - 1];
    }
    weights[at] = weight;
    joints[at] = (uint16_t)joint;
}

void sni_top_copy(sniTop* to, uint32_t to_item, const sniTop* from, uint32_t from_item) {
    size_t a = (size_t)to_item * SNI_TOP, b = (size_t)from_item * SNI_TOP;
    memmove(to->joints + a, from->joints + b, SNI_TOP * sizeof *to->joints);
    memmove(to->weights + a, from->weights + b, SNI_TOP * sizeof *to->weights);
    to->totals[to_item] = from->totals[from_item];
}

void sni_top_clear(sniTop* top, uint32_t item) {
    memset(top->weights + (size_t)item * SNI_TOP, 0, SNI_TOP * sizeof *top->weights);
    memset(top->joints + (size_t)item * SNI_TOP, 0, SNI_TOP * sizeof *top->joints);
    top->totals[item] = 0.0f;
}

bool sni_top_normalize(sniTop* top) {
    bool all = true;
    for (uint32_t i = 0; i < top->count; i++) {
        float* weights = top->weights + (size_t)i * SNI_TOP;
        float sum = 0.0f;
        for (int k = 0; k < SNI_TOP; k++) sum += weights[k];
        if (!(sum > 0.0f)) {
            all = false;
            continue;
        }
        for (int k = 0; k < SNI_TOP; k++) weights[k] /= sum;
        top->totals[i] /= sum;
    }
    return all;
}

// Cutting off the fifth would tear the weights where the fourth and the fifth change places. So what is kept
// fades as it comes down to what is not, and the two are equal, at nothing, where they change places.
float sni_top_take(const sniTop* top, uint32_t item, snWeights* to, uint32_t vertex) {
    const float* weights = top->weights + (size_t)item * SNI_TOP;
    const uint16_t* joints = top->joints + (size_t)item * SNI_TOP;
    float next = to->influences < SNI_TOP ? weights[to->influences] : 0.0f, kept = 0.0f, sum = 0.0f;
    float* out = to->weights + (size_t)vertex * to->influences;
    for (uint32_t i = 0; i < to->influences; i++) {
        float ratio = SNI_RULE(fade) && weights[i] > 0.0f ? next / weights[i] : 0.0f;
        out[i] = weights[i] * (1.0f - ratio * ratio);
        to->joints[(size_t)vertex * to->influences + i] = weights[i] > 0.0f ? joints[i] : 0;
        kept += weights[i];
        sum += out[i];
    }
    // Five equal weights and more fade altogether; then there is nothing to choose by.
    for (uint32_t i = 0; i < to->influences; i++) {
        if (sum > 0.0f)
            out[i] /= sum;
        else if (kept > 0.0f)
            out[i] = weights[i] / kept;
    }
    return top->totals[item] > kept ? 1.0f - kept / top->totals[item] : 0.0f;
}

snResult sni_mix_create(uint32_t joint_count, const snAllocator* allocator, sniMix* out, snError* error) {
    sniMix mix = {SNI_NEW_ARRAY(allocator, float, joint_count),
                  SNI_NEW_ARRAY(allocator, uint16_t, joint_count), 0};
    if (mix.values == NULL || mix.touched == NULL) {
        sni_mix_free(&mix, allocator);
        return sni_fail_memory(error);
    }
    *out = mix;
    return SN_RESULT_OK;
}

void sni_mix_free(sniMix* mix, const snAllocator* allocator) {
    sni_free(allocator, mix->values);
    sni_free(allocator, mix->touched);
    *mix = (sniMix){0};
}

void sni_mix_add(sniMix* mix, uint32_t joint, float weight) {
    if (!(weight > 0.0f)) return;
    if (!(mix->values[joint] > 0.0f)) mix->touched[mix->count++] = (uint16_t)joint;
    mix->values[joint] += weight;
}

void sni_mix_add_item(sniMix* mix, const sniTop* top, uint32_t item, float scale) {
    const float* weights = top->weights + (size_t)item * SNI_TOP;
    const uint16_t* joints = top->joints + (size_t)item * SNI_TOP;
    for (int k = 0; k < SNI_TOP && weights[k] > 0.0f; k++) sni_mix_add(mix, joints[k], weights[k] * scale);
}

void sni_mix_flush(sniMix* mix, sniTop* top, uint32_t item) {
    for (uint32_t i = 0; i < mix->count; i++) {
        sni_top_add(top, item, mix->touched[i], mix->values[mix->touched[i]]);
        mix->values[mix->touched[i]] = 0.0f;
    }
    mix->count = 0;
}
