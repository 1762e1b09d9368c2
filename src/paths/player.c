// Making a player of paths: headings, how feet stand, and the room for its frames.
#include "paths/player.h"
#include "base/error.h"
#include "base/memory.h"
#include "paths/path.h"

#define MOST_FRAMES 1000000u
#define MOST_RATE 1e4f
// Seconds that weights or travel may be averaged over.
#define LONGEST 5.0f
// Movement over the window that has a direction, of the model's size. Judged, not measured.
#define DIRECTED 0.02f
// Squared share of a direction that is level, below which it says nothing about where somebody faces. Judged.
#define TIPPED 0.1f
// Frames a second in which `change` is said, so that motion is the same at all rates.
#define CHANGE_RATE 30.0f

snPathPlayerDef sn_path_player_def(void) {
    snPathPlayerDef def = {0};
    def.search = SN_SEARCH_GRADIENT;
    def.objective = sn_objective();
    def.base = SN_NONE;
    def.change = 0.15f;
    def.fps = 30.0f;
    def.blend = 0.2f;
    def.smooth = 0.1f;
    def.steady = 0.5f;
    return def;
}

// ------------------------------------------------------------------------------------------------- creation

// Keys are targets; a handle that does not exist is for the caller to name.
static snResult check_places(const snPathDef* path, const snHandles* handles, snError* error) {
    snResult result = SN_RESULT_OK;
    for (uint32_t k = 0; k < path->key_count && path->handle < handles->handle_count; k++) {
        snPoseTarget target = {path->handle, path->point, path->keys[k].place, path->strength};
        if (result == SN_RESULT_OK) result = sn_pose_target_validate(&target, handles, error);
    }
    return result;
}

static snResult check_def(const snPathPlayerDef* def, snError* error) {
    if (def == NULL || def->handles == NULL || (def->poses == NULL && def->pose_count > 0) ||
        (def->paths == NULL && def->path_count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a player needs handles, poses and paths");
    if (def->path_count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "there is no path to follow");
    if (!(def->fps > 0.0f) || !sn_finite(def->fps) || !(def->duration >= 0.0f) || !(def->heading >= 0.0f) ||
        !(def->blend >= 0.0f) || !(def->smooth >= 0.0f && def->smooth <= LONGEST) ||
        !(def->steady >= 0.0f && def->steady <= LONGEST) || !(def->change >= 0.0f) ||
        !sn_finite(def->heading + def->blend) || !(def->fps <= MOST_RATE))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a player's rates or times are out of range");
    if (def->base != SN_NONE && def->base >= def->pose_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the base is pose %u of %u", def->base,
                        def->pose_count);
    if (def->search == SN_SEARCH_GRID && def->pose_count > 4)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "the full grid is for 4 examples at most, not %u",
                        def->pose_count);
    for (uint32_t i = 0; i < def->path_count; i++) {
        snError reason = sn_error_none();
        snResult result = sn_path_validate(&def->paths[i], &reason);
        if (result == SN_RESULT_OK) result = check_places(&def->paths[i], def->handles, &reason);
        if (result == SN_RESULT_OK && def->paths[i].handle >= def->handles->handle_count)
            return sni_fail(error, SN_RESULT_BAD_DATA, "path %u is for handle %u of %u", i,
                            def->paths[i].handle, def->handles->handle_count);
        if (result != SN_RESULT_OK) return sni_fail(error, result, "path %u: %s", i, reason.text);
    }
    snResult result = def->terrain != NULL ? sn_terrain_validate(def->terrain, error) : SN_RESULT_OK;
    return result == SN_RESULT_OK && def->mesh != NULL ? sn_handles_validate(def->handles, def->mesh, error)
                                                       : result;
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

// Mean of the targets that may say where the body is, or of all where none may.
static snVec3 mean_target(const snPathPlayer* player, float time) {
    snVec3 global = {0}, all = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        snVec3 at = sni_path_place(&player->paths->paths[i], sni_player_terrain(player), time).place;
        all = sn_add(all, at);
        if (!player->paths->paths[i].global) continue;
        global = sn_add(global, at);
        count++;
    }
    return count > 0 ? sn_scale(global, 1.0f / (float)count)
                     : sn_scale(all, 1.0f / (float)player->paths->path_count);
}

snQuat sni_player_yaw(snQuat turn, snQuat fallback) {
    snVec3 ahead = sn_quat_rotate(turn, sn_vec3(0.0f, 0.0f, 1.0f));
    if (ahead.x * ahead.x + ahead.z * ahead.z < TIPPED) return fallback;
    return sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), sn_atan2(ahead.x, ahead.z));
}

// Frames that go nowhere keep the direction of the one before, the first ones that of the first that does.
static void find_headings(snPathPlayer* player, float window) {
    float heading = 0.0f;
    uint32_t first = SN_NONE;
    for (uint32_t f = 0; f < player->frame_count && window > 0.0f; f++) {
        float time = sni_frame_time(player, f);
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

snQuat sni_player_heading(const snPathPlayer* player, float time) {
    float frame = sn_clampf(floorf(time * player->fps + 0.5f), 0.0f, (float)(player->frame_count - 1));
    return sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), player->headings[(uint32_t)frame]);
}

// The handle with the most followers.
static uint32_t carrier_of_all(const snPathPlayer* player) {
    uint32_t best = 0, most = 0;
    for (uint32_t h = 0; h < player->handles->handle_count; h++) {
        uint32_t total = 0;
        sn_handles_followers(player->handles, h, player->marks);
        for (uint32_t k = 0; k < player->handles->handle_count; k++) total += player->marks[k];
        if (total > most) {
            best = h;
            most = total;
        }
    }
    return best;
}

static bool find_limbs(snPathPlayer* player, const snMesh* mesh) {
    const snHandles* handles = player->handles;
    for (uint32_t i = 0; i < player->paths->path_count; i++)
        if (player->paths->paths[i].contact || player->paths->paths[i].reach > 0.0f)
            player->marks[player->paths->paths[i].handle] = 1;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sniTrack* track = &player->tracks[i];
        track->limb.parts = SNI_NEW_ARRAY(&player->allocator, uint8_t, handles->handle_count);
        track->stands = SNI_NEW_ARRAY(&player->allocator, sniStand, path->key_count);
        track->lifts = SNI_NEW_ARRAY(&player->allocator, float, player->frame_count);
        track->flatness = SNI_NEW_ARRAY(&player->allocator, float, 2 * (size_t)player->settle + 1);
        if (track->limb.parts == NULL || track->stands == NULL || track->lifts == NULL ||
            track->flatness == NULL)
            return false;
        uint8_t* marks = player->marks + handles->handle_count;
        sni_limb_find(handles, path->handle, player->marks, marks, &track->limb);
    }
    uint32_t body = carrier_of_all(player);
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sniTrack* track = &player->tracks[i];
        uint8_t* marks = player->marks + handles->handle_count;
        if (path->reach > 0.0f && !path->contact && track->limb.thigh == SN_NONE)
            sni_spine_find(handles, path->handle, body, player->marks, &track->spine);
        if (!path->contact || mesh == NULL) continue;
        sn_handles_followers(handles, path->handle, marks);
        sni_sole_find(handles, mesh, path->handle, marks, &track->sole);
        sni_sole_find_toes(handles, path->handle, marks, track->limb.parts, &track->sole);
    }
    return true;
}

static bool make_room(snPathPlayer* player, const snPathPlayerDef* def) {
    const snAllocator* memory = &player->allocator;
    size_t settle = player->settle, kept = 2 * (player->window + settle) + 1;
    uint32_t paths = def->path_count, poses = def->pose_count, handles = def->handles->handle_count;
    player->poses = sni_copy_array(memory, def->poses, poses, sizeof(const snHandlePose*));
    player->tracks = SNI_NEW_ARRAY(memory, sniTrack, paths);
    player->marks = SNI_NEW_ARRAY(memory, uint8_t, 2 * (size_t)handles);
    player->headings = SNI_NEW_ARRAY(memory, float, player->frame_count);
    player->lifts = SNI_NEW_ARRAY(memory, float, player->frame_count);
    player->targets = SNI_NEW_ARRAY(memory, snPoseTarget, (size_t)paths + 1);
    player->places = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->last_places = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->points = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->aim_points = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->aims = SNI_NEW_ARRAY(memory, snVec3, paths);
    player->last_positions = SNI_NEW_ARRAY(memory, snVec3, handles);
    player->resting = SNI_NEW_ARRAY(memory, bool, paths);
    player->weights = SNI_NEW_ARRAY(memory, float, poses);
    player->last_weights = SNI_NEW_ARRAY(memory, float, poses);
    player->far_weights = SNI_NEW_ARRAY(memory, float, poses);
    player->shown = SNI_NEW_ARRAY(memory, float, poses);
    player->found = SNI_NEW_ARRAY(memory, sniFound, kept);
    player->drops = SNI_NEW_ARRAY(memory, float, 2 * settle + 1);
    player->eased = SNI_NEW_ARRAY(memory, float, 2 * settle + 1);
    player->found_weights = SNI_NEW_ARRAY(memory, float, kept* poses);
    player->found_orders = SNI_NEW_ARRAY(memory, uint32_t, kept * poses);
    player->feet = SNI_NEW_ARRAY(memory, snRigid, paths);
    player->order = SNI_NEW_ARRAY(memory, uint32_t, poses);
    player->moves = SNI_NEW_ARRAY(memory, snRigid, handles);
    player->scratch = SNI_NEW_ARRAY(memory, uint8_t, sn_pose_space_scratch_size(player->space));
    return player->poses != NULL && player->tracks != NULL && player->marks != NULL &&
           player->headings != NULL && player->lifts != NULL && player->targets != NULL &&
           player->places != NULL && player->last_places != NULL && player->points != NULL &&
           player->aim_points != NULL && player->aims != NULL && player->last_positions != NULL &&
           player->resting != NULL && player->weights != NULL && player->last_weights != NULL &&
           player->far_weights != NULL && player->shown != NULL && player->found != NULL &&
           player->drops != NULL && player->eased != NULL && player->found_weights != NULL &&
           player->found_orders != NULL && player->feet != NULL && player->order != NULL &&
           player->moves != NULL && player->scratch != NULL && find_limbs(player, def->mesh);
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
    sni_player_find_stands(player);
    if (!sni_player_find_balance(player)) return sni_fail_memory(error);
    if (!sni_flight_find(player, def->mesh)) return sni_fail_memory(error);
    prepare_search(player, def);
    return sni_flight_rehearse(player);
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
    player->base = def->base;
    player->change = def->change * CHANGE_RATE / def->fps;
    player->fps = def->fps;
    player->blend = def->blend;
    player->smooth = def->smooth;
    player->steady = def->steady;
    player->window = (uint32_t)(sn_maxf(def->smooth, def->steady) * def->fps);
    player->settle = (uint32_t)(SNI_PLAYER_SETTLE * def->fps) + (uint32_t)(def->smooth * def->fps) + 1;
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
        sni_free(&memory, player->tracks[i].lifts);
        sni_free(&memory, player->tracks[i].flatness);
    }
    void* all[] = {player->poses,       player->heights,       player->tracks,         player->marks,
                   player->headings,    player->lifts,         player->targets,        player->places,
                   player->last_places, player->points,        player->last_positions, player->resting,
                   player->weights,     player->last_weights,  player->far_weights,    player->shown,
                   player->found,       player->found_weights, player->found_orders,   player->drops,
                   player->feet,        player->order,         player->moves,          player->scratch,
                   player->eased,       player->aim_points,    player->aims,           player->travel,
                   player->leans,       player->flights,       player->masses};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(&memory, all[i]);
    sn_paths_destroy(player->paths);
    sn_pose_space_destroy(player->space);
    sni_free(&memory, player);
}

uint32_t sn_path_player_frame_count(const snPathPlayer* player) { return player->frame_count; }
