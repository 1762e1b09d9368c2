// Strips and keys of the timeline as bytes.
#include "document.h"

void sni_timeline_free(sniTimeline* timeline, const snAllocator* memory) {
    sni_free(memory, (void*)timeline->mix.name);
    sni_free(memory, (void*)timeline->mix.strips);
    sni_free(memory, (void*)timeline->mix.keys);
    *timeline = (sniTimeline){0};
}

bool sni_timeline_copy(const sniTimeline* from, const snAllocator* memory, sniTimeline* to) {
    *to = (sniTimeline){0};
    if (!from->there) return true;
    *to = *from;
    to->mix.name = sni_copy_text(memory, from->mix.name);
    to->mix.strips = sni_copy_array(memory, from->mix.strips, from->mix.strip_count, sizeof(snStrip));
    to->mix.keys = sni_copy_array(memory, from->mix.keys, from->mix.key_count, sizeof(snJointKey));
    if (to->mix.name != NULL && to->mix.strips != NULL && to->mix.keys != NULL) return true;
    sni_timeline_free(to, memory);
    return false;
}

// What there is of each strip and key in bytes, field by field.
enum { STRIP_FLOATS = 5, KEY_FLOATS = 8 };

void sni_timeline_put(const sniTimeline* timeline, sniBytes* out) {
    const snMixDef* mix = &timeline->mix;
    if (!timeline->there) return;
    sni_put_u32(out, timeline->clip);
    sni_put_u64(out, timeline->joints);
    sni_put_text(out, mix->name);
    sni_put_float(out, mix->fps);
    sni_put_float(out, mix->duration);
    sni_put_u32(out, mix->travel);
    sni_put_u32(out, mix->strip_count);
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        const snStrip* s = &mix->strips[i];
        const float floats[STRIP_FLOATS] = {s->start, s->from, s->to, s->speed, s->rounds};
        sni_put_u32(out, s->clip);
        sni_put_array(out, floats, STRIP_FLOATS, sizeof *floats);
    }
    sni_put_u32(out, mix->key_count);
    for (uint32_t i = 0; i < mix->key_count; i++) {
        const snJointKey* k = &mix->keys[i];
        const float floats[KEY_FLOATS] = {k->time,   k->turn.x, k->turn.y, k->turn.z,
                                          k->turn.w, k->move.x, k->move.y, k->move.z};
        sni_put_u32(out, k->joint);
        sni_put_array(out, floats, KEY_FLOATS, sizeof *floats);
    }
}

static void get_strips(sniReader* reader, snStrip* strips, uint32_t count) {
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        uint32_t clip = sni_take_u32(reader);
        const float* f = sni_take_floats(reader, STRIP_FLOATS);
        if (f != NULL) strips[i] = (snStrip){clip, f[0], f[1], f[2], f[3], f[4]};
    }
}

static void get_keys(sniReader* reader, snJointKey* keys, uint32_t count) {
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        uint32_t joint = sni_take_u32(reader);
        const float* f = sni_take_floats(reader, KEY_FLOATS);
        if (f != NULL)
            keys[i] = (snJointKey){joint, f[0], sn_quat(f[1], f[2], f[3], f[4]), sn_vec3(f[5], f[6], f[7])};
    }
}

snResult sni_timeline_get(sniSlice bytes, const snAllocator* memory, sniTimeline* out, snError* error) {
    if (bytes.size == 0) return SN_RESULT_OK;
    sniReader r = {bytes.data, bytes.size, 0, false};
    sniTimeline made = {.there = true, .clip = sni_take_u32(&r)};
    snMixDef* mix = &made.mix;
    made.joints = sni_take_u64(&r);
    const char* name = sni_take_text(&r);
    mix->fps = sni_take_float(&r);
    mix->duration = sni_take_float(&r);
    mix->travel = sni_take_below(&r, 2) == 1;
    mix->strip_count = sni_take_below(&r, SN_MIX_MAX_STRIPS + 1);
    snStrip* strips = r.failed ? NULL : SNI_NEW_ARRAY(memory, snStrip, mix->strip_count);
    bool enough = r.failed || strips != NULL;
    if (strips != NULL) get_strips(&r, strips, mix->strip_count);
    mix->key_count = sni_take_below(&r, SN_MIX_MAX_KEYS + 1);
    snJointKey* keys = r.failed || !enough ? NULL : SNI_NEW_ARRAY(memory, snJointKey, mix->key_count);
    enough = enough && (r.failed || keys != NULL);
    if (keys != NULL) get_keys(&r, keys, mix->key_count);
    mix->strips = strips;
    mix->keys = keys;
    bool right = enough && name != NULL && sni_reader_done(&r);
    if (right) mix->name = sni_copy_text(memory, name);
    if (right && mix->name != NULL) {
        *out = made;
        return SN_RESULT_OK;
    }
    sni_timeline_free(&made, memory);
    if (right || !enough) return sni_fail_memory(error);
    return sni_fail(error, SN_RESULT_BAD_DATA, "the stored timeline is damaged");
}
