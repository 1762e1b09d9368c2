// Plays paths (Hansen 2006, 7.6.2): targets, the handle that stands, the search, and the feet on the ground.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "limb.h"
#include "sinew/paths.h"

#define MOST_FRAMES 1000000u
// A target must move this much less than that of the standing handle to take over, of the model's size.
#define HYSTERESIS 1e-3f
// Energy that a pose further away must save before the player sets out for it.
#define WORTH 0.005f
// Movement over the window that has a direction, of the model's size.
#define DIRECTED 0.02f

// What a path has beside its keys.
typedef struct Track {
    sniLimb limb;   // of a contact
    snQuat* stands; // key_count: how the handle stands at each key that rests
    snVec3 set_down;
    bool resting; // in the last frame
    snContactReport report;
    double slide_sum, distance_sum;
} Track;

struct snPathPlayer {
    const snHandles* handles;
    uint32_t pose_count;
    const snHandlePose** poses;
    snPoseSpace* space;
    bool grounded; // there is a terrain
    snTerrain terrain;
    float* heights; // its map
    snPaths* paths;
    Track* tracks;
    uint8_t* marks;  // scratch of finding limbs, two rounds of handle_count
    float* headings; // frame_count; radians about +Y
    uint32_t frame_count, next;
    uint32_t standing, anchor; // paths: now, and of the search
    snVec3 lag;                // what is left of the move from one standing handle to another
    float lag_age;
    snPoseSearchJob job;
    float change; // of a weight in a frame
    float fps, blend, smooth;
    snPoseTarget* targets;
    snVec3 *places, *last_places, *points, *last_positions;
    bool* resting;
    float *weights, *last_weights, *far_weights; // of the search
    float *shown, *speeds;                       // weights that follow them
    uint32_t* order;
    snRigid* moves;
    void* scratch;
    snAllocator allocator;
};

snPathPlayerDef sn_path_player_def(void) {
    snPathPlayerDef def = {0};
    def.search = SN_SEARCH_GRADIENT;
    def.objective = sn_objective();
    def.change = 0.15f;
    def.fps = 30.0f;
    def.blend = 0.2f;
    def.smooth = 0.15f;
    return def;
}

// ------------------------------------------------------------------------------------------------- creation

static snResult check_def(const snPathPlayerDef* def, snError* error) {
    if (def == NULL || def->handles == NULL || (def->poses == NULL && def->pose_count > 0) ||
        (def->paths == NULL && def->path_count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a player needs handles, poses and paths");
    if (def->path_count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "there is no path to follow");
    if (!(def->fps > 0.0f) || !sn_finite(def->fps) || !(def->duration >= 0.0f) || !(def->heading >= 0.0f) ||
        !(def->blend >= 0.0f) || !(def->smooth >= 0.0f) || !(def->change >= 0.0f) ||
        !sn_finite(def->heading + def->blend + def->smooth))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a player's rates and times must be above 0");
    for (uint32_t i = 0; i < def->path_count; i++) {
        snError reason = sn_error_none();
        snResult result = sn_path_check(&def->paths[i], &reason);
        if (result == SN_RESULT_OK && def->paths[i].handle >= def->handles->handle_count)
            return sni_fail(error, SN_RESULT_BAD_DATA, "path %u is for handle %u of %u", i,
                            def->paths[i].handle, def->handles->handle_count);
        if (result != SN_RESULT_OK) return sni_fail(error, result, "path %u: %s", i, reason.text);
    }
    return def->terrain != NULL ? sn_terrain_check(def->terrain, error) : SN_RESULT_OK;
}

static snResult count_frames(const snPathPlayerDef* def, uint32_t* out, snError* error) {
    float duration = def->duration;
    for (uint32_t i = 0; i < def->path_count && def->duration <= 0.0f; i++) {
        const snPathKey* last = &def->paths[i].keys[def->paths[i].key_count - 1];
        duration = sn_maxf(duration, last->time + last->rest);
    }
    if (!(duration * def->fps < (float)MOST_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "the paths last for more than %u frames", MOST_FRAMES);
    *out = (uint32_t)(duration * def->fps + 1e-3f) + 1;
    return SN_RESULT_OK;
}

static float frame_time(const snPathPlayer* player, uint32_t frame) { return (float)frame / player->fps; }

static const snTerrain* terrain_of(const snPathPlayer* player) {
    return player->grounded ? &player->terrain : NULL;
}

// Mean of the targets that may say where the body is, or of all where none may.
static snVec3 mean_target(const snPathPlayer* player, float time) {
    snVec3 global = {0}, all = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        snVec3 at = sn_path_at(&player->paths->paths[i], terrain_of(player), time).place;
        all = sn_add(all, at);
        if (!player->paths->paths[i].global) continue;
        global = sn_add(global, at);
        count++;
    }
    return count > 0 ? sn_scale(global, 1.0f / (float)count)
                     : sn_scale(all, 1.0f / (float)player->paths->path_count);
}

// Frames that go nowhere keep the direction of the one before, the first ones that of the first that does.
static void find_headings(snPathPlayer* player, float window) {
    float heading = 0.0f;
    uint32_t first = SN_NONE;
    for (uint32_t f = 0; f < player->frame_count && window > 0.0f; f++) {
        float time = frame_time(player, f);
        snVec3 way = sn_sub(mean_target(player, time + window), mean_target(player, time - window));
        if (sqrtf(way.x * way.x + way.z * way.z) > DIRECTED * player->handles->size) {
            float turned = sn_atan2(way.x, way.z);
            // Count whole turns, so that nothing spins back where the angle wraps.
            if (first != SN_NONE) turned += 2.0f * SN_PI * floorf((heading - turned) / (2.0f * SN_PI) + 0.5f);
            heading = turned;
            if (first == SN_NONE) first = f;
        }
        player->headings[f] = heading;
    }
    for (uint32_t f = 0; first != SN_NONE && f < first; f++) player->headings[f] = player->headings[first];
}

static snQuat heading_at(const snPathPlayer* player, float time) {
    float frame = sn_clampf(floorf(time * player->fps + 0.5f), 0.0f, (float)(player->frame_count - 1));
    return sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), player->headings[(uint32_t)frame]);
}

// On the ground a handle stands as at rest, turned with the body and tilted with the ground.
static void find_stands(snPathPlayer* player) {
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        for (uint32_t k = 0; path->contact && k < path->key_count; k++) {
            snVec3 at = path->keys[k].place;
            snVec3 normal = sn_terrain_normal(terrain_of(player), at.x, at.z);
            snQuat tilt = sn_quat_between(sn_vec3(0.0f, 1.0f, 0.0f), normal);
            player->tracks[i].stands[k] = sn_quat_mul(tilt, heading_at(player, path->keys[k].time));
        }
    }
}

static bool find_limbs(snPathPlayer* player) {
    const snHandles* handles = player->handles;
    for (uint32_t i = 0; i < player->paths->path_count; i++)
        if (player->paths->paths[i].contact) player->marks[player->paths->paths[i].handle] = 1;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        Track* track = &player->tracks[i];
        track->limb.parts = SNI_NEW_ARRAY(&player->allocator, uint8_t, handles->handle_count);
        track->stands = SNI_NEW_ARRAY(&player->allocator, snQuat, path->key_count);
        if (track->limb.parts == NULL || track->stands == NULL) return false;
        sni_limb_find(handles, path->handle, player->marks, player->marks + handles->handle_count,
                      &track->limb);
    }
    return true;
}

static bool make_room(snPathPlayer* player, const snPathPlayerDef* def) {
    const snAllocator* memory = &player->allocator;
    uint32_t paths = def->path_count, poses = def->pose_count, handles = def->handles->handle_count;
    player->poses = sni_copy_array(memory, def->poses, poses, sizeof(const snHandlePose*));
    player->tracks = SNI_NEW_ARRAY(memory, Track, paths);
    player->marks = SNI_NEW_ARRAY(memory, uint8_t, 2 * (size_t)handles);
    player->headings = SNI_NEW_ARRAY(memory, float, player->frame_count);
    player->targets = SNI_NEW_ARRAY(memory, snPoseTarget, paths);
    player->places = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->last_places = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->points = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->last_positions = SNI_NEW_ARRAY(memory, snVec3, handles);
    player->resting = SNI_NEW_ARRAY(memory, bool, paths);
    player->weights = SNI_NEW_ARRAY(memory, float, poses);
    player->last_weights = SNI_NEW_ARRAY(memory, float, poses);
    player->far_weights = SNI_NEW_ARRAY(memory, float, poses);
    player->shown = SNI_NEW_ARRAY(memory, float, poses);
    player->speeds = SNI_NEW_ARRAY(memory, float, poses);
    player->order = SNI_NEW_ARRAY(memory, uint32_t, poses);
    player->moves = SNI_NEW_ARRAY(memory, snRigid, handles);
    player->scratch = SNI_NEW_ARRAY(memory, uint8_t, sn_pose_space_scratch_size(player->space));
    return player->poses != NULL && player->tracks != NULL && player->marks != NULL &&
           player->headings != NULL && player->targets != NULL && player->places != NULL &&
           player->last_places != NULL && player->points != NULL && player->last_positions != NULL &&
           player->resting != NULL && player->weights != NULL && player->last_weights != NULL &&
           player->far_weights != NULL && player->shown != NULL && player->speeds != NULL &&
           player->order != NULL && player->moves != NULL && player->scratch != NULL && find_limbs(player);
}

static bool copy_terrain(snPathPlayer* player, const snTerrain* terrain) {
    if (terrain == NULL) return true;
    player->grounded = true;
    player->terrain = *terrain;
    if (terrain->kind != SN_TERRAIN_MAP) return true;
    size_t count = (size_t)terrain->columns * terrain->rows;
    player->heights = sni_copy_array(&player->allocator, terrain->heights, count, sizeof(float));
    player->terrain.heights = player->heights;
    return player->heights != NULL;
}

static void prepare_search(snPathPlayer* player, const snPathPlayerDef* def) {
    snPoseSearchJob* job = &player->job;
    *job = sn_pose_search_job(player->space);
    job->search = def->search;
    job->objective = def->objective;
    job->order = def->order;
    job->target_count = def->path_count;
    job->targets = player->targets;
    job->weights = player->weights;
    job->out_order = player->order;
    job->scratch = player->scratch;
}

static snResult build(snPathPlayer* player, const snPathPlayerDef* def, snError* error) {
    snResult result = count_frames(def, &player->frame_count, error);
    if (result != SN_RESULT_OK) return result;
    snPoseSpaceDef space = {def->handles, def->pose_count, def->poses};
    result = sn_pose_space_create(&space, &player->allocator, &player->space, error);
    if (result == SN_RESULT_OK)
        result = sn_paths_copy(def->paths, def->path_count, &player->allocator, &player->paths, error);
    if (result != SN_RESULT_OK) return result;
    if (!make_room(player, def) || !copy_terrain(player, def->terrain)) return sni_fail_memory(error);
    find_headings(player, def->heading);
    find_stands(player);
    prepare_search(player, def);
    return SN_RESULT_OK;
}

snResult sn_path_player_create(const snPathPlayerDef* def, const snAllocator* allocator, snPathPlayer** out,
                               snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a place for the player is needed");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snPathPlayer* player = SNI_NEW(&memory, snPathPlayer);
    if (player == NULL) return sni_fail_memory(error);
    player->allocator = memory;
    player->handles = def->handles;
    player->pose_count = def->pose_count;
    player->change = def->change;
    player->fps = def->fps;
    player->blend = def->blend;
    player->smooth = def->smooth;
    result = build(player, def, error);
    if (result == SN_RESULT_OK)
        *out = player;
    else
        sn_path_player_destroy(player);
    return result;
}

void sn_path_player_destroy(snPathPlayer* player) {
    if (player == NULL) return;
    snAllocator memory = player->allocator;
    for (uint32_t i = 0; player->tracks != NULL && i < player->paths->path_count; i++) {
        sni_free(&memory, player->tracks[i].limb.parts);
        sni_free(&memory, player->tracks[i].stands);
    }
    void* all[] = {player->poses,        player->heights,        player->tracks,  player->marks,
                   player->headings,     player->targets,        player->places,  player->last_places,
                   player->points,       player->last_positions, player->resting, player->weights,
                   player->last_weights, player->far_weights,    player->shown,   player->speeds,
                   player->order,        player->moves,          player->scratch};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(&memory, all[i]);
    sn_paths_destroy(player->paths);
    sn_pose_space_destroy(player->space);
    sni_free(&memory, player);
}

uint32_t sn_path_player_frame_count(const snPathPlayer* player) { return player->frame_count; }

// --------------------------------------------------------------------------------------------------- frames

static void restart(snPathPlayer* player) {
    player->standing = player->anchor = SN_NONE;
    player->lag = sn_vec3(0.0f, 0.0f, 0.0f);
    player->lag_age = 0.0f;
    for (uint32_t p = 0; p < player->pose_count; p++) {
        player->weights[p] = player->speeds[p] = 0.0f;
        player->order[p] = p;
    }
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        Track* track = &player->tracks[i];
        track->report = (snContactReport){0};
        track->slide_sum = track->distance_sum = 0.0;
        track->resting = false;
    }
}

// Targets of a frame, and of the one before, `ahead` seconds later.
static void move_targets(snPathPlayer* player, uint32_t frame, float ahead) {
    float time = frame_time(player, frame) + ahead, before = frame > 0 ? time - 1.0f / player->fps : time;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        snPathPoint at = sn_path_at(path, terrain_of(player), time);
        player->last_places[i] = sn_path_at(path, terrain_of(player), before).place;
        player->places[i] = at.place;
        player->resting[i] = at.resting;
    }
}

static float movement(const snPathPlayer* player, uint32_t path) {
    return sn_distance(player->places[path], player->last_places[path]);
}

static uint32_t choose_standing(const snPathPlayer* player, uint32_t now) {
    uint32_t best = SN_NONE;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        if (!player->paths->paths[i].global) continue;
        if (best == SN_NONE || movement(player, i) < movement(player, best)) best = i;
    }
    bool stay = now != SN_NONE &&
                movement(player, now) <= movement(player, best) + HYSTERESIS * player->handles->size;
    return stay ? now : best;
}

static void place_targets(snPathPlayer* player, snQuat heading) {
    snQuat back = sn_quat_conjugate(heading);
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        snPoseTarget target = {path->handle, path->point, sn_quat_rotate(back, player->places[i]),
                               path->strength};
        player->targets[i] = target;
    }
}

// A straight leg lifts its foot by nothing at first, however it bends: what is near may be a trap. So the
// search also looks anywhere, and where that is worth it the weights set out for there, as fast as they may.
static snResult look_further(snPathPlayer* player, snPoseSearchJob job, snPoseSearchResult* found) {
    snPoseSearchResult far;
    uint32_t count = player->pose_count;
    memcpy(player->far_weights, player->last_weights, count * sizeof(float));
    float change = job.change;
    job.change = 0.0f;
    job.weights = player->far_weights;
    job.out_order = NULL;
    snResult result = sn_pose_search_run(&job, &far);
    found->evaluations += far.evaluations;
    if (result != SN_RESULT_OK || far.energy >= found->energy - WORTH) return result;
    for (uint32_t p = 0; p < count; p++) {
        float last = player->last_weights[p];
        player->weights[p] = sn_clampf(player->far_weights[p], last - change, last + change);
    }
    found->energy = sn_pose_energy(&job, player->weights, NULL);
    return SN_RESULT_OK;
}

static snResult search(snPathPlayer* player, uint32_t frame, snPoseSearchResult* out) {
    snPoseSearchJob job = player->job;
    bool first = frame == 0;
    float ahead = first ? 0.0f : player->smooth;
    move_targets(player, frame, ahead);
    player->anchor = choose_standing(player, player->anchor);
    place_targets(player, heading_at(player, frame_time(player, frame) + ahead));
    job.anchor = player->anchor;
    job.change = first ? 0.0f : player->change;
    job.last = first ? NULL : player->last_positions;
    memcpy(player->last_weights, player->weights, player->pose_count * sizeof(float));
    snResult result = sn_pose_search_run(&job, out);
    if (result != SN_RESULT_OK || job.change <= 0.0f) return result;
    return look_further(player, job, out);
}

// In the model's own space: what the next search compares with.
static void keep_positions(snPathPlayer* player) {
    sn_handle_poses_blend(player->handles, player->poses, player->weights, player->order, player->pose_count,
                          player->moves);
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        player->last_positions[h] = sn_rigid_point(player->moves[h], player->handles->handles[h].position);
}

// The weights that are shown follow as a critically damped spring does, solved exactly over a frame.
static void follow_weights(snPathPlayer* player, bool first) {
    if (first || player->smooth <= 0.0f) {
        memcpy(player->shown, player->weights, player->pose_count * sizeof(float));
        return;
    }
    float rate = 2.0f / player->smooth, step = 1.0f / player->fps;
    float fade = sn_exp(-rate * step);
    for (uint32_t p = 0; p < player->pose_count; p++) {
        float off = player->shown[p] - player->weights[p];
        float drive = player->speeds[p] + rate * off;
        player->shown[p] = sn_clampf(player->weights[p] + (off + drive * step) * fade, 0.0f, 1.0f);
        player->speeds[p] = (player->speeds[p] - drive * rate * step) * fade;
    }
}

// Where the body has to be for the point of a path's handle to be on its target.
static snVec3 carry(const snPathPlayer* player, snQuat heading, uint32_t path) {
    const snPathDef* def = &player->paths->paths[path];
    snVec3 point = sn_rigid_point(player->moves[def->handle], def->point);
    return sn_sub(player->places[path], sn_quat_rotate(heading, point));
}

// The body goes with the standing handle. When another takes over, the two disagree by as much as the pose
// misses its targets: that is taken back little by little.
static snRigid place_body(snPathPlayer* player, snQuat heading, uint32_t stood) {
    snRigid body = {heading, {0.0f, 0.0f, 0.0f}};
    if (player->standing == SN_NONE) return body;
    body.translation = carry(player, heading, player->standing);
    float left = player->blend > 0.0f ? 1.0f - sni_smooth_step(player->lag_age / player->blend) : 0.0f;
    if (stood != SN_NONE && stood != player->standing) {
        snVec3 before = sn_add(carry(player, heading, stood), sn_scale(player->lag, left));
        player->lag = sn_sub(before, body.translation);
        player->lag_age = 0.0f;
        left = player->blend > 0.0f ? 1.0f : 0.0f;
    }
    body.translation = sn_add(body.translation, sn_scale(player->lag, left));
    player->lag_age += 1.0f / player->fps;
    return body;
}

// How a foot is turned: as it stands while it rests, as the pose has it in the middle of a step.
static snQuat foot_rotation(const snPathPlayer* player, uint32_t i, float time, snQuat posed) {
    const snPathDef* path = &player->paths->paths[i];
    snPathPoint at = sn_path_at(path, terrain_of(player), time);
    float nearest = sn_minf(at.since, at.until);
    float span = sn_minf(player->blend, 0.5f * (at.since + at.until));
    if (nearest > 0.0f && !(nearest < span)) return posed;
    float when = at.since <= at.until ? time - at.since : time + at.until, least = INFINITY;
    uint32_t key = 0;
    for (uint32_t k = 0; k < path->key_count; k++) {
        if (path->keys[k].rest <= 0.0f) continue;
        float away = sn_maxf(path->keys[k].time - when, when - (path->keys[k].time + path->keys[k].rest));
        if (away < least) key = k;
        least = sn_minf(least, away);
    }
    if (nearest <= 0.0f) return player->tracks[i].stands[key];
    return sn_quat_slerp(posed, player->tracks[i].stands[key], 1.0f - sni_smooth_step(nearest / span));
}

static void hold_contacts(snPathPlayer* player, float time) {
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        if (!path->contact) continue;
        snRigid place = {foot_rotation(player, i, time, player->moves[path->handle].rotation),
                         {0.0f, 0.0f, 0.0f}};
        place.translation = sn_sub(player->places[i], sn_quat_rotate(place.rotation, path->point));
        float stretch = sni_limb_reach(player->handles, &player->tracks[i].limb, place, player->moves);
        snContactReport* report = &player->tracks[i].report;
        report->stretch_max = sn_maxf(report->stretch_max, stretch);
    }
}

static void measure(snPathPlayer* player, uint32_t frame) {
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        Track* track = &player->tracks[i];
        snVec3 point = sn_rigid_point(player->moves[path->handle], path->point);
        player->points[i] = point;
        float distance = sn_distance(point, player->places[i]);
        track->distance_sum += (double)distance;
        track->report.distance_max = sn_maxf(track->report.distance_max, distance);
        track->report.distance_mean = (float)(track->distance_sum / (double)(frame + 1));
        bool held = path->contact && player->resting[i];
        if (held && !track->resting) {
            track->set_down = point;
            track->report.contacts++;
        }
        track->resting = held;
        if (!held) continue;
        float slide = sn_distance(point, track->set_down);
        track->report.frames++;
        track->slide_sum += (double)slide;
        track->report.slide_max = sn_maxf(track->report.slide_max, slide);
        track->report.slide_mean = (float)(track->slide_sum / (double)track->report.frames);
    }
}

snResult sn_path_player_run(snPathPlayer* player, uint32_t frame, snPathFrame* out) {
    if (player == NULL || out == NULL || frame >= player->frame_count ||
        (frame != 0 && frame != player->next))
        return SN_RESULT_INVALID_ARGUMENT;
    float time = frame_time(player, frame);
    if (frame == 0) restart(player);
    snPathFrame made = {.time = time};
    snResult result = search(player, frame, &made.search);
    if (result != SN_RESULT_OK) return result;
    keep_positions(player);
    follow_weights(player, frame == 0);
    sn_handle_poses_blend(player->handles, player->poses, player->shown, player->order, player->pose_count,
                          player->moves);
    move_targets(player, frame, 0.0f);
    uint32_t stood = player->standing;
    made.standing = player->standing = choose_standing(player, stood);
    made.body = place_body(player, heading_at(player, time), stood);
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        player->moves[h] = sn_rigid_mul(made.body, player->moves[h]);
    hold_contacts(player, time);
    measure(player, frame);
    player->next = frame + 1;
    made.handles = player->moves;
    made.weights = player->shown;
    made.targets = player->places;
    made.points = player->points;
    made.resting = player->resting;
    *out = made;
    return SN_RESULT_OK;
}

snContactReport sn_path_player_report(const snPathPlayer* player, uint32_t path) {
    return player->tracks[path].report;
}
