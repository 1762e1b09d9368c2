// When feet stand in a clip that is there: by the rules of retargeting (contacts.c), on the skeleton's own.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/retarget.h"

#define RATE 60.0f         // frames a second that are looked at
#define MOST_FRAMES 36000u // ten minutes; of longer clips fewer a second

typedef struct Steps {
    const snSkeleton* skeleton;
    const snClip* clip;
    snAllocator memory;
    sniBody body;
    uint32_t frames;
    float rate;
    snTrs* locals;
    snMat4* world;
    snVec3* points;      // of one joint over time
    uint8_t* planted[2]; // frames, of each side
    uint8_t* low[2];     // frames in which the last joint that was looked at is low
    snContactSpans* spans;
    uint32_t room;
} Steps;

static bool create(Steps* s) {
    const snAllocator* memory = &s->memory;
    uint32_t joints = s->skeleton->joint_count;
    s->rate = RATE;
    if (s->clip->duration * s->rate > (float)MOST_FRAMES) s->rate = (float)MOST_FRAMES / s->clip->duration;
    s->frames = (uint32_t)(s->clip->duration * s->rate) + 1;
    s->locals = SNI_NEW_ARRAY(memory, snTrs, joints);
    s->world = SNI_NEW_ARRAY(memory, snMat4, joints);
    s->points = SNI_NEW_ARRAY(memory, snVec3, s->frames);
    bool enough = true;
    for (int side = 0; side < 2; side++) {
        s->planted[side] = SNI_NEW_ARRAY(memory, uint8_t, s->frames);
        s->low[side] = SNI_NEW_ARRAY(memory, uint8_t, s->frames);
        enough = enough && s->planted[side] != NULL && s->low[side] != NULL;
    }
    s->spans = SNI_NEW(memory, snContactSpans);
    if (s->spans != NULL) s->spans->allocator = *memory;
    return enough && s->locals != NULL && s->world != NULL && s->points != NULL && s->spans != NULL;
}

static bool add_span(Steps* s, uint32_t joint, uint32_t from, uint32_t to) {
    snContactSpans* spans = s->spans;
    if (spans->count == s->room) {
        uint32_t room = s->room > 0 ? 2 * s->room : 16;
        snContactSpan* grown = SNI_NEW_ARRAY(&s->memory, snContactSpan, room);
        if (grown == NULL) return false;
        if (spans->count > 0) memcpy(grown, spans->items, spans->count * sizeof *grown);
        sni_free(&s->memory, spans->items);
        spans->items = grown;
        s->room = room;
    }
    spans->items[spans->count++] = (snContactSpan){joint, (float)from / s->rate, (float)to / s->rate};
    return true;
}

static void follow(Steps* s, uint32_t joint) {
    for (uint32_t f = 0; f < s->frames; f++) {
        memcpy(s->locals, s->skeleton->rest, s->skeleton->joint_count * sizeof *s->locals);
        sn_clip_sample(s->clip, (float)f / s->rate, SN_WRAP_CLAMP, s->skeleton->joint_count, s->locals);
        sn_skeleton_world(s->skeleton, s->locals, s->world);
        s->points[f] =
            sn_quat_rotate(sn_quat_conjugate(s->body.frame), sn_mat4_translation(&s->world[joint]));
    }
}

// The ball first: it stays when the heel lifts.
static void find_stands(Steps* s, int side) {
    const snRole roles[2] = {SN_ROLE_TOES, SN_ROLE_FOOT};
    for (int i = 0; i < 2; i++) {
        uint32_t joint = s->body.first[roles[i]][SN_SIDE_LEFT + side];
        if (joint == SN_NONE) continue;
        follow(s, joint);
        float level = sni_contact_level(s->points, s->frames);
        sni_contact_mark(s->points, s->frames, s->rate, s->body.leg, level, SNI_PLANT_TIP, s->planted[side]);
        for (uint32_t f = 0; f < s->frames; f++)
            s->low[side][f] = sni_contact_low(s->points[f].y - level, s->body.leg);
    }
}

// In a walk in place feet glide over the ground and hardly ever stand: then low is all that can be asked.
static void find_glides(Steps* s) {
    uint32_t lows = 0, stands = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t f = 0; f < s->frames; f++) {
            lows += s->low[side][f];
            stands += s->planted[side][f] != SNI_PLANT_NONE ? 1 : 0;
        }
    if (!sni_contact_glides(stands, lows)) return;
    for (int side = 0; side < 2; side++) memcpy(s->planted[side], s->low[side], s->frames);
}

static bool list_stands(Steps* s, int side) {
    const uint8_t* planted = s->planted[side];
    for (uint32_t f = 0; f < s->frames;) {
        uint32_t end = f;
        while (end < s->frames && planted[end] != SNI_PLANT_NONE) end++;
        if (end > f && !add_span(s, s->body.first[SN_ROLE_FOOT][SN_SIDE_LEFT + side], f, end - 1))
            return false;
        f = end > f ? end : f + 1;
    }
    return true;
}

static bool find(Steps* s) {
    bool feet[2], enough = true;
    for (int side = 0; side < 2; side++) {
        feet[side] = s->body.first[SN_ROLE_FOOT][SN_SIDE_LEFT + side] != SN_NONE;
        if (feet[side]) find_stands(s, side);
    }
    find_glides(s);
    for (int side = 0; side < 2 && enough; side++) enough = !feet[side] || list_stands(s, side);
    return enough;
}

snResult sn_clip_contacts(const snSkeleton* skeleton, const snClip* clip, const snAllocator* allocator,
                          snContactSpans** out, snError* error) {
    if (skeleton == NULL || clip == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton, a clip and an output are needed");
    for (uint32_t c = 0; c < clip->channel_count; c++)
        if (clip->channels[c].joint >= skeleton->joint_count)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the clip belongs to another skeleton");
    Steps s = {.skeleton = skeleton, .clip = clip, .memory = sni_allocator(allocator)};
    snResult result = sni_body_create(&s.body, skeleton, &s.memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    bool enough = create(&s) && find(&s);
    if (enough)
        *out = s.spans;
    else
        sn_contact_spans_destroy(s.spans);
    void* arrays[] = {s.locals, s.world, s.points, s.planted[0], s.planted[1], s.low[0], s.low[1]};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&s.memory, arrays[i]);
    sni_body_destroy(&s.body, &s.memory);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

void sn_contact_spans_destroy(snContactSpans* spans) {
    if (spans == NULL) return;
    snAllocator memory = spans->allocator;
    sni_free(&memory, spans->items);
    sni_free(&memory, spans);
}
