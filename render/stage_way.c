// The way that a character goes and which way it faces, so that the camera can go along and stand in front.
#include <math.h>

#include "base/memory.h"
#include "sinew/fit.h"
#include "sinew/retarget.h"
#include "stage_state.h"

// Points of the way a second, and how long a camera takes to notice a step. Judged.
#define RATE 16.0f
#define SMOOTH 8 // points to either side
#define MOST 8192
// A way longer than this part of the character's size is travelling; a dance on the spot is not. Judged.
#define TRAVELS 0.75f

void sn_stage_way_clear(snStage* stage) {
    sni_free(&stage->allocator, stage->way.points);
    stage->way = (snStageWay){.clip = SN_CLIP_REST, .focus = SN_NONE};
}

static void pose_joints(const snStage* stage, uint32_t clip, float time, snTrs* locals, snMat4* world) {
    const snSkeleton* skeleton = stage->model->skeleton;
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    if (clip != SN_CLIP_REST)
        sn_clip_sample(stage->model->clips[clip], time, SN_WRAP_CLAMP, skeleton->joint_count, locals);
    sn_skeleton_world(skeleton, locals, world);
}

// The middle of the joints that skins use, or of those that carry parts.
static snVec3 middle(const snModel* model, const snMat4* world) {
    double sum[3] = {0}, count = 0.0;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++, count += 1.0) {
            snVec3 p = sn_mat4_translation(&world[model->skins[s].joints[j]]);
            sum[0] += (double)p.x, sum[1] += (double)p.y, sum[2] += (double)p.z;
        }
    }
    for (uint32_t p = 0; p < model->part_count && model->skin_count == 0; p++, count += 1.0) {
        snVec3 at = sn_mat4_translation(&world[model->parts[p].joint]);
        sum[0] += (double)at.x, sum[1] += (double)at.y, sum[2] += (double)at.z;
    }
    double share = count > 0.0 ? 1.0 / count : 0.0;
    return sn_vec3((float)(sum[0] * share), (float)(sum[1] * share), (float)(sum[2] * share));
}

typedef struct Room {
    snTrs* locals;
    snMat4* world;
    snVec3* raw;
} Room;

static bool make_room(const snStage* stage, uint32_t points, Room* room) {
    uint32_t joints = stage->model->skeleton->joint_count;
    *room = (Room){SNI_NEW_ARRAY(&stage->allocator, snTrs, joints),
                   SNI_NEW_ARRAY(&stage->allocator, snMat4, joints),
                   SNI_NEW_ARRAY(&stage->allocator, snVec3, points)};
    return room->locals != NULL && room->world != NULL && room->raw != NULL;
}

static void free_room(const snStage* stage, Room* room) {
    sni_free(&stage->allocator, room->locals);
    sni_free(&stage->allocator, room->world);
    sni_free(&stage->allocator, room->raw);
}

static snVec3 smoothed(const snVec3* raw, uint32_t count, uint32_t at) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = -SMOOTH; k <= SMOOTH; k++) {
        int64_t i = (int64_t)at + k;
        sum = sn_add(sum, raw[i < 0 ? 0 : i >= (int64_t)count ? count - 1 : (uint32_t)i]);
    }
    return sn_scale(sum, 1.0f / (2 * SMOOTH + 1));
}

// Steps and jumps stay in the picture: heights count only where the way climbs by more than the size.
static void settle(snStageWay* way, const snVec3* raw, float size) {
    snBounds bounds = sn_bounds_of(raw, way->count);
    snVec3 span = sn_sub(bounds.max, bounds.min);
    bool climbs = span.y > size;
    for (uint32_t i = 0; i < way->count; i++) {
        way->points[i] = smoothed(raw, way->count, i);
        if (!climbs) way->points[i].y = way->points[0].y;
    }
    way->travels = climbs || sqrtf(span.x * span.x + span.z * span.z) > TRAVELS * size;
}

static uint32_t count_points(float seconds) {
    float wanted = seconds * RATE + 2.0f;
    return wanted < (float)MOST ? (uint32_t)wanted : MOST;
}

void sn_stage_way_find_frames(snStage* stage, const snBounds* frames, uint32_t count, float fps) {
    sn_stage_way_clear(stage);
    float seconds = (float)(count - 1) / fps;
    if (!(seconds > 0.0f)) return;
    uint32_t points = count_points(seconds);
    snVec3* raw = SNI_NEW_ARRAY(&stage->allocator, snVec3, points);
    snVec3* way = SNI_NEW_ARRAY(&stage->allocator, snVec3, points);
    if (raw != NULL && way != NULL) {
        stage->way = (snStageWay){.clip = SN_CLIP_REST,
                                  .focus = SN_NONE,
                                  .to = seconds,
                                  .count = points,
                                  .points = way,
                                  .carries = true};
        for (uint32_t i = 0; i < points; i++) {
            const snBounds* now = &frames[(uint64_t)i * (count - 1) / (points - 1)];
            raw[i] = sn_lerp(now->min, now->max, 0.5f);
        }
        snVec3 size = sn_sub(frames[0].max, frames[0].min);
        settle(&stage->way, raw, sn_maxf(size.x, sn_maxf(size.y, size.z)));
        way = NULL;
    }
    sni_free(&stage->allocator, way);
    sni_free(&stage->allocator, raw);
}

// Without memory the camera stays where it is.
void sn_stage_way_find(snStage* stage, uint32_t clip, float from, float to, float size) {
    sn_stage_way_clear(stage);
    if (stage->character == NULL || clip == SN_CLIP_REST || !(to > from)) return;
    uint32_t count = count_points(to - from);
    snVec3* points = SNI_NEW_ARRAY(&stage->allocator, snVec3, count);
    Room room;
    if (make_room(stage, count, &room) && points != NULL) {
        stage->way = (snStageWay){.clip = clip,
                                  .focus = SN_NONE,
                                  .from = from,
                                  .to = to,
                                  .count = count,
                                  .points = points,
                                  .carries = true};
        for (uint32_t i = 0; i < count; i++) {
            pose_joints(stage, clip, sn_lerpf(from, to, (float)i / (float)(count - 1)), room.locals,
                        room.world);
            room.raw[i] = middle(stage->model, room.world);
        }
        settle(&stage->way, room.raw, size);
        points = NULL;
    }
    sni_free(&stage->allocator, points);
    free_room(stage, &room);
}

snVec3 sn_stage_way_at(const snStage* stage, uint32_t clip, float time) {
    const snStageWay* way = &stage->way;
    if (way->count == 0 || clip != way->clip) return sn_vec3(0.0f, 0.0f, 0.0f);
    float duration = clip != SN_CLIP_REST ? stage->model->clips[clip]->duration : 0.0f;
    if (stage->wrap == SN_WRAP_LOOP && duration > 0.0f) time -= duration * floorf(time / duration);
    float at = sn_clampf((time - way->from) / (way->to - way->from), 0.0f, 1.0f) * (float)(way->count - 1);
    uint32_t i = (uint32_t)at < way->count - 1 ? (uint32_t)at : way->count - 2;
    return sn_sub(sn_lerp(way->points[i], way->points[i + 1], at - (float)i), way->points[0]);
}

// -------------------------------------------------------------------------------------------------- facing

// The joint that turns the body: its hips; SN_NONE: there are none.
static uint32_t hips_of(const snStage* stage) {
    const snSkeleton* skeleton = stage->model->skeleton;
    snLabel* labels = SNI_NEW_ARRAY(&stage->allocator, snLabel, skeleton->joint_count);
    uint32_t hips = SN_NONE;
    if (labels != NULL && sn_skeleton_label(skeleton, &stage->allocator, labels) == SN_RESULT_OK) {
        for (uint32_t j = skeleton->joint_count; j-- > 0;)
            if (labels[j].role == SN_ROLE_HIPS && labels[j].index == 0) hips = j;
    }
    sni_free(&stage->allocator, labels);
    return hips;
}

float sn_stage_facing(const snStage* stage, uint32_t clip, float from, float to) {
    snStance stance;
    Room room = {0};
    if (stage->character == NULL ||
        sn_skeleton_stance(stage->model->skeleton, &stage->allocator, &stance, NULL) != SN_RESULT_OK)
        return 0.0f;
    snVec3 rest = sn_axis_vector(stance.facing), sum = {0.0f, 0.0f, 0.0f}, first = rest;
    uint32_t hips = hips_of(stage);
    if (clip != SN_CLIP_REST && hips != SN_NONE && make_room(stage, 1, &room)) {
        enum { SAMPLES = 24 };
        sn_skeleton_world(stage->model->skeleton, NULL, room.world);
        snQuat back = sn_quat_conjugate(sn_quat_from_mat4(&room.world[hips]));
        for (int i = 0; i < SAMPLES; i++) {
            pose_joints(stage, clip, sn_lerpf(from, to, (float)i / (SAMPLES - 1)), room.locals, room.world);
            snQuat turn = sn_quat_mul(sn_quat_from_mat4(&room.world[hips]), back);
            snVec3 now = sn_quat_rotate(turn, rest);
            if (i == 0) first = now;
            sum = sn_add(sum, sn_scale(now, 1.0f / SAMPLES));
        }
        // One that turns round has no side that is its front all along: the first moment counts.
        if (sum.x * sum.x + sum.z * sum.z > 0.25f) first = sum;
    }
    free_room(stage, &room);
    return first.x * first.x + first.z * first.z > 1e-6f ? atan2f(first.x, first.z) : 0.0f;
}
