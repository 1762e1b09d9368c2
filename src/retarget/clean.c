// Captures as they come have reference poses in front or between, wrists that flip by half a turn from one
// frame to the next, and joints that spin for a moment. None of it is motion: neighbours contradict it.
#include "retarget/clean.h"

#include "base/error.h"
#include "base/memory.h"

// Half of the stretch that says what is usual around a step, in seconds. About a stride's swing; judged.
#define AROUND 0.12f
enum { AROUND_MOST = 32 };
// Fewer keys, or fewer a second, were set by hand and are meant.
#define LEAST_KEYS 8u
#define LEAST_RATE 15.0f

const char* sn_clean_kind_name(snCleanKind kind) {
    static const char* const names[] = {"reference", "spike", "flip"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "";
}

void sni_clean_set(snChannel* channel, uint32_t key, snQuat q) {
    float* v = channel->values + 4 * (size_t)key;
    v[0] = q.x;
    v[1] = q.y;
    v[2] = q.z;
    v[3] = q.w;
}

float sni_clean_angle(snQuat a, snQuat b) {
    float dot = sn_quat_dot(a, b);
    return 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
}

// ------------------------------------------------------------------------------------------------- measures

// The median of the steps around one, without itself.
static float usual_step(const float* steps, uint32_t count, uint32_t at, uint32_t reach) {
    float sorted[2 * AROUND_MOST];
    uint32_t n = 0;
    uint32_t from = at > reach ? at - reach : 0;
    for (uint32_t i = from; i <= at + reach && i < count; i++) {
        if (i == at) continue;
        uint32_t k = n++;
        for (; k > 0 && sorted[k - 1] > steps[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = steps[i];
    }
    return n > 0 ? sorted[n / 2] : 0.0f;
}

void sni_clean_measure(const sniClean* c, uint32_t channel) {
    float* steps = c->steps + (size_t)channel * c->keys;
    float* usual = c->usual + (size_t)channel * c->keys;
    uint32_t reach = (uint32_t)(AROUND * c->rate + 0.5f);
    reach = reach < 2 ? 2 : (reach > AROUND_MOST ? AROUND_MOST : reach);
    for (uint32_t i = 0; i + 1 < c->keys; i++)
        steps[i] =
            sni_clean_angle(sni_clean_key(c->turns[channel], i), sni_clean_key(c->turns[channel], i + 1));
    steps[c->keys - 1] = 0.0f;
    for (uint32_t i = 0; i + 1 < c->keys; i++) usual[i] = usual_step(steps, c->keys - 1, i, reach);
    usual[c->keys - 1] = 0.0f;
}

void sni_clean_bridge(snChannel* channel, uint32_t from, uint32_t to) {
    snQuat a = sni_clean_key(channel, from), b = sni_clean_key(channel, to);
    for (uint32_t k = from + 1; k < to; k++)
        sni_clean_set(channel, k, sn_quat_slerp(a, b, (float)(k - from) / (float)(to - from)));
}

void sni_clean_note(const sniClean* c, snCleanKind kind, uint32_t joint, uint32_t from, uint32_t to) {
    snCleanReport* report = c->report;
    const float* times = c->turns[0]->times;
    if (kind == SN_CLEAN_REFERENCE)
        report->references++;
    else if (kind == SN_CLEAN_SPIKE)
        report->spikes++;
    else
        report->flips++;
    if (report->listed == SN_CLEAN_LISTED) return;
    report->changes[report->listed++] = (snCleanChange){kind, joint, times[from], times[to]};
}

// Mean length of the third difference of all joints' places, in heights a second cubed.
static float measure_jerk(const sniClean* c, const snClip* clip, float from, float to, snTrs* locals,
                          snMat4* world, snVec3* points) {
    uint32_t count = c->skeleton->joint_count;
    uint32_t frames = (uint32_t)((to - from) * c->rate) + 1;
    double sum = 0.0;
    for (uint32_t f = 0; f < frames; f++) {
        memcpy(locals, c->skeleton->rest, count * sizeof *locals);
        sn_clip_sample(clip, from + (float)f / c->rate, SN_WRAP_CLAMP, count, locals);
        sn_skeleton_world(c->skeleton, locals, world);
        for (uint32_t j = 0; j < count; j++) {
            snVec3* p = points + 4 * (size_t)j;
            p[0] = p[1];
            p[1] = p[2];
            p[2] = p[3];
            p[3] = sn_mat4_translation(&world[j]);
            snVec3 third = sn_sub(sn_sub(p[3], p[0]), sn_scale(sn_sub(p[2], p[1]), 3.0f));
            if (f >= 3) sum += (double)sn_length(third);
        }
    }
    double scale = (double)c->rate * (double)c->rate * (double)c->rate;
    return frames > 3 && c->size > 0.0f
               ? (float)(sum * scale / ((double)(frames - 3) * (double)count * (double)c->size))
               : 0.0f;
}

static snResult note_jerk(const sniClean* c, const snClip* before, snError* error) {
    uint32_t count = c->skeleton->joint_count;
    snTrs* locals = SNI_NEW_ARRAY(&c->memory, snTrs, count);
    snMat4* world = SNI_NEW_ARRAY(&c->memory, snMat4, count);
    snVec3* points = SNI_NEW_ARRAY(&c->memory, snVec3, 4 * (size_t)count);
    bool enough = locals != NULL && world != NULL && points != NULL;
    snCleanReport* report = c->report;
    if (enough) {
        report->jerk_before = measure_jerk(c, before, 0.0f, before->duration, locals, world, points);
        report->jerk_after = measure_jerk(c, c->clip, report->from, report->to, locals, world, points);
    }
    sni_free(&c->memory, locals);
    sni_free(&c->memory, world);
    sni_free(&c->memory, points);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// ---------------------------------------------------------------------------------------------------- setup

static bool keyed_with(const snChannel* channel, const snChannel* dense) {
    return channel->interpolation == SN_INTERPOLATION_LINEAR && channel->key_count == dense->key_count &&
           channel->times[0] == dense->times[0] &&
           channel->times[channel->key_count - 1] == dense->times[dense->key_count - 1];
}

// The densest rotation: all that are keyed as it is are cleaned with it.
static const snChannel* find_dense(const snClip* clip) {
    const snChannel* dense = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const snChannel* channel = &clip->channels[i];
        if (channel->path == SN_PATH_ROTATION && (dense == NULL || channel->key_count > dense->key_count))
            dense = channel;
    }
    return dense;
}

static bool gather(sniClean* c) {
    const snChannel* dense = find_dense(c->clip);
    if (dense == NULL || dense->key_count < LEAST_KEYS || c->rate < LEAST_RATE) return true;
    c->turns = SNI_NEW_ARRAY(&c->memory, snChannel*, c->clip->channel_count);
    c->places = SNI_NEW_ARRAY(&c->memory, snChannel*, c->clip->channel_count);
    if (c->turns == NULL || c->places == NULL) return false;
    for (uint32_t i = 0; i < c->clip->channel_count; i++) {
        snChannel* channel = &c->clip->channels[i];
        if (!keyed_with(channel, dense)) continue;
        if (channel->path == SN_PATH_ROTATION) c->turns[c->turning++] = channel;
        if (channel->path == SN_PATH_TRANSLATION) c->places[c->moving++] = channel;
    }
    c->keys = dense->key_count;
    c->last = c->keys - 1;
    c->steps = SNI_NEW_ARRAY(&c->memory, float, (size_t)c->turning * c->keys);
    c->usual = SNI_NEW_ARRAY(&c->memory, float, (size_t)c->turning * c->keys);
    c->cuts = SNI_NEW_ARRAY(&c->memory, uint8_t, c->keys);
    return c->steps != NULL && c->usual != NULL && c->cuts != NULL;
}

static bool measure_size(sniClean* c) {
    uint32_t count = c->skeleton->joint_count;
    snMat4* world = SNI_NEW_ARRAY(&c->memory, snMat4, count);
    if (world == NULL) return false;
    sn_skeleton_world(c->skeleton, NULL, world);
    snBounds box = sn_bounds_empty();
    for (uint32_t j = 0; j < count; j++) box = sn_bounds_add(box, sn_mat4_translation(&world[j]));
    c->size = count > 0 ? sn_bounds_diagonal(box) : 0.0f;
    sni_free(&c->memory, world);
    return true;
}

static void clean_all(sniClean* c) {
    for (uint32_t i = 0; i < c->turning; i++) sni_clean_measure(c, i);
    sni_clean_references(c);
    // References that were bridged are gone from the steps of single joints.
    for (uint32_t i = 0; i < c->turning; i++) {
        sni_clean_measure(c, i);
        sni_clean_joint(c, i);
    }
    c->report->from = c->turns[0]->times[c->first];
    c->report->to = c->last + 1 == c->keys ? c->clip->duration : c->turns[0]->times[c->last];
}

snResult sn_clip_clean(const snSkeleton* skeleton, const snClip* clip, const snAllocator* allocator,
                       snClip** out, snCleanReport* report, snError* error) {
    if (skeleton == NULL || clip == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton, a clip and an output are needed");
    snCleanReport made = {.to = clip->duration};
    sniClean c = {.skeleton = skeleton,
                  .memory = sni_allocator(allocator),
                  .rate = sn_clip_rate(clip),
                  .report = &made};
    snClipDef def = sn_clip_def(clip);
    SNI_TRY(sn_clip_create(&def, skeleton->joint_count, &c.memory, &c.clip, error));
    snResult result = measure_size(&c) && gather(&c) ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK && c.turning > 0) clean_all(&c);
    if (result == SN_RESULT_OK) result = note_jerk(&c, clip, error);
    void* arrays[] = {c.turns, c.places, c.steps, c.usual, c.cuts};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&c.memory, arrays[i]);
    if (result != SN_RESULT_OK) {
        sn_clip_destroy(c.clip);
        return result;
    }
    if (report != NULL) *report = made;
    *out = c.clip;
    return SN_RESULT_OK;
}
