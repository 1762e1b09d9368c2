// Where clips came from, as bytes.
#include "document.h"

void sni_motion_clear(sniMotion* motion, const snAllocator* memory) {
    for (uint32_t k = 0; k < 2 * motion->override_count && motion->overrides != NULL; k++)
        sni_free(memory, motion->overrides[k]);
    sni_free(memory, motion->overrides);
}

void sni_motions_free(sniMotion* motions, uint32_t count, const snAllocator* memory) {
    for (uint32_t i = 0; i < count && motions != NULL; i++) sni_motion_clear(&motions[i], memory);
    sni_free(memory, motions);
}

bool sni_motion_copy(const sniMotion* from, const snAllocator* memory, sniMotion* to) {
    *to = *from;
    to->overrides = SNI_NEW_ARRAY(memory, char*, 2 * (size_t)from->override_count);
    bool enough = to->overrides != NULL;
    for (uint32_t k = 0; k < 2 * from->override_count && enough; k++) {
        if (from->overrides[k] == NULL) continue;
        to->overrides[k] = sni_copy_text(memory, from->overrides[k]);
        enough = to->overrides[k] != NULL;
    }
    return enough;
}

snResult sni_motions_copy(const sniMotion* from, uint32_t count, const snAllocator* memory, sniMotion** out,
                          snError* error) {
    sniMotion* to = SNI_NEW_ARRAY(memory, sniMotion, count);
    bool enough = to != NULL;
    for (uint32_t i = 0; i < count && enough; i++) enough = sni_motion_copy(&from[i], memory, &to[i]);
    if (enough)
        *out = to;
    else
        sni_motions_free(to, to != NULL ? count : 0, memory);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

void sni_motions_put(const sniMotion* motions, uint32_t count, sniBytes* out) {
    if (count == 0) return;
    sni_put_u32(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const sniMotion* m = &motions[i];
        sni_put_u64(out, m->source);
        const uint32_t whole[7] = {m->source_clip, m->clip,           m->root,          m->feet,
                                   m->mirror,      m->more | m->loop, m->override_count};
        const float times[3] = {m->fps, m->from, m->to};
        sni_put_array(out, whole, 7, sizeof(uint32_t));
        sni_put_array(out, times, 3, sizeof(float));
        const float numbers[2] = {m->speed, m->floor};
        if (m->more & SNI_MOTION_NUMBERS) sni_put_array(out, numbers, 2, sizeof(float));
        for (uint32_t k = 0; k < 2 * m->override_count; k++) sni_put_text(out, m->overrides[k]);
    }
}

static bool get_motion(sniReader* reader, const snAllocator* memory, sniMotion* m, bool* enough) {
    *m = (sniMotion){.source = sni_take_u64(reader)};
    m->source_clip = sni_take_u32(reader);
    m->clip = sni_take_u32(reader);
    m->root = sni_take_below(reader, SN_ROOT_EXTRACT + 1);
    m->feet = sni_take_below(reader, 2) == 1;
    m->mirror = sni_take_below(reader, 2) == 1;
    m->more = sni_take_below(reader, SNI_MOTION_ALL + 1);
    m->loop = (m->more & 1u) != 0;
    m->more &= ~1u;
    uint32_t overrides = sni_take_u32(reader);
    m->fps = sni_take_float(reader);
    m->from = sni_take_float(reader);
    m->to = sni_take_float(reader);
    m->speed = m->more & SNI_MOTION_NUMBERS ? sni_take_float(reader) : 1.0f;
    m->floor = m->more & SNI_MOTION_NUMBERS ? sni_take_float(reader) : SN_FLOOR_AUTO;
    if (reader->failed || overrides > reader->size) return false;
    m->overrides = SNI_NEW_ARRAY(memory, char*, 2 * (size_t)overrides);
    *enough = m->overrides != NULL;
    m->override_count = *enough ? overrides : 0;
    for (uint32_t k = 0; k < 2 * m->override_count && *enough; k++) {
        const char* text = sni_take_text(reader);
        if (text != NULL) *enough = (m->overrides[k] = sni_copy_text(memory, text)) != NULL;
    }
    return *enough && !reader->failed;
}

snResult sni_motions_get(sniSlice bytes, const snAllocator* memory, sniMotion** out, uint32_t* out_count,
                         snError* error) {
    sniReader reader = {bytes.data, bytes.size, 0, false};
    uint32_t count = bytes.size > 0 ? sni_take_u32(&reader) : 0, made = 0;
    bool enough = true, right = !reader.failed && count <= bytes.size;
    sniMotion* motions = right ? SNI_NEW_ARRAY(memory, sniMotion, count) : NULL;
    enough = !right || motions != NULL;
    for (; made < count && right && enough; made++)
        right = get_motion(&reader, memory, &motions[made], &enough);
    if (right && enough && sni_reader_done(&reader)) {
        *out = motions;
        *out_count = count;
        return SN_RESULT_OK;
    }
    sni_motions_free(motions, made, memory);
    if (!enough) return sni_fail_memory(error);
    return sni_fail(error, SN_RESULT_BAD_DATA, "the stored motions are damaged");
}
