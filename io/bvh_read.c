// Reading BVH.
//
// There is no standard, only habits; this reader takes what programs write. A joint's rotation is its
// rotation channels multiplied in the order the file lists them; position channels replace the offset. End
// sites become joints named "<parent>_end", so that the last bones have tips.
#include "gltf.h"
#include "motion.h"

#define CHANNELS_MAX 12

enum { CHANNEL_TURN_X = 3, CHANNEL_IGNORED = 6 }; // 0..2 are positions

typedef struct Channels {
    uint8_t count;
    uint8_t kinds[CHANNELS_MAX];
    bool turns, moves;
    bool end; // an end site: no channels, no children
} Channels;

typedef struct Reader {
    sniText text;
    const sniSource* source;
    sniMotion motion;
    sniList channels; // Channels, one per joint
    uint32_t current; // the joint whose block is open, SN_NONE outside
    bool opened;      // its '{' was there
    bool scaled;      // scale channels were ignored
    uint64_t value_count;
    float* values; // of one frame, value_count
} Reader;

static Channels* channels_of(const Reader* r, size_t joint) { return (Channels*)r->channels.items + joint; }

// --------------------------------------------------------------------------------------------- hierarchy

static snResult add_joint(Reader* r, const char* name, size_t length, const char* suffix, bool end) {
    Channels none = {.end = end};
    if (r->current != SN_NONE && (!r->opened || channels_of(r, r->current)->end)) {
        return sni_text_expected(&r->text, r->opened ? "OFFSET or }" : "{");
    }
    bool done = sni_motion_add(&r->motion, name, length, suffix, r->current, sn_vec3(0, 0, 0)) &&
                sni_list_push(&r->motion.allocator, &r->channels, &none, sizeof none);
    if (!done) return sni_fail_memory(r->text.error);
    r->current = (uint32_t)r->motion.joints.count - 1;
    r->opened = false;
    return SN_RESULT_OK;
}

// The rest of the line up to a brace; names may contain blanks.
static snResult read_joint(Reader* r) {
    sniText* text = &r->text;
    sni_text_blanks(text);
    const char* name = text->p;
    while (!sni_text_at_line_end(text) && *text->p != '{') text->p++;
    size_t length = (size_t)(text->p - name);
    while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t')) length--;
    if (length == 0) return sni_text_expected(text, "a joint's name");
    return add_joint(r, name, length, "", false);
}

static snResult read_end(Reader* r) {
    if (r->current == SN_NONE) return sni_text_fail(&r->text, "an end site is outside of any joint");
    while (!sni_text_at_line_end(&r->text) && *r->text.p != '{') r->text.p++; // "Site"
    const char* parent = sni_motion_name(&r->motion, r->current);
    return add_joint(r, parent, strlen(parent), "_end", true);
}

static snResult read_offset(Reader* r) {
    snVec3 offset = {0, 0, 0};
    SNI_TRY(sni_text_floats(&r->text, 3, &offset.x));
    offset = sn_scale(offset, r->source->def->unit);
    if (!sn_vec3_finite(offset)) return sni_text_fail(&r->text, "the offset does not fit a float");
    sni_motion_joint(&r->motion, r->current)->offset = offset;
    return SN_RESULT_OK;
}

static snResult read_channel(Reader* r, Channels* channels) {
    static const char* const words[] = {"xposition", "yposition", "zposition", "xrotation", "yrotation",
                                        "zrotation", "xscale",    "yscale",    "zscale"};
    sni_text_blanks(&r->text);
    for (uint8_t k = 0; k < 9; k++) {
        if (!sni_text_take(&r->text, words[k])) continue;
        channels->moves = channels->moves || k < CHANNEL_TURN_X;
        channels->turns = channels->turns || (k >= CHANNEL_TURN_X && k < CHANNEL_IGNORED);
        r->scaled = r->scaled || k >= CHANNEL_IGNORED;
        channels->kinds[channels->count++] = k < CHANNEL_IGNORED ? k : CHANNEL_IGNORED;
        return SN_RESULT_OK;
    }
    return sni_text_expected(&r->text, "a channel such as Xposition or Zrotation");
}

static snResult read_channels(Reader* r) {
    Channels* channels = channels_of(r, r->current);
    if (channels->end) return sni_text_fail(&r->text, "an end site has channels, expected only an OFFSET");
    if (channels->count > 0) return sni_text_fail(&r->text, "a joint has CHANNELS twice");
    uint64_t count = 0;
    SNI_TRY(sni_text_whole(&r->text, CHANNELS_MAX, &count));
    for (uint64_t i = 0; i < count; i++) SNI_TRY(read_channel(r, channels));
    r->value_count += count;
    return SN_RESULT_OK;
}

static snResult read_brace(Reader* r) {
    char brace = *r->text.p;
    if (r->current == SN_NONE || r->opened == (brace == '{')) {
        return sni_text_fail(&r->text, "there is a %c too many", brace);
    }
    r->text.p++;
    r->opened = true;
    if (brace == '}') r->current = sni_motion_joint(&r->motion, r->current)->parent;
    return SN_RESULT_OK;
}

static snResult read_block(Reader* r) {
    sniText* text = &r->text;
    if (*text->p == '{' || *text->p == '}') return read_brace(r);
    bool inside = r->current != SN_NONE;
    if (!inside && sni_text_take(text, "root")) return read_joint(r);
    if (inside && sni_text_take(text, "joint")) return read_joint(r);
    if (inside && sni_text_take(text, "end")) return read_end(r);
    if (inside && r->opened && sni_text_take(text, "offset")) return read_offset(r);
    if (inside && r->opened && sni_text_take(text, "channels")) return read_channels(r);
    return sni_text_expected(text, !inside      ? "ROOT or MOTION"
                                   : !r->opened ? "{"
                                                : "OFFSET, CHANNELS, JOINT, End Site or }");
}

static snResult read_hierarchy(Reader* r) {
    sniText* text = &r->text;
    sni_text_space(text);
    if (!sni_text_take(text, "hierarchy")) return sni_text_expected(text, "HIERARCHY");
    for (;;) {
        sni_text_space(text);
        if (text->p >= text->end) return sni_text_expected(text, r->current == SN_NONE ? "MOTION" : "}");
        if (r->current == SN_NONE && sni_text_take(text, "motion")) break;
        SNI_TRY(read_block(r));
    }
    if (r->motion.joints.count == 0) return sni_text_fail(text, "the hierarchy has no joints");
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ motion

// The frame's numbers become keys at once: a long take is never held twice.
static void store_frame(Reader* r, uint32_t frame) {
    const float* value = r->values;
    for (size_t j = 0; j < r->motion.joints.count; j++) {
        const Channels* channels = channels_of(r, j);
        float position[3] = {0, 0, 0};
        snVec3 offset = sni_motion_joint(&r->motion, j)->offset;
        bool placed[3] = {false, false, false};
        snQuat turn = sn_quat_identity();
        for (int c = 0; c < channels->count; c++, value++) {
            uint8_t kind = channels->kinds[c];
            if (kind < CHANNEL_TURN_X) {
                position[kind] = *value * r->source->def->unit;
                placed[kind] = true;
            } else if (kind < CHANNEL_IGNORED) {
                turn = sn_quat_mul(turn, sni_axis_turn(kind - CHANNEL_TURN_X, *value));
            }
        }
        sniTrack* track = &r->motion.tracks[j];
        if (channels->turns) track->rotations[frame] = sn_quat_normalize(turn);
        if (channels->moves) {
            track->translations[frame] =
                sn_vec3(placed[0] ? position[0] : offset.x, placed[1] ? position[1] : offset.y,
                        placed[2] ? position[2] : offset.z);
        }
    }
}

static snResult read_frame(Reader* r, uint32_t frame) {
    sniText* text = &r->text;
    sni_text_space(text);
    if (text->p >= text->end) {
        return sni_text_fail(text, "the file ends after %u of %u frames", frame, r->motion.frame_count);
    }
    uint64_t count = 0;
    for (sni_text_blanks(text); !sni_text_at_line_end(text); sni_text_blanks(text)) {
        float value = 0.0f;
        SNI_TRY(sni_text_float(text, &value));
        if (count < r->value_count) r->values[count] = value;
        count++;
    }
    if (count != r->value_count) {
        return sni_text_fail(text, "frame %u has %llu values, expected %llu", frame + 1,
                             (unsigned long long)count, (unsigned long long)r->value_count);
    }
    store_frame(r, frame);
    return SN_RESULT_OK;
}

// "Frames:" and the like: words with blanks between, then a colon that may stand alone.
static snResult take_label(sniText* text, const char* first, const char* second, const char* whole) {
    sni_text_space(text);
    for (int i = 0; i < 2; i++) {
        const char* word = i == 0 ? first : second;
        for (; word != NULL && *word != '\0'; word++, text->p++) {
            if (text->p >= text->end || (*text->p | 0x20) != *word) return sni_text_expected(text, whole);
        }
        sni_text_blanks(text);
    }
    if (text->p >= text->end || *text->p != ':') return sni_text_expected(text, whole);
    text->p++;
    return SN_RESULT_OK;
}

static snResult read_frame_count(Reader* r, uint64_t* frames) {
    sniText* text = &r->text;
    SNI_TRY(take_label(text, "frames", NULL, "Frames:"));
    SNI_TRY(sni_text_whole(text, INT32_MAX, frames));
    uint64_t count_line = text->line;
    SNI_TRY(take_label(text, "frame", "time", "Frame Time:"));
    SNI_TRY(sni_text_float(text, &r->motion.frame_time));
    float last = r->motion.frame_time * (float)*frames;
    if (*frames > 1 && (!(r->motion.frame_time > 0.0f) || !sn_finite(last))) {
        return sni_text_fail(text, "the frame time is %g s, expected above 0 and below infinity",
                             (double)r->motion.frame_time);
    }
    // A value takes two bytes or more: a claim beyond that is refused before anything is allocated.
    if (r->value_count > 0 && *frames > (sni_text_left(text) + 1) / (2 * r->value_count)) {
        text->line = count_line;
        return sni_text_fail(text, "there are %llu frames of %llu values, but only %zu bytes follow",
                             (unsigned long long)*frames, (unsigned long long)r->value_count,
                             sni_text_left(text));
    }
    return SN_RESULT_OK;
}

static snResult read_motion(Reader* r) {
    uint64_t frames = 0;
    SNI_TRY(read_frame_count(r, &frames));
    if (r->value_count == 0 || frames == 0) return SN_RESULT_OK;
    r->values = SNI_NEW_ARRAY(&r->motion.allocator, float, r->value_count);
    if (r->values == NULL || !sni_motion_tracks(&r->motion, (uint32_t)frames)) {
        return sni_fail_memory(r->text.error);
    }
    for (size_t j = 0; j < r->motion.joints.count; j++) {
        const Channels* channels = channels_of(r, j);
        if (!sni_motion_track(&r->motion, j, channels->turns, channels->moves)) {
            return sni_fail_memory(r->text.error);
        }
    }
    for (uint32_t f = 0; f < frames; f++) {
        SNI_TRY(read_frame(r, f));
        SNI_TRY(sni_text_tell(&r->text));
    }
    return SN_RESULT_OK;
}

static void write_notes(Reader* r) {
    snNotes* notes = r->source->def->notes;
    if (r->scaled) sni_note(notes, "scale channels were ignored");
    if (r->motion.tracks == NULL) sni_note(notes, "the motion has no frames or no channels");
    sni_text_space(&r->text);
    if (r->motion.tracks != NULL && r->text.p < r->text.end) {
        sni_note(notes, "what follows frame %u on line %llu was ignored", r->motion.frame_count,
                 (unsigned long long)r->text.line);
    }
}

snResult sni_bvh_read(const sniSource* source, snModel** out) {
    Reader reader = {.text = sni_text(source, 0),
                     .source = source,
                     .motion = sni_motion(&source->allocator),
                     .current = SN_NONE};
    snResult result = read_hierarchy(&reader);
    if (result == SN_RESULT_OK) result = read_motion(&reader);
    if (result == SN_RESULT_OK) result = sni_motion_model(&reader.motion, source, out);
    if (result == SN_RESULT_OK) write_notes(&reader);
    sni_motion_free(&reader.motion);
    sni_free(&source->allocator, reader.channels.items);
    sni_free(&source->allocator, reader.values);
    return result;
}
