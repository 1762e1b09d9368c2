// A clip of one skeleton for another: the steps in order, and the clip that comes out.
#include "retarget/retarget.h"

#include "base/error.h"
#include "base/memory.h"
#include "rig/stretch.h"

// More frames than any motion has: beyond it times in single precision stop rising evenly.
#define MOST_FRAMES 1000000.0f

// Steps a second at least: feet touch down within one.
#define LEAST_RATE 60.0f

// From the ankle to the ball of the foot, in leg lengths, where no joint says. About a person's; not
// measured.
#define BALL_AHEAD 0.15f

snRetargetDef sn_retarget_def(void) {
    snRetargetDef def = {.to = SN_CLIP_END,
                         .motion_to = SN_CLIP_END,
                         .fps = 30.0f,
                         .root = SN_ROOT_KEEP,
                         .feet = true,
                         .limits = true,
                         .ground = true,
                         .floor = SN_FLOOR_AUTO,
                         .speed = 1.0f,
                         .loop_blend = 0.2f};
    return def;
}

static snResult check_def(const snRetargetDef* def, snError* error) {
    if (def->source == NULL || def->clip == NULL || def->target == NULL || def->map == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a source, its clip, a target and a map are needed");
    const snJointMap* map = def->map;
    if (map->source_count != def->source->joint_count || map->target_count != def->target->joint_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the map was made for other skeletons");
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        if (pair->source == SN_NONE) continue;
        if (pair->source >= map->source_count || (pair->from != SN_NONE && pair->from >= map->source_count) ||
            !(pair->share >= 0.0f && pair->share <= 1.0f)) {
            return sni_fail_joint(
                error, SN_RESULT_INVALID_ARGUMENT, j,
                "pair %u names a joint that the source does not have, or a share outside 0..1", j);
        }
    }
    if (!(def->fps >= 1.0f && def->fps <= 1000.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%g frames a second, expected 1 to 1000",
                        (double)def->fps);
    if (!(def->speed >= 0.01f && def->speed <= 100.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%g times as fast, expected 0.01 to 100",
                        (double)def->speed);
    if ((uint32_t)def->root > SN_ROOT_EXTRACT)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "unknown root motion %u", (uint32_t)def->root);
    if (def->loop && (!(def->loop_blend >= 0.0f) || !sn_finite(def->loop_blend)))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the loop's blend is %g s, expected 0 or more",
                        (double)def->loop_blend);
    return SN_RESULT_OK;
}

// The rate of the steps is the clip's own, or as often that as makes LEAST_RATE: what comes out is the same
// motion whatever rate was asked for, and keys of the source stay keys.
static float step_rate(const snClip* clip) {
    float rate = sn_clip_rate(clip);
    float times = (float)(uint32_t)(LEAST_RATE / rate);
    if (times * rate < 0.999f * LEAST_RATE) times += 1.0f;
    return rate * sn_maxf(times, 1.0f);
}

static snResult find_frames(sniRetarget* r, snError* error) {
    const snRetargetDef* def = r->def;
    float end = 0.0f, whole = 0.0f;
    SNI_TRY(sni_stretch_end(def->clip, def->from, def->to, &end, error));
    SNI_TRY(sni_stretch_end(def->clip, def->motion_from, def->motion_to, &whole, error));
    r->rate = step_rate(def->clip);
    r->from = sn_minf(def->from, def->motion_from);
    whole = sn_maxf(end, whole);
    float frames =
        sn_maxf((end - def->from) * def->fps / sn_minf(def->speed, 1.0f), (whole - r->from) * r->rate);
    if (!(frames < MOST_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "%g frames, expected fewer than %g", (double)frames,
                        (double)MOST_FRAMES);
    r->frames = (uint32_t)((whole - r->from) * r->rate + 0.5f) + 1;
    float last = (float)(r->frames - 1);
    r->begin = sn_minf((def->from - r->from) * r->rate, last);
    r->end = end < whole ? sn_clampf((end - r->from) * r->rate, r->begin, last) : last;
    if (def->loop && (end - def->from) * def->fps < 1.5f)
        return sni_fail(error, SN_RESULT_BAD_DATA, "%g seconds are too few for a loop",
                        (double)(end - def->from));
    // Unrolled, a loop is three times itself and two seconds.
    r->capacity = def->loop ? 3 * r->frames + 2 * (uint32_t)r->rate + 2 : r->frames;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- setup

// The joint of the other side with the same role and index; a joint in the middle is its own.
static void find_opposites(sniRetarget* r) {
    const sniBody* body = &r->source;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        const snLabel* label = &body->labels[j];
        r->opposite[j] = j;
        if (!r->def->mirror || label->side == SN_SIDE_NONE) continue;
        snSide side = label->side == SN_SIDE_LEFT ? SN_SIDE_RIGHT : SN_SIDE_LEFT;
        uint32_t other = sni_body_chain_joint(body, label->role, side, label->index);
        if (other != SN_NONE) r->opposite[j] = other;
    }
}

static void find_hips(sniRetarget* r) {
    r->hips = r->target.first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (r->hips == SN_NONE) return;
    r->source_hips = r->def->map->pairs[r->hips].source;
    if (r->source_hips == SN_NONE) r->hips = SN_NONE;
    r->scale = r->target.leg / r->source.leg;
    if (!sn_finite(r->scale) || !(r->scale > 0.0f)) r->scale = 1.0f;
}

// From the ankle to the ball of the foot.
static snVec3 foot_tip(const sniRetarget* r, uint32_t foot) {
    snVec3 end;
    if (sni_body_bone_end(&r->target, foot, &end))
        return sn_quat_rotate(sn_quat_conjugate(r->target.frame), sn_sub(end, r->target.tree.points[foot]));
    // A foot without an end still has a ball to roll over: on the ground, as far ahead as people's.
    float height = sni_body_point(&r->target, foot).y - r->target.ground;
    return sn_vec3(0.0f, -height, BALL_AHEAD * r->target.leg);
}

// The source's knuckles: the root of a finger, or what else follows the wrist.
static uint32_t hand_knuckles(const sniBody* body, snSide side) {
    static const snRole fingers[] = {SN_ROLE_MIDDLE, SN_ROLE_INDEX, SN_ROLE_RING, SN_ROLE_LITTLE};
    uint32_t hand = body->first[SN_ROLE_HAND][side];
    for (int f = 0; f < 5 && hand != SN_NONE; f++) {
        uint32_t next =
            f < 4 ? body->first[fingers[f]][side] : sni_body_chain_joint(body, SN_ROLE_HAND, side, 1);
        const snVec3* points = body->tree.points;
        if (next != SN_NONE && sn_distance(points[next], points[hand]) > 0.01f * body->height) return next;
    }
    return SN_NONE;
}

// From the wrist to the knuckles; nothing where they are not known.
static snVec3 hand_tip(const sniRetarget* r, uint32_t hand) {
    uint32_t next = SN_NONE; // of a front leg
    if (sni_body_walks_on_arms(&r->source))
        next = sni_body_chain_joint(&r->target, SN_ROLE_HAND, r->target.labels[hand].side, 1);
    snVec3 end = next != SN_NONE ? r->target.tree.points[next] : sn_vec3(0.0f, 0.0f, 0.0f);
    if (!sni_body_bone_end(&r->target, hand, &end) && next == SN_NONE) return sn_vec3(0.0f, 0.0f, 0.0f);
    return sn_quat_rotate(sn_quat_conjugate(r->target.frame), sn_sub(end, r->target.tree.points[hand]));
}

// The toes, or what else follows an animal's hock; people without toes stand on their ankles.
static uint32_t foot_toes(const sniBody* body, snSide side) {
    uint32_t foot = body->first[SN_ROLE_FOOT][side], toes = body->first[SN_ROLE_TOES][side];
    if (toes != SN_NONE || foot == SN_NONE || !sni_body_walks_on_arms(body)) return toes;
    return sni_tree_longest_child(&body->tree, foot);
}

static bool find_limb(sniRetarget* r, int s) {
    sniLimb* limb = &r->limbs[s];
    limb->hand = s >= SNI_FEET;
    limb->side = s % 2 == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
    limb->upper = r->target.first[limb->hand ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG][limb->side];
    limb->lower = r->target.first[limb->hand ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG][limb->side];
    limb->end = r->target.first[limb->hand ? SN_ROLE_HAND : SN_ROLE_FOOT][limb->side];
    limb->source_end = r->source.first[limb->hand ? SN_ROLE_HAND : SN_ROLE_FOOT][limb->side];
    limb->source_tip = limb->hand ? hand_knuckles(&r->source, limb->side) : foot_toes(&r->source, limb->side);
    limb->exists = r->hips != SN_NONE && limb->upper != SN_NONE && limb->lower != SN_NONE &&
                   limb->end != SN_NONE && limb->source_end != SN_NONE &&
                   r->def->map->pairs[limb->upper].source != SN_NONE;
    // How thick a hand is only its surface says.
    bool walks = sni_body_walks_on_arms(&r->source);
    if (limb->hand && !walks && (!r->def->ground || r->def->points == NULL)) limb->exists = false;
    if (!limb->exists) return true;
    limb->tip = limb->hand ? hand_tip(r, limb->end) : foot_tip(r, limb->end);
    limb->source_ends = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    limb->source_tips = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    limb->planted = SNI_NEW_ARRAY(&r->memory, uint8_t, r->capacity);
    limb->correction = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    limb->level = SNI_NEW_ARRAY(&r->memory, float, r->capacity);
    limb->front = SNI_NEW_ARRAY(&r->memory, float, r->capacity);
    limb->back = SNI_NEW_ARRAY(&r->memory, float, r->capacity);
    return limb->source_ends != NULL && limb->source_tips != NULL && limb->planted != NULL &&
           limb->correction != NULL && limb->level != NULL && limb->front != NULL && limb->back != NULL;
}

static snResult setup(sniRetarget* r, snError* error) {
    const snRetargetDef* def = r->def;
    snResult result = find_frames(r, error);
    if (result != SN_RESULT_OK) return result;
    result = sni_body_create(&r->source, def->source, &r->memory);
    if (result == SN_RESULT_OK) result = sni_body_create(&r->target, def->target, &r->memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    size_t count = def->target->joint_count;
    r->opposite = SNI_NEW_ARRAY(&r->memory, uint32_t, def->source->joint_count);
    r->attach = SNI_NEW_ARRAY(&r->memory, uint32_t, count);
    r->order = SNI_NEW_ARRAY(&r->memory, uint32_t, count);
    r->soles = SNI_NEW_ARRAY(&r->memory, uint8_t, count);
    r->align = SNI_NEW_ARRAY(&r->memory, snQuat, count);
    r->points = SNI_NEW_ARRAY(&r->memory, snVec3, count);
    r->turns = SNI_NEW_ARRAY(&r->memory, snQuat, count * r->capacity);
    r->hips_path = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    r->travel = SNI_NEW_ARRAY(&r->memory, snVec3, r->frames);
    r->body_low = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->ankle_low = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->toe_low = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->hand_low = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->foot_up = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->body_up = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->down = SNI_NEW_ARRAY(&r->memory, uint8_t, r->capacity);
    r->trunk_low = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->trunk_high = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->upright = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    r->lying = SNI_NEW_ARRAY(&r->memory, float, r->capacity);
    if (r->opposite == NULL || r->attach == NULL || r->order == NULL || r->soles == NULL ||
        r->align == NULL || r->points == NULL || r->turns == NULL || r->hips_path == NULL ||
        r->travel == NULL || r->body_low == NULL || r->ankle_low == NULL || r->toe_low == NULL ||
        r->hand_low == NULL || r->foot_up == NULL || r->body_up == NULL || r->down == NULL ||
        r->trunk_low == NULL || r->trunk_high == NULL || r->upright == NULL || r->lying == NULL)
        return sni_fail_memory(error);
    r->scale = 1.0f;
    find_opposites(r);
    find_hips(r);
    for (int s = 0; s < SNI_LIMBS; s++)
        if (!find_limb(r, s)) return sni_fail_memory(error);
    sni_legs_create(r);
    sni_retarget_attach(r);
    sni_legs_soles(r);
    if (!sni_ground_create(r)) return sni_fail_memory(error);
    if (!sni_retarget_planes(r)) return sni_fail_memory(error);
    sni_retarget_rest(r);
    if (!sni_fingers_create(r)) return sni_fail_memory(error);
    return SN_RESULT_OK;
}

static void release(sniRetarget* r) {
    void* arrays[] = {r->opposite,   r->attach,   r->order,     r->soles,   r->align,    r->points,
                      r->curls,      r->turns,    r->hips_path, r->travel,  r->body_low, r->ankle_low,
                      r->toe_low,    r->hand_low, r->foot_up,   r->body_up, r->down,     r->trunk_low,
                      r->trunk_high, r->upright,  r->lying};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&r->memory, arrays[i]);
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* limb = &r->limbs[s];
        void* theirs[] = {limb->source_ends, limb->source_tips, limb->planted, limb->correction,
                          limb->level,       limb->front,       limb->back};
        for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) sni_free(&r->memory, theirs[i]);
    }
    sni_free(&r->memory, r->ground);
    sni_free(&r->memory, r->radius);
    sni_free(&r->memory, r->branches);
    sni_body_destroy(&r->source, &r->memory);
    sni_body_destroy(&r->target, &r->memory);
}

// ----------------------------------------------------------------------------------------------------- all

static snResult run_steps(sniRetarget* r, snClip** out, snRetargetReport* report, snError* error) {
    if (!sni_retarget_sample(r)) return sni_fail_memory(error);
    if (r->def->limits) {
        float* twists = SNI_NEW_ARRAY(&r->memory, float, r->frames);
        if (twists == NULL) return sni_fail_memory(error);
        sni_retarget_limit_twists(r, twists);
        sni_free(&r->memory, twists);
    }
    // What stands is seen before a seam is blended, which moves feet that stand.
    sni_retarget_contacts(r);
    sni_supports_source(r);
    // Before the feet: they are held on the motion that will be seen, seam and all.
    if (r->def->loop && !sni_retarget_loop(r, &report->loop)) return sni_fail_memory(error);
    if (!sni_retarget_feet(r, report)) return sni_fail_memory(error);
    uint32_t root = sni_retarget_root(r);
    if (!sni_retarget_travel(r, root)) return sni_fail_memory(error);
    report->limited = r->limited;
    report->scale = r->scale;
    report->height = r->target.height;
    report->root_extracted = root != SN_NONE && r->def->root == SN_ROOT_EXTRACT;
    if (!sni_retarget_resample(r)) return sni_fail_memory(error);
    report->frames = r->frames;
    return sni_retarget_write(r, root, out, error);
}

snResult sn_retarget_clip(const snRetargetDef* def, const snAllocator* allocator, snClip** out,
                          snRetargetReport* report, snError* error) {
    if (def == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a Def and an output are needed");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    sniRetarget r = {.def = def, .memory = sni_allocator(allocator), .hips = SN_NONE};
    snRetargetReport measured = {0};
    snClip* clip = NULL;
    result = setup(&r, error);
    if (result == SN_RESULT_OK) result = run_steps(&r, &clip, &measured, error);
    release(&r);
    if (result != SN_RESULT_OK) return result;
    if (report != NULL) *report = measured;
    *out = clip;
    return SN_RESULT_OK;
}
