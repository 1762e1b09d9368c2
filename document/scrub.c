// A clip at any moment as if it had been played up to there: flesh depends on all that was before, so states
// are kept on the way, and the nearest one is where playing begins again.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/document.h"

#define FIRST_INTERVAL 0.25f // seconds between kept states; doubled when there is no room for more

struct snScrub {
    snCharacter* character;
    uint32_t clip;
    snWrap wrap;
    float end;      // of the clip: rounds after the first are played, not kept
    float longest;  // seconds that one pose may move on without flesh taking it as a jump
    float interval; // state i is the one at i * interval
    float now;      // where the character is; below 0: elsewhere
    size_t state_size;
    uint32_t room, count;
    uint8_t* states;
    snAllocator allocator;
};

snResult sn_scrub_create(snCharacter* character, const snModel* model, uint32_t clip, snWrap wrap,
                         size_t memory_limit, const snAllocator* allocator, snScrub** out, snError* error) {
    if (clip != SN_CLIP_REST && clip >= model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no clip %u", clip);
    snAllocator memory = sni_allocator(allocator);
    snScrub* scrub = SNI_NEW(&memory, snScrub);
    if (scrub == NULL) return sni_fail_memory(error);
    const snSettings* settings = sn_character_settings(character);
    size_t size = sn_character_state_size(character);
    float end = clip == SN_CLIP_REST ? 0.0f : model->clips[clip]->duration;
    float states = floorf(end / FIRST_INTERVAL) + 1.0f;
    size_t room = size > 0 ? memory_limit / size : 1;
    *scrub = (snScrub){.character = character, .clip = clip, .wrap = wrap, .end = end};
    scrub->longest = fminf(1.0f / 15.0f, settings->step * (float)settings->max_steps);
    scrub->interval = FIRST_INTERVAL;
    scrub->now = -1.0f;
    scrub->state_size = size;
    scrub->room = (float)room < states ? (uint32_t)room : (uint32_t)states;
    if (scrub->room < 2) scrub->room = 2;
    scrub->allocator = memory;
    scrub->states = SNI_NEW_ARRAY(&memory, uint8_t, (size_t)scrub->room * size + 1);
    if (scrub->states == NULL) {
        sni_free(&memory, scrub);
        return sni_fail_memory(error);
    }
    *out = scrub;
    return SN_RESULT_OK;
}

void sn_scrub_destroy(snScrub* scrub) {
    if (scrub == NULL) return;
    snAllocator memory = scrub->allocator;
    sni_free(&memory, scrub->states);
    sni_free(&memory, scrub);
}

// Every second one goes.
static void thin(snScrub* scrub) {
    for (uint32_t i = 1; 2 * i < scrub->count; i++)
        memcpy(scrub->states + i * scrub->state_size, scrub->states + 2 * (size_t)i * scrub->state_size,
               scrub->state_size);
    scrub->count = (scrub->count + 1) / 2;
    scrub->interval *= 2.0f;
}

static float next_kept(const snScrub* scrub) { return (float)scrub->count * scrub->interval; }

static void keep(snScrub* scrub) {
    if (scrub->now > scrub->end || scrub->now != next_kept(scrub)) return;
    if (scrub->count == scrub->room) {
        thin(scrub);
        if (scrub->now != next_kept(scrub)) return;
    }
    sn_character_state_get(scrub->character, scrub->states + scrub->count * scrub->state_size);
    scrub->count++;
}

static snResult pose(snScrub* scrub, float time) {
    snResult result = sn_character_pose_clip(scrub->character, scrub->clip, time, scrub->wrap);
    scrub->now = result == SN_RESULT_OK ? time : -1.0f;
    return result;
}

// The character is at the beginning, or at the last kept state that is not behind `time`.
static snResult go_back(snScrub* scrub, float time) {
    if (scrub->count == 0) {
        sn_character_reset(scrub->character);
        snResult result = pose(scrub, 0.0f);
        if (result == SN_RESULT_OK) keep(scrub);
        return result;
    }
    float wanted = fminf(time / scrub->interval, (float)(scrub->count - 1));
    uint32_t i = (uint32_t)wanted;
    snResult result = sn_character_state_set(scrub->character, scrub->states + i * scrub->state_size,
                                             scrub->state_size, NULL);
    return result == SN_RESULT_OK ? pose(scrub, (float)i * scrub->interval) : result;
}

// Is a kept state nearer to `time` than where the character is?
static bool kept_is_nearer(const snScrub* scrub, float time) {
    if (scrub->now < 0.0f || scrub->now > time) return true;
    float last = (float)(scrub->count > 0 ? scrub->count - 1 : 0) * scrub->interval;
    return fminf(floorf(time / scrub->interval) * scrub->interval, last) > scrub->now;
}

snResult sn_scrub_pose(snScrub* scrub, float time, uint32_t poses, bool* out_there) {
    if (!(time >= 0.0f) || !isfinite(time)) return SN_RESULT_INVALID_ARGUMENT;
    snResult result = kept_is_nearer(scrub, time) ? go_back(scrub, time) : SN_RESULT_OK;
    bool fresh =
        scrub->now != time; // where it is already, it is posed once more: an edit may have changed it
    while (result == SN_RESULT_OK && scrub->now < time && poses > 0) {
        float next = fminf(time, scrub->now + scrub->longest);
        if (next_kept(scrub) > scrub->now && next_kept(scrub) <= scrub->end)
            next = fminf(next, next_kept(scrub));
        result = pose(scrub, next);
        if (result == SN_RESULT_OK) keep(scrub);
        poses--;
    }
    if (result == SN_RESULT_OK && !fresh) result = pose(scrub, time);
    if (result == SN_RESULT_OK) *out_there = scrub->now >= time;
    return result;
}

void sn_scrub_leave(snScrub* scrub) { scrub->now = -1.0f; }
