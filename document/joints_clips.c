// Clips whose joints hang on others than before: what moved in the world goes on moving so.
#include "joints.h"

// Keys a second where a motion has fewer of its own: two turns that each have one key at either end are no
// one turn together, so that between keys it has to be looked at. 30 is what motions are keyed with
// elsewhere.
#define LEAST_RATE 30.0f

typedef struct Hanging {
    const snSkeleton* from; // before
    const snSkeleton* to;
    uint32_t joint;
    bool* between; // joint_count; what its way in the world depends on in one of the two, and not in both
    snTrs* locals;
    snMat4* world;
    uint32_t key_count;
    float* times;
    float* values[3]; // by path: translations, rotations, scales
} Hanging;

static void free_hanging(Hanging* h, const snAllocator* memory) {
    void* all[] = {h->between, h->locals, h->world, h->times, h->values[0], h->values[1], h->values[2]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
}

static void find_between(Hanging* h) {
    uint32_t count = h->from->joint_count;
    for (uint32_t j = 0; j < count; j++) h->between[j] = false;
    for (uint32_t j = h->from->parents[h->joint]; j != SN_NONE; j = h->from->parents[j]) h->between[j] = true;
    for (uint32_t j = h->to->parents[h->joint]; j != SN_NONE; j = h->to->parents[j])
        h->between[j] = !h->between[j];
    h->between[h->joint] = true;
}

static bool is_moved(const Hanging* h, const snClip* clip) {
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (h->between[clip->channels[i].joint] && clip->channels[i].path != SN_PATH_MORPH) return true;
    return false;
}

static snResult make_keys(Hanging* h, const snClip* clip, const snAllocator* memory, snError* error) {
    static const uint32_t widths[3] = {3, 4, 3};
    float rate = sn_maxf(sn_clip_rate(clip), LEAST_RATE), frames = clip->duration * rate;
    if (!(frames < (float)SN_TAKE_MAX_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "the clip %s is too long to be keyed again", clip->name);
    uint32_t whole = (uint32_t)(frames + 1e-3f);
    h->key_count = whole + 1 + ((float)whole / rate < clip->duration - 1e-4f);
    h->times = SNI_NEW_ARRAY(memory, float, h->key_count);
    bool enough = h->times != NULL;
    for (int p = 0; p < 3; p++) {
        h->values[p] = SNI_NEW_ARRAY(memory, float, (size_t)h->key_count* widths[p]);
        enough = enough && h->values[p] != NULL;
    }
    if (!enough) return sni_fail_memory(error);
    for (uint32_t k = 0; k < h->key_count; k++) h->times[k] = (float)k / rate;
    h->times[h->key_count - 1] = sn_minf(h->times[h->key_count - 1], clip->duration);
    return SN_RESULT_OK;
}

static void sample(const Hanging* h, const snSkeleton* skeleton, const snClip* clip, float time) {
    memcpy(h->locals, skeleton->rest, skeleton->joint_count * sizeof *h->locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, skeleton->joint_count, h->locals);
    sn_skeleton_world(skeleton, h->locals, h->world);
}

static void set_key(const Hanging* h, const snClip* clip, uint32_t key) {
    uint32_t parent = h->to->parents[h->joint];
    snTrs local;
    sample(h, h->from, clip, h->times[key]);
    snMat4 goal = h->world[h->joint];
    sample(h, h->to, clip, h->times[key]);
    snMat4 back = parent != SN_NONE ? sni_inverse_of(&h->world[parent]) : sn_mat4_identity();
    snMat4 matrix = sn_mat4_mul(&back, &goal);
    sn_trs_from_mat4(&matrix, &local);
    float* rotation = h->values[SN_PATH_ROTATION] + (size_t)key * 4;
    memcpy(h->values[SN_PATH_TRANSLATION] + (size_t)key * 3, &local.translation, 3 * sizeof(float));
    memcpy(rotation, &local.rotation, 4 * sizeof(float));
    memcpy(h->values[SN_PATH_SCALE] + (size_t)key * 3, &local.scale, 3 * sizeof(float));
    float dot = 0.0f; // neighbours on the same half of the sphere, as files want them
    for (int i = 0; i < 4 && key > 0; i++) dot += rotation[i] * rotation[i - 4];
    for (int i = 0; i < 4 && dot < 0.0f; i++) rotation[i] = -rotation[i];
}

// All but what moved the joint, and that anew.
static snResult rekey(Hanging* h, const snClip* clip, const snAllocator* memory, snClip** out,
                      snError* error) {
    snClipDef def = sn_clip_def(clip);
    snChannel* channels = SNI_NEW_ARRAY(memory, snChannel, (size_t)clip->channel_count + 3);
    if (channels == NULL) return sni_fail_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].joint != h->joint || clip->channels[i].path == SN_PATH_MORPH)
            channels[count++] = clip->channels[i];
    for (int p = 0; p < 3; p++)
        channels[count++] = (snChannel){.joint = h->joint,
                                        .path = (snChannelPath)p,
                                        .interpolation = SN_INTERPOLATION_LINEAR,
                                        .key_count = h->key_count,
                                        .width = p == SN_PATH_ROTATION ? 4 : 3,
                                        .times = h->times,
                                        .values = h->values[p]};
    def.channels = channels;
    def.channel_count = count;
    snResult result = sn_clip_create(&def, h->to->joint_count, memory, out, error);
    sni_free(memory, channels);
    return result;
}

static snResult hang_clip(snModel* model, Hanging* h, uint32_t c, snError* error) {
    const snClip* clip = model->clips[c];
    snClip* made = NULL;
    SNI_TRY(make_keys(h, clip, &model->allocator, error));
    for (uint32_t k = 0; k < h->key_count; k++) set_key(h, clip, k);
    SNI_TRY(rekey(h, clip, &model->allocator, &made, error));
    sn_clip_destroy(model->clips[c]);
    model->clips[c] = made;
    return SN_RESULT_OK;
}

snResult sni_clips_hang(snModel* model, const snSkeleton* from, uint32_t joint, snError* error) {
    const snAllocator* memory = &model->allocator;
    uint32_t count = from->joint_count;
    Hanging h = {.from = from,
                 .to = model->skeleton,
                 .joint = joint,
                 .between = SNI_NEW_ARRAY(memory, bool, count),
                 .locals = SNI_NEW_ARRAY(memory, snTrs, count),
                 .world = SNI_NEW_ARRAY(memory, snMat4, count)};
    bool enough = h.between != NULL && h.locals != NULL && h.world != NULL;
    snResult result = enough ? SN_RESULT_OK : sni_fail_memory(error);
    if (enough) find_between(&h);
    for (uint32_t c = 0; c < model->clip_count && result == SN_RESULT_OK; c++) {
        if (!is_moved(&h, model->clips[c])) continue;
        result = hang_clip(model, &h, c, error);
        sni_free(memory, h.times);
        for (int p = 0; p < 3; p++) sni_free(memory, h.values[p]);
        h.times = h.values[0] = h.values[1] = h.values[2] = NULL;
    }
    free_hanging(&h, memory);
    return result;
}
