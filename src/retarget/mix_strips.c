// Strips on a timeline: how much each counts, where it stands, and the pose that they make together.
#include "base/memory.h"
#include "retarget/loop_cut.h"
#include "retarget/mix.h"

#define WITHIN_PART 0.25f // of a strip that lies within another, over which it comes and goes
#define WITHIN_MOST 0.3f  // seconds
// The jump of a round is spread over its last moments: as loops are closed (snRetargetDef.loop_blend).
#define ROUND_BLEND 0.2f // seconds of the clip

// ------------------------------------------------------------------------------------------------- weights

static float smooth(float x) {
    x = sn_clampf(x, 0.0f, 1.0f);
    return x * x * (3.0f - 2.0f * x);
}

static float share(float way, float length) {
    return length > 0.0f ? smooth(way / length) : way < 0.0f ? 0.0f : 1.0f;
}

float sni_mix_weight(const sniMixStrip* strip, float time) {
    if (strip->none) return 0.0f;
    float begin = strip->gap ? strip->start - strip->in : strip->start;
    float weight = share(time - begin, strip->in);
    if (strip->out > 0.0f) weight *= 1.0f - smooth((time - strip->end + strip->out) / strip->out);
    return weight;
}

float sni_mix_clip_time(const sniMixStrip* strip, float time, uint32_t* out_round) {
    float length = strip->to - strip->from;
    float gone = (sn_clampf(time, strip->start, strip->end) - strip->start) * strip->speed;
    float last = strip->rounds - 1.0f;
    uint32_t round = 0, most = last > 0.0f ? (uint32_t)last + (last > (float)(uint32_t)last ? 1u : 0u) : 0u;
    if (length > 0.0f) round = (uint32_t)(gone / length);
    if (round > most) round = most; // the end of the last round is its end, not another beginning
    *out_round = round;
    return strip->from + sn_clampf(gone - (float)round * length, 0.0f, length);
}

// --------------------------------------------------------------------------------------------------- going

static sniGoing stay(void) { return (sniGoing){sn_quat_identity(), {0.0f, 0.0f, 0.0f}}; }

// b first.
static sniGoing go_on(sniGoing a, sniGoing b) {
    return (sniGoing){sn_quat_normalize(sn_quat_mul(a.turn, b.turn)),
                      sn_add(sn_quat_rotate(a.turn, b.way), a.way)};
}

static sniGoing go_back(sniGoing a) {
    snQuat turn = sn_quat_conjugate(a.turn);
    return (sniGoing){turn, sn_neg(sn_quat_rotate(turn, a.way))};
}

// Everything without a parent goes along.
static void carry(const sniMix* mix, sniGoing going, snTrs* locals) {
    for (uint32_t j = 0; j < mix->skeleton->joint_count; j++) {
        if (mix->skeleton->parents[j] != SN_NONE) continue;
        locals[j].rotation = sn_quat_normalize(sn_quat_mul(going.turn, locals[j].rotation));
        locals[j].translation = sn_add(sn_quat_rotate(going.turn, locals[j].translation), going.way);
    }
}

// Where the hips of a pose are over the ground, and which way they face, as the way there from the world's
// middle. Hips that face up or down have no heading.
static sniGoing stand_of(sniMix* mix, const snTrs* locals) {
    if (mix->hips == SN_NONE) return stay();
    sn_skeleton_world(mix->skeleton, locals, mix->world);
    snVec3 up = sn_quat_rotate(mix->body.frame, sn_vec3(0.0f, 1.0f, 0.0f));
    snVec3 ahead = sn_quat_rotate(mix->body.frame, sn_vec3(0.0f, 0.0f, 1.0f));
    snQuat rest = mix->body.rotations[mix->hips];
    snTrs now;
    sn_trs_from_mat4(&mix->world[mix->hips], &now);
    snQuat turn = sn_quat_mul(now.rotation, sn_quat_conjugate(rest));
    snVec3 faces = sn_quat_rotate(turn, ahead);
    faces = sn_sub(faces, sn_scale(up, sn_dot(faces, up)));
    snVec3 flat = sn_sub(now.translation, sn_scale(up, sn_dot(now.translation, up)));
    if (sn_length(faces) < 0.1f) return (sniGoing){sn_quat_identity(), flat};
    float angle = sn_atan2(sn_dot(up, sn_cross(ahead, faces)), sn_dot(ahead, faces));
    return (sniGoing){sn_quat_axis_angle(up, angle), flat};
}

// --------------------------------------------------------------------------------------------------- poses

static void sample(const sniMix* mix, const snClip* clip, float time, snTrs* out) {
    memcpy(out, mix->skeleton->rest, mix->skeleton->joint_count * sizeof *out);
    if (clip != NULL) sn_clip_sample(clip, time, SN_WRAP_CLAMP, mix->skeleton->joint_count, out);
}

// Part of the jump to the beginning of the round, which then comes without one.
static void close_round(const sniMix* mix, const sniMixStrip* strip, float part, snTrs* locals) {
    for (uint32_t j = 0; j < mix->skeleton->joint_count; j++) {
        const snTrs* jump = &strip->jump[j];
        snQuat turn = sn_quat_slerp(sn_quat_identity(), jump->rotation, part);
        locals[j].rotation = sn_quat_normalize(sn_quat_mul(locals[j].rotation, turn));
        locals[j].translation = sn_add(locals[j].translation, sn_scale(jump->translation, part));
        locals[j].scale = sn_add(locals[j].scale, sn_scale(jump->scale, part));
    }
}

// A strip's pose, where it stands.
static void pose_of(const sniMix* mix, const sniMixStrip* strip, float time, snTrs* out) {
    uint32_t round = 0;
    float at = sni_mix_clip_time(strip, time, &round);
    sample(mix, strip->clip, at, out);
    float blend = sn_minf(ROUND_BLEND, 0.5f * (strip->to - strip->from));
    bool more = (float)(round + 1) < strip->rounds;
    if (strip->jump != NULL && more && at > strip->to - blend)
        close_round(mix, strip, smooth((at - strip->to + blend) / blend), out);
    sniGoing going = stay();
    for (uint32_t k = 0; k < round; k++) going = go_on(strip->round, going);
    carry(mix, go_on(strip->at, going), out);
}

static void blend_poses(const sniMix* mix, const snTrs* over, float weight, snTrs* pose) {
    for (uint32_t j = 0; j < mix->skeleton->joint_count; j++) {
        pose[j].translation = sn_lerp(pose[j].translation, over[j].translation, weight);
        pose[j].rotation = sn_quat_slerp(pose[j].rotation, over[j].rotation, weight);
        pose[j].scale = sn_lerp(pose[j].scale, over[j].scale, weight);
    }
}

// Of the first `count` strips.
static void pose_strips(sniMix* mix, uint32_t count, float time, snTrs* out) {
    uint32_t base = count;
    while (base > 1 && sni_mix_weight(&mix->strips[base - 1], time) < 1.0f) base--;
    if (base == 0) return sample(mix, NULL, 0.0f, out);
    pose_of(mix, &mix->strips[base - 1], time, out);
    for (uint32_t i = base; i < count; i++) {
        float weight = sni_mix_weight(&mix->strips[i], time);
        if (!(weight > 0.0f)) continue;
        pose_of(mix, &mix->strips[i], time, mix->other);
        blend_poses(mix, mix->other, weight, out);
    }
}

void sni_mix_pose(sniMix* mix, float time) { pose_strips(mix, mix->strip_count, time, mix->pose); }

// ------------------------------------------------------------------------------------------------- placing

// How the strip comes in over those before it, of which the last ends at `covered`.
static void find_ends(sniMixStrip* strip, bool first, float covered) {
    float length = strip->end - strip->start;
    strip->in = strip->out = 0.0f;
    strip->gap = !first && covered <= strip->start;
    if (first) {
        strip->in = 0.0f;
    } else if (strip->gap) {
        strip->in = strip->start - covered;
    } else if (covered >= strip->end) {
        strip->in = strip->out = sn_minf(WITHIN_PART * length, WITHIN_MOST);
        strip->none = !(length > 0.0f);
    } else {
        strip->in = covered - strip->start;
    }
}

// From the end of a round to its beginning: where it goes over the ground, and what is left of the jump then.
static bool find_round(sniMix* mix, sniMixStrip* strip) {
    uint32_t count = mix->skeleton->joint_count;
    strip->round = stay();
    if (!(strip->rounds > 1.0f)) return true;
    sample(mix, strip->clip, strip->to, mix->pose);
    sample(mix, strip->clip, strip->from, mix->other);
    sniGoing end = stand_of(mix, mix->pose), begin = stand_of(mix, mix->other);
    bool travels = sn_distance(end.way, begin.way) > SNI_TRAVEL_PART * mix->body.height;
    if (travels && mix->def->travel) strip->round = go_on(end, go_back(begin));
    carry(mix, strip->round, mix->other);
    strip->jump = SNI_NEW_ARRAY(&mix->memory, snTrs, count);
    if (strip->jump == NULL) return false;
    for (uint32_t j = 0; j < count; j++) {
        const snTrs *from = &mix->pose[j], *to = &mix->other[j];
        strip->jump[j].rotation = sn_quat_mul(sn_quat_conjugate(from->rotation), to->rotation);
        strip->jump[j].translation = sn_sub(to->translation, from->translation);
        strip->jump[j].scale = sn_sub(to->scale, from->scale);
    }
    return true;
}

bool sni_mix_place(sniMix* mix) {
    float covered = 0.0f;
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        sniMixStrip* strip = &mix->strips[i];
        find_ends(strip, i == 0, covered);
        covered = sn_maxf(covered, strip->end);
        strip->at = stay();
        if (!find_round(mix, strip)) return false;
        if (i == 0 || !mix->def->travel) continue;
        pose_strips(mix, i, strip->start, mix->pose);
        sniGoing before = stand_of(mix, mix->pose);
        sample(mix, strip->clip, strip->from, mix->pose);
        strip->at = go_on(before, go_back(stand_of(mix, mix->pose)));
    }
    return true;
}
