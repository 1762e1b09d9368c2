#include "gait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const PARTS[2] = {"Left", "Right"};
#define DEGREES (180.0f / SN_PI)

const char* gait_curve_name(GaitCurve curve) {
    static const char* const names[GAIT_CURVE_COUNT] = {"lead", "height", "trunk", "hip",
                                                        "knee", "ankle",  "arm",   "turn"};
    return names[curve];
}

// ------------------------------------------------------------------------------------------------- measures

static float along(const Gait* gait, snVec3 v) { return sn_dot(v, gait->forward); }

// Of a vector that hangs down, forward.
static float swing(const Gait* gait, snVec3 v) { return sn_atan2(along(gait, v), -v.y) * DEGREES; }

static float angle_between(snVec3 a, snVec3 b) { return sn_atan2(sn_length(sn_cross(a, b)), sn_dot(a, b)); }

float gait_value(const Gait* gait, GaitCurve curve, uint32_t frame, uint32_t side) {
    const GaitFrame* f = &gait->frames[frame];
    snVec3 up = sn_sub(f->neck, f->hips);
    switch (curve) {
    case GAIT_LEAD:
        return along(gait, sn_sub(f->hips, sn_lerp(f->ankle[0], f->ankle[1], 0.5f)));
    case GAIT_HEIGHT:
        return f->hips.y;
    case GAIT_TRUNK:
        return sn_atan2(along(gait, up), up.y) * DEGREES;
    case GAIT_HIP:
        return swing(gait, sn_sub(f->knee[side], f->hip[side]));
    case GAIT_KNEE:
        return angle_between(sn_sub(f->knee[side], f->hip[side]), sn_sub(f->ankle[side], f->knee[side])) *
               DEGREES;
    case GAIT_ANKLE:
        return (gait->sole -
                angle_between(sn_sub(f->knee[side], f->ankle[side]), sn_sub(f->toe[side], f->ankle[side]))) *
               DEGREES;
    case GAIT_ARM:
        return swing(gait, sn_sub(f->wrist[side], f->shoulder[side]));
    case GAIT_TURN: {
        snVec3 across = sn_sub(f->hip[0], f->hip[1]),
               left = sn_cross(sn_vec3(0.0f, 1.0f, 0.0f), gait->forward);
        return sn_atan2(along(gait, across), sn_dot(across, left)) * DEGREES;
    }
    default:
        return 0.0f;
    }
}

float gait_elbow(const GaitFrame* frame, uint32_t side) {
    return angle_between(sn_sub(frame->elbow[side], frame->shoulder[side]),
                         sn_sub(frame->wrist[side], frame->elbow[side])) *
           DEGREES;
}

snVec3 gait_mass_center(const GaitFrame* f) {
    snVec3 hips = sn_lerp(f->hip[0], f->hip[1], 0.5f), neck = sn_lerp(f->shoulder[0], f->shoulder[1], 0.5f);
    snVec3 sum = sn_add(sn_scale(sn_lerp(neck, hips, 0.5f), 0.497f), sn_scale(f->head, 0.081f));
    for (uint32_t s = 0; s < 2; s++) {
        sum = sn_add(sum, sn_scale(sn_lerp(f->shoulder[s], f->elbow[s], 0.436f), 0.028f));
        sum = sn_add(sum, sn_scale(sn_lerp(f->elbow[s], f->wrist[s], 0.682f), 0.022f)); // with the hand
        sum = sn_add(sum, sn_scale(sn_lerp(f->hip[s], f->knee[s], 0.433f), 0.1f));
        sum = sn_add(sum, sn_scale(sn_lerp(f->knee[s], f->ankle[s], 0.433f), 0.0465f));
        sum = sn_add(sum, sn_scale(sn_lerp(f->ankle[s], f->toe[s], 0.5f), 0.0145f));
    }
    return sum;
}

static float parted(const Gait* gait, uint32_t frame, uint32_t side) {
    const GaitFrame* f = &gait->frames[frame];
    return along(gait, sn_sub(f->ankle[side], f->ankle[1 - side]));
}

// The foot comes down about when it is furthest ahead of the other.
static bool strikes(const Gait* gait, uint32_t frame, uint32_t side) {
    uint32_t reach = (uint32_t)(0.2f * gait->fps);
    if (frame < reach || frame + reach >= gait->frame_count) return false;
    float here = parted(gait, frame, side);
    bool best = here > 0.2f * gait->leg;
    for (uint32_t k = frame - reach; k <= frame + reach && best; k++)
        best = k < frame ? parted(gait, k, side) < here : parted(gait, k, side) <= here;
    return best;
}

static uint32_t next_strike(const Gait* gait, uint32_t frame, uint32_t side) {
    for (; frame < gait->frame_count; frame++)
        if (strikes(gait, frame, side)) return frame;
    return SN_NONE;
}

static float between(const Gait* gait, GaitCurve curve, float at, uint32_t side) {
    uint32_t low = (uint32_t)at, high = low + 1 < gait->frame_count ? low + 1 : low;
    return sn_lerpf(gait_value(gait, curve, low, side), gait_value(gait, curve, high, side), at - (float)low);
}

static float knee_bend(const Gait* gait, uint32_t frame, uint32_t side) {
    return gait_value(gait, GAIT_KNEE, frame, side);
}

static void measure_strikes(const Gait* gait, uint32_t first, uint32_t last, GaitCycle* cycle) {
    uint32_t count = 0;
    for (uint32_t f = first; f <= last; f++) {
        for (uint32_t side = 0; side < 2; side++) {
            if (f > 0 && f + 1 < gait->frame_count) {
                float change = knee_bend(gait, f + 1, side) - 2.0f * knee_bend(gait, f, side) +
                               knee_bend(gait, f - 1, side);
                cycle->knee_speed_up = sn_maxf(cycle->knee_speed_up, fabsf(change) * gait->fps * gait->fps);
            }
            if (!strikes(gait, f, side)) continue;
            cycle->strike_lead += gait_value(gait, GAIT_LEAD, f, side);
            cycle->trailing_knee += knee_bend(gait, f, 1 - side);
            count++;
        }
    }
    if (count == 0) return;
    cycle->strike_lead /= (float)count;
    cycle->trailing_knee /= (float)count;
}

GaitCycle gait_cycle(const Gait* gait, float from, float to) {
    GaitCycle cycle = {0};
    uint32_t begin = next_strike(gait, (uint32_t)(from * gait->fps), 0), first = begin, last = begin;
    while (begin != SN_NONE && (float)begin <= to * gait->fps) {
        uint32_t end = next_strike(gait, begin + 1, 0);
        if (end == SN_NONE || (float)end > to * gait->fps) break;
        for (uint32_t c = 0; c < GAIT_CURVE_COUNT; c++)
            for (uint32_t s = 0; s < GAIT_SAMPLES; s++) {
                float at = sn_lerpf((float)begin, (float)end, (float)s / (float)(GAIT_SAMPLES - 1));
                cycle.curves[c][s] += between(gait, (GaitCurve)c, at, 0);
            }
        cycle.cycles++;
        cycle.seconds += (float)(end - begin) / gait->fps;
        cycle.stride += along(gait, sn_sub(gait->frames[end].hips, gait->frames[begin].hips));
        last = begin = end;
    }
    if (cycle.cycles == 0) return cycle;
    float share = 1.0f / (float)cycle.cycles;
    for (uint32_t c = 0; c < GAIT_CURVE_COUNT; c++)
        for (uint32_t s = 0; s < GAIT_SAMPLES; s++) cycle.curves[c][s] *= share;
    cycle.seconds *= share;
    cycle.stride *= share;
    measure_strikes(gait, first, last, &cycle);
    return cycle;
}

// ------------------------------------------------------------------------------------------------- sources

static Gait begin(uint32_t frames, float fps) {
    Gait gait = {.frames = calloc(frames, sizeof(GaitFrame)),
                 .frame_count = frames,
                 .fps = fps,
                 .forward = {0.0f, 0.0f, 1.0f}};
    assert_non_null(gait.frames);
    return gait;
}

void gait_destroy(Gait* gait) {
    free(gait->frames);
    gait->frames = NULL;
}

// As it stands: the foot's own angle, and the length of a leg.
static void stand(Gait* gait, const GaitFrame* rest) {
    gait->leg = sn_distance(rest->hip[0], rest->knee[0]) + sn_distance(rest->knee[0], rest->ankle[0]);
    gait->sole = angle_between(sn_sub(rest->knee[0], rest->ankle[0]), sn_sub(rest->toe[0], rest->ankle[0]));
    snVec3 way = sn_sub(gait->frames[gait->frame_count - 1].hips, gait->frames[0].hips);
    way.y = 0.0f;
    if (sn_length(way) > 0.5f * gait->leg) gait->forward = sn_scale(way, 1.0f / sn_length(way));
}

typedef snVec3 PlaceFn(const void* user, const char* name);

static snVec3 place_side(PlaceFn* place, const void* user, uint32_t side, const char* name) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", PARTS[side], name);
    return place(user, full);
}

static GaitFrame gather(PlaceFn* place, const void* user) {
    GaitFrame f = {.hips = place(user, "Hips"), .neck = place(user, "Neck"), .head = place(user, "Head")};
    for (uint32_t s = 0; s < 2; s++) {
        f.hip[s] = place_side(place, user, s, "UpperLeg");
        f.knee[s] = place_side(place, user, s, "LowerLeg");
        f.ankle[s] = place_side(place, user, s, "Foot");
        f.toe[s] = place_side(place, user, s, "Toes");
        f.shoulder[s] = place_side(place, user, s, "UpperArm");
        f.elbow[s] = place_side(place, user, s, "LowerArm");
        f.wrist[s] = place_side(place, user, s, "Hand");
    }
    return f;
}

// The body's own joints, carried by the handles of their names; toes without a handle by the foot's.
typedef struct Carried {
    const snSkeleton* skeleton;
    const snMat4* rest;
    const snHandles* handles;
    const snRigid* moves; // NULL: at rest
} Carried;

static snVec3 carried_place(const void* user, const char* name) {
    const Carried* c = user;
    uint32_t joint = sn_skeleton_find(c->skeleton, name), handle = sn_handles_find(c->handles, name);
    char foot[64];
    if (handle == SN_NONE) {
        snprintf(foot, sizeof foot, "%.*sFoot", name[0] == 'L' ? 4 : 5, name);
        handle = sn_handles_find(c->handles, foot);
    }
    assert_true(joint != SN_NONE && handle != SN_NONE);
    snVec3 at = sn_mat4_translation(&c->rest[joint]);
    return c->moves != NULL ? sn_rigid_point(c->moves[handle], at) : at;
}

static void read_examples(snDocument* document, const char* folder) {
    snNameList files = {0};
    snError error = sn_error_none();
    assert_ok(sn_folder_list(folder, ".snpose", NULL, &files, &error));
    for (uint32_t i = 0; i < files.count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, files.names[i]);
        assert_ok(sn_document_read_pose(document, path, NULL, 0, NULL, NULL, &error));
    }
    sn_name_list_free(&files);
}

static snDocument* open_rigged(const char* model, const char* rig, const char* examples) {
    snDocument* document = NULL;
    snError error = sn_error_none();
    snDocumentDef made = sn_document_def();
    assert_ok(sn_document_create(&made, NULL, &document, NULL));
    assert_ok(sn_document_open(document, model, NULL, &error));
    assert_ok(sn_document_read_handles(document, rig, NULL, 0, NULL, &error));
    read_examples(document, examples);
    return document;
}

Gait gait_of_path(const char* model, const char* rig, const char* examples, const char* path) {
    snError error = sn_error_none();
    snDocument* document = open_rigged(model, rig, examples);
    if (sn_document_set_path(document, path, NULL, 0, NULL, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    snHandlePlayer* player = NULL;
    assert_ok(sn_handle_player_create(document, NULL, &player, &error));
    snTakeDef plan = sn_take_def();
    sn_handle_player_plan(player, &plan);
    Gait gait = begin(plan.frames, plan.fps);
    const snSkeleton* skeleton = sn_document_model(document)->skeleton;
    snMat4* rest = calloc(skeleton->joint_count, sizeof *rest);
    sn_skeleton_world(skeleton, NULL, rest);
    Carried carried = {skeleton, rest, sn_document_handles(document), NULL};
    GaitFrame standing = gather(carried_place, &carried);
    for (uint32_t f = 0; f < plan.frames; f++) {
        snPathFrame frame;
        assert_ok(sn_handle_player_find(player, f, &frame));
        carried.moves = frame.handles;
        gait.frames[f] = gather(carried_place, &carried);
    }
    stand(&gait, &standing);
    for (uint32_t p = 0; p < sn_handle_player_path_count(player); p++) {
        snContactReport report = sn_handle_player_contact(player, p);
        gait.slide = sn_maxf(gait.slide, report.slide_max);
        gait.sunk = sn_maxf(gait.sunk, report.sunk_max);
    }
    free(rest);
    sn_handle_player_destroy(player);
    sn_document_destroy(document);
    return gait;
}

typedef struct Jointed {
    const snSkeleton* skeleton;
    const snMat4* world;
} Jointed;

static snVec3 jointed_place(const void* user, const char* name) {
    const Jointed* j = user;
    uint32_t joint = sn_skeleton_find(j->skeleton, name);
    assert_true(joint != SN_NONE);
    return sn_mat4_translation(&j->world[joint]);
}

Gait gait_of_motion(const char* motion) {
    snDocument* document = NULL;
    snSource* source = NULL;
    snError error = sn_error_none();
    snDocumentDef made = sn_document_def();
    assert_ok(sn_document_create(&made, NULL, &document, NULL));
    assert_ok(sn_document_open(document, "builtin:body", NULL, &error));
    assert_ok(sn_source_open(document, motion, NULL, &source, &error));
    snMotionDef def = sn_motion_def();
    assert_ok(sn_document_add_motion(document, source, &def, NULL, &error));
    const snModel* model = sn_document_model(document);
    const snSkeleton* skeleton = model->skeleton;
    const snClip* clip = model->clips[model->clip_count - 1];
    float fps = 30.0f; // as paths are played
    Gait gait = begin((uint32_t)(clip->duration * fps) + 1, fps);
    snTrs* locals = calloc(skeleton->joint_count, sizeof *locals);
    snMat4* world = calloc(skeleton->joint_count, sizeof *world);
    Jointed jointed = {skeleton, world};
    sn_skeleton_world(skeleton, NULL, world);
    GaitFrame standing = gather(jointed_place, &jointed);
    for (uint32_t f = 0; f < gait.frame_count; f++) {
        memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
        sn_clip_sample(clip, (float)f / fps, SN_WRAP_CLAMP, skeleton->joint_count, locals);
        sn_skeleton_world(skeleton, locals, world);
        gait.frames[f] = gather(jointed_place, &jointed);
    }
    stand(&gait, &standing);
    free(locals);
    free(world);
    sn_source_close(source);
    sn_document_destroy(document);
    return gait;
}

GaitMisses gait_misses(const char* model, const char* rig, const char* examples, const char* motion) {
    snError error = sn_error_none();
    snDocument* document = open_rigged(model, rig, examples);
    snSource* source = NULL;
    snPaths* paths = NULL;
    snHandlePlayer* player = NULL;
    snPathCaptureDef asked = sn_path_capture_def();
    assert_ok(sn_source_open(document, motion, NULL, &source, &error));
    assert_ok(sn_document_capture(document, source, &asked, NULL, &paths, &error));
    snHandlePlayerDef def = sn_handle_player_def();
    def.captured = paths;
    assert_ok(sn_handle_player_create(document, &def, &player, &error));
    snTakeDef plan = sn_take_def();
    sn_handle_player_plan(player, &plan);
    snPathFrame frame;
    for (uint32_t f = 0; f < plan.frames; f++) assert_ok(sn_handle_player_find(player, f, &frame));
    GaitMisses misses = {0.0f, 0.0f};
    for (uint32_t p = 0; p < sn_handle_player_path_count(player); p++) {
        const char* name =
            sn_document_handles(document)->handles[sn_handle_player_path_handle(player, p)].name;
        float miss = sn_handle_player_contact(player, p).distance_mean;
        if (strcmp(name, "Hips") == 0) misses.hips = miss;
        if (strstr(name, "Hand") != NULL || strstr(name, "Foot") != NULL)
            misses.ends = sn_maxf(misses.ends, miss);
    }
    sn_handle_player_destroy(player);
    sn_paths_destroy(paths);
    sn_source_close(source);
    sn_document_destroy(document);
    return misses;
}

static snVec3 part_place(const snHandles* handles, const snJointName* anatomy, const snRigid* moves,
                         const char* part) {
    uint32_t handle = sn_handles_find_part(handles, anatomy, part, NULL);
    assert_int_not_equal(handle, SN_NONE);
    snVec3 center = handles->handles[handle].center;
    return moves != NULL ? sn_rigid_point(moves[handle], center) : center;
}

// Of an arm without a hand the elbow counts, which is found in its place.
static float wrist_over_shoulder(const snHandles* handles, const snJointName* anatomy, const snRigid* moves,
                                 uint32_t side) {
    char shoulder[32], wrist[32];
    snprintf(shoulder, sizeof shoulder, "%sShoulder", PARTS[side]);
    snprintf(wrist, sizeof wrist, "%sWrist", PARTS[side]);
    float length =
        sn_distance(part_place(handles, anatomy, NULL, shoulder), part_place(handles, anatomy, NULL, wrist));
    snVec3 a = part_place(handles, anatomy, moves, shoulder), b = part_place(handles, anatomy, moves, wrist);
    return (b.y - a.y) / length;
}

GaitOther gait_of_other(const char* model, const char* examples, const char* path) {
    snDocument* document = NULL;
    snError error = sn_error_none();
    snDocumentDef made = sn_document_def();
    snMakeHandlesDef rig = sn_make_handles_def();
    assert_ok(sn_document_create(&made, NULL, &document, NULL));
    assert_ok(sn_document_open(document, model, NULL, &error));
    if (sn_document_model(document)->skeleton->joint_count > 1) rig.from = SN_HANDLES_FROM_SKELETON;
    assert_ok(sn_document_make_handles(document, &rig, NULL, &error));
    read_examples(document, examples);
    assert_ok(sn_document_set_path(document, path, NULL, 0, NULL, &error));
    snHandlePlayer* player = NULL;
    assert_ok(sn_handle_player_create(document, NULL, &player, &error));
    const snHandles* handles = sn_document_handles(document);
    snJointName* anatomy = calloc(handles->handle_count, sizeof *anatomy);
    assert_ok(sn_handles_anatomy(handles, NULL, anatomy));
    snTakeDef plan = sn_take_def();
    sn_handle_player_plan(player, &plan);
    GaitOther other = {.wrists = -INFINITY, .rise = -INFINITY};
    float ground = 0.0f;
    assert_ok(sn_document_ground(document, &ground, &error));
    other.legs = part_place(handles, anatomy, NULL, "LeftHip").y - ground;
    snVec3 first = {0.0f, 0.0f, 0.0f};
    for (uint32_t f = 0; f < plan.frames; f++) {
        snPathFrame frame;
        assert_ok(sn_handle_player_find(player, f, &frame));
        snVec3 hips = part_place(handles, anatomy, frame.handles, "Hips");
        if (f == 0) first = hips;
        other.travel = sn_distance(first, hips);
        other.rise = sn_maxf(other.rise, hips.y - first.y);
        for (uint32_t side = 0; side < 2; side++)
            other.wrists = sn_maxf(other.wrists, wrist_over_shoulder(handles, anatomy, frame.handles, side));
    }
    for (uint32_t p = 0; p < sn_handle_player_path_count(player); p++) {
        snContactReport report = sn_handle_player_contact(player, p);
        other.slide = sn_maxf(other.slide, report.slide_max);
        other.short_of = sn_maxf(other.short_of, report.stretch_max);
    }
    free(anatomy);
    sn_handle_player_destroy(player);
    sn_document_destroy(document);
    return other;
}
