// Playing paths (Hansen 2006, 7.6.2): targets, the handle that stands, the search, the body smoothed over
// what was found before and after, and the feet on the ground.
#include "base/error.h"
#include "base/memory.h"
#include "paths/path.h"
#include "paths/player.h"

// All chosen by eye on films of the scenes of `scripts/handle_figures.sh`.

// A target must move this much less than that of the standing handle to take over, of the model's size.
#define HYSTERESIS 1e-3f
// Energy that a pose further away must save before the player sets out for it.
#define WORTH 0.005f
// How fast the body may start to come down for its legs, metres a second squared.
#define GENTLE 7.0f
#define ROUNDS 4u

static void restart(snPathPlayer* player) {
    player->anchor = SN_NONE;
    player->hang = sn_vec3(0.0f, 0.0f, 0.0f);
    player->searched = player->settled = player->eased_count = 0;
    for (uint32_t p = 0; p < player->pose_count; p++) {
        player->weights[p] = 0.0f;
        player->order[p] = p;
    }
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        sniTrack* track = &player->tracks[i];
        track->report = (snContactReport){0};
        track->slide_sum = track->distance_sum = 0.0;
        track->resting = false;
        track->stretch = 0.0f;
    }
}

// Whether the body hangs on that path alone, and on no foot: it is then exactly where the path has it. Among
// several it goes from one to the other, which must not be seen.
static bool leads(const snPathPlayer* player, uint32_t standing) {
    if (standing == SN_NONE || player->paths->paths[standing].contact) return false;
    for (uint32_t i = 0; i < player->paths->path_count; i++)
        if (i != standing && player->paths->paths[i].global) return false;
    return true;
}

static bool turns_body(const snPathPlayer* player, uint32_t standing) {
    return leads(player, standing) && player->paths->paths[standing].turns != NULL;
}

// How the body is turned: as the path says that it hangs on, else where it goes.
static snQuat body_turn(const snPathPlayer* player, uint32_t standing, uint32_t frame) {
    float time = sni_frame_time(player, frame);
    if (turns_body(player, standing)) return sni_path_turn(&player->paths->paths[standing], time);
    return sni_player_heading(player, time);
}

// --------------------------------------------------------------------------------------------------- search

// Targets of a frame, and of the one before.
static void move_targets(snPathPlayer* player, uint32_t frame) {
    float time = sni_frame_time(player, frame), before = sni_frame_time(player, frame > 0 ? frame - 1 : 0);
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        snPathPoint at = sni_path_place(path, sni_player_terrain(player), time);
        player->last_places[i] = sni_path_place(path, sni_player_terrain(player), before).place;
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

static void place_targets(snPathPlayer* player, uint32_t frame, snQuat heading) {
    snQuat back = sn_quat_conjugate(heading);
    snVec3 origin = player->balanced ? player->travel[frame] : sn_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sni_player_aim(player, i, frame, &player->aim_points[i], &player->aims[i]);
        snPoseTarget target = {path->handle, player->aim_points[i],
                               sn_quat_rotate(back, sn_sub(player->aims[i], origin)), path->strength};
        player->targets[i] = target;
    }
}

// A body that flies, or is about to, has a place of its own: the trunk is a target too, as far from the
// center of mass as it was last, and in the air all hangs on it.
static bool place_trunk(snPathPlayer* player, uint32_t frame, snPoseSearchJob* job) {
    float height = 0.0f, time = sni_frame_time(player, frame);
    float share = sni_flight_plan(player, time, &height);
    if (!(share > 0.0f)) return false;
    snVec3 place = sn_sub(sn_vec3(player->rest_mass.x, height, player->rest_mass.z), player->hang);
    player->targets[player->paths->path_count] =
        (snPoseTarget){player->trunk, player->handles->handles[player->trunk].position, place, share};
    job->target_count = player->paths->path_count + 1;
    job->upright = false;
    if (sni_flight_at(player, time) == NULL) return false;
    job->anchor = player->paths->path_count;
    return true;
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
    found->energy = sn_pose_energy(&job, player->weights, found->terms);
    return SN_RESULT_OK;
}

static snResult search(snPathPlayer* player, uint32_t frame, bool* out_flies, snPoseSearchResult* out) {
    snPoseSearchJob job = player->job;
    bool first = frame == 0;
    job.anchor = player->anchor;
    job.upright = player->balanced;
    job.change = first ? 0.0f : player->change;
    job.last = first ? NULL : player->last_positions;
    *out_flies = place_trunk(player, frame, &job);
    memcpy(player->last_weights, player->weights, player->pose_count * sizeof(float));
    snResult result = sn_pose_search_run(&job, out);
    if (result != SN_RESULT_OK || job.change <= 0.0f) return result;
    return look_further(player, job, out);
}

static void blend(snPathPlayer* player, const float* weights, const uint32_t* order) {
    sn_handle_poses_blend(player->handles, player->poses, weights, order, player->pose_count, player->moves);
}

// Where the body has to be for the point of the standing handle to be on its target; of one that is balanced
// only how high.
static snVec3 carry(const snPathPlayer* player, uint32_t frame, snQuat heading) {
    if (player->anchor == SN_NONE) return sn_vec3(0.0f, 0.0f, 0.0f);
    uint32_t anchor = player->anchor, handle = player->paths->paths[anchor].handle;
    snVec3 point = sn_rigid_point(player->moves[handle], player->aim_points[anchor]);
    snVec3 body = sn_sub(player->aims[anchor], sn_quat_rotate(heading, point));
    if (!player->balanced) return body;
    return sn_vec3(player->travel[frame].x, body.y, player->travel[frame].z);
}

static void hang(snPathPlayer* player) {
    if (player->masses == NULL) return;
    snVec3 point = player->handles->handles[player->trunk].position;
    player->hang = sn_sub(sni_flight_mass(player), sn_rigid_point(player->moves[player->trunk], point));
}

static uint32_t slot_of(const snPathPlayer* player, uint32_t frame) {
    return frame % (2 * (player->window + player->settle) + 1);
}

static snResult search_frame(snPathPlayer* player, uint32_t frame) {
    sniFound found;
    move_targets(player, frame);
    player->anchor = choose_standing(player, player->anchor);
    snQuat heading = body_turn(player, player->anchor, frame);
    place_targets(player, frame, heading);
    bool flies = false;
    SNI_TRY(search(player, frame, &flies, &found.search));
    blend(player, player->weights, player->order);
    for (uint32_t h = 0; h < player->handles->handle_count; h++) // what the next search compares with
        player->last_positions[h] = sn_rigid_point(player->moves[h], player->handles->handles[h].position);
    found.body = carry(player, frame, heading);
    found.standing = player->anchor;
    if (flies) found.standing = SN_NONE;
    hang(player);
    uint32_t slot = slot_of(player, frame);
    player->found[slot] = found;
    memcpy(player->found_weights + (size_t)slot * player->pose_count, player->weights,
           player->pose_count * sizeof(float));
    memcpy(player->found_orders + (size_t)slot * player->pose_count, player->order,
           player->pose_count * sizeof(uint32_t));
    return SN_RESULT_OK;
}

static snResult search_ahead(snPathPlayer* player, uint32_t frame) {
    uint32_t last = player->frame_count - 1;
    uint32_t end = frame + player->window < last ? frame + player->window : last;
    snResult result = SN_RESULT_OK;
    for (; player->searched <= end && result == SN_RESULT_OK; player->searched++)
        result = search_frame(player, player->searched);
    return result;
}

// ---------------------------------------------------------------------------------------------------- body

// Calls of a moving average with weights that fall off evenly to both sides, over `seconds` each.
typedef struct Average {
    const snPathPlayer* player;
    uint32_t frame;
    int32_t reach; // frames
} Average;

// Towards the ends it reaches less far, to both sides alike: what comes to its end in motion must not be held
// back by what is not there.
static Average average_over(const snPathPlayer* player, uint32_t frame, float seconds) {
    uint32_t left = player->frame_count - 1 - frame, end = frame < left ? frame : left;
    int32_t reach = (int32_t)(seconds * player->fps);
    return (Average){player, frame, (uint32_t)reach < end ? reach : (int32_t)end};
}

// The k-th frame of it, from -reach to reach: where it was kept, and how much it counts.
static uint32_t average_slot(const Average* average, int32_t k, float* out_share) {
    float sides = (float)(average->reach + 1);
    *out_share = (sides - fabsf((float)k)) / (sides * sides);
    return slot_of(average->player, (uint32_t)((int64_t)average->frame + k));
}

static void average_weights(snPathPlayer* player, uint32_t frame) {
    Average average = average_over(player, frame, player->smooth);
    for (uint32_t p = 0; p < player->pose_count; p++) player->shown[p] = 0.0f;
    for (int32_t k = -average.reach; k <= average.reach; k++) {
        float share = 0.0f;
        const float* weights =
            player->found_weights + (size_t)average_slot(&average, k, &share) * player->pose_count;
        for (uint32_t p = 0; p < player->pose_count; p++) player->shown[p] += share * weights[p];
    }
    if (player->base == SN_NONE) return;
    float sum = 0.0f;
    for (uint32_t p = 0; p < player->pose_count; p++) sum += player->shown[p];
    player->shown[player->base] += sn_maxf(1.0f - sum, 0.0f);
}

// Height follows the pose, travel goes steadily on. What hangs on a path that is no contact goes with that:
// hips that were captured are where they were.
static snVec3 average_body(const snPathPlayer* player, uint32_t frame, snQuat heading) {
    snVec3 body = {0.0f, 0.0f, 0.0f};
    float share = 0.0f;
    uint32_t standing = player->found[slot_of(player, frame)].standing;
    if (leads(player, standing)) {
        const snPathDef* path = &player->paths->paths[standing];
        snVec3 point = sn_rigid_point(player->moves[path->handle], path->point);
        return sn_sub(player->places[standing], sn_quat_rotate(heading, point));
    }
    Average height = average_over(player, frame, player->smooth);
    for (int32_t k = -height.reach; k <= height.reach; k++) {
        uint32_t slot = average_slot(&height, k, &share);
        body.y += share * player->found[slot].body.y;
    }
    if (player->balanced) return sn_vec3(player->travel[frame].x, body.y, player->travel[frame].z);
    Average travel = average_over(player, frame, player->steady);
    for (int32_t k = -travel.reach; k <= travel.reach; k++) {
        snVec3 at = player->found[average_slot(&travel, k, &share)].body;
        body.x += share * at.x;
        body.z += share * at.z;
    }
    return body;
}

// --------------------------------------------------------------------------------------------------- height

static void move_body(snPathPlayer* player, snVec3 by, snRigid* body) {
    body->translation = sn_add(body->translation, by);
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        player->moves[h].translation = sn_add(player->moves[h].translation, by);
}

// The pose of a frame with the body in its place, all but its drop.
static snRigid pose_frame(snPathPlayer* player, uint32_t frame) {
    move_targets(player, frame);
    average_weights(player, frame);
    // As this frame's search loaded them; those ahead may do it in another order.
    blend(player, player->shown, player->found_orders + (size_t)slot_of(player, frame) * player->pose_count);
    sni_player_lean(player, frame, player->moves);
    uint32_t standing = player->found[slot_of(player, frame)].standing;
    snQuat heading = body_turn(player, standing, frame);
    // Turned as that handle was, whatever the pose adds to it.
    if (turns_body(player, standing))
        heading = sn_quat_mul(
            heading, sn_quat_conjugate(player->moves[player->paths->paths[standing].handle].rotation));
    snRigid body = {heading, average_body(player, frame, heading)};
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        player->moves[h] = sn_rigid_mul(body, player->moves[h]);
    if (player->masses == NULL) return body;
    move_body(player, sni_flight_shift(player, frame, heading), &body);
    return body;
}

// Finds out how high the body is for its legs, as far ahead as it needs to know.
static snResult settle_ahead(snPathPlayer* player, uint32_t frame) {
    uint32_t last = player->frame_count - 1;
    uint32_t end = frame + player->settle < last ? frame + player->settle : last;
    for (; player->settled <= end; player->settled++) {
        SNI_TRY(search_ahead(player, player->settled));
        pose_frame(player, player->settled);
        float height, share = sni_flight_plan(player, sni_frame_time(player, player->settled), &height);
        player->drops[player->settled % (2 * player->settle + 1)] =
            (1.0f - share) * sni_player_try_feet(player, player->settled);
    }
    return SN_RESULT_OK;
}

// Enough for the frame, and on the way to what those before and after need: the highest of parabolas that
// hang from each.
static float eased_drop(const snPathPlayer* player, uint32_t frame) {
    uint32_t reach = (uint32_t)(SNI_PLAYER_SETTLE * player->fps), most = player->frame_count - 1;
    uint32_t first = frame > reach ? frame - reach : 0, end = frame + reach < most ? frame + reach : most;
    float drop = 0.0f;
    for (uint32_t f = first; f <= end; f++) {
        float away = ((float)f - (float)frame) / player->fps;
        float needed = player->drops[f % (2 * player->settle + 1)];
        drop = sn_maxf(drop, needed - 0.5f * GENTLE * away * away);
    }
    return drop;
}

// Averaged as the height is, which rounds the corners off and takes next to nothing from the peaks.
static float drop_at(snPathPlayer* player, uint32_t frame) {
    int64_t reach = (int64_t)(player->smooth * player->fps), last = (int64_t)player->frame_count - 1;
    float drop = 0.0f, sides = (float)(reach + 1);
    uint32_t kept = 2 * player->settle + 1;
    for (; player->eased_count <= last && player->eased_count <= frame + reach; player->eased_count++)
        player->eased[player->eased_count % kept] = eased_drop(player, player->eased_count);
    for (int64_t k = -reach; k <= reach; k++) {
        int64_t at = (int64_t)frame + k;
        at = at < 0 ? 0 : (at > last ? last : at);
        drop += player->eased[at % kept] * (sides - fabsf((float)k)) / (sides * sides);
    }
    return drop;
}

// A head or a hand that reaches is turned as it should be, where it is.
static void turn_end(const snPathPlayer* player, const snPathDef* path, float time) {
    if (path->turns == NULL || path->contact || path->global || !(path->reach > 0.0f)) return;
    const snRigid* now = &player->moves[path->handle];
    snQuat turn = sn_quat_mul(sni_path_turn(path, time), sn_quat_conjugate(now->rotation));
    turn = sn_quat_normalize(sn_quat_slerp(sn_quat_identity(), turn, path->reach));
    snVec3 at = sn_rigid_point(*now, path->point);
    snRigid move = {turn, sn_sub(at, sn_quat_rotate(turn, at))};
    sn_handles_followers(player->handles, path->handle, player->marks);
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        if (player->marks[h] != 0) player->moves[h] = sn_rigid_mul(move, player->moves[h]);
}

static void hold_feet(snPathPlayer* player, float time) {
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        const sniTrack* track = &player->tracks[i];
        if (track->spine.count > 0)
            sni_spine_point(player->handles, &track->spine, path->handle, path->point, player->places[i],
                            path->reach, player->marks, player->moves);
    }
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sniTrack* track = &player->tracks[i];
        if (path->reach > 0.0f && !path->contact && track->spine.count == 0)
            sni_limb_point(player->handles, &track->limb, path->point, player->places[i], path->reach,
                           player->moves);
        turn_end(player, path, time);
        if (!path->contact) continue;
        float stretch = sni_limb_reach(player->handles, &track->limb, player->feet[i], player->moves);
        if (track->sole.toed && track->bend > 0.0f)
            sni_limb_bend(&track->limb, sni_sole_bend(&track->sole, track->bend),
                          player->handles->handle_count, player->moves);
        track->stretch = stretch;
    }
}

// The pose of a frame with all in its place, the body moved by so much.
static snRigid put_body(snPathPlayer* player, uint32_t frame, snVec3 by) {
    snRigid body = pose_frame(player, frame);
    move_body(player, by, &body);
    sni_player_place_feet(player, frame);
    hold_feet(player, sni_frame_time(player, frame));
    return body;
}

// By how much the leg of a foot that stands is too short, where a body that comes down helps: a thigh longer
// than its shin misses what is too near, too.
static float missing(const snPathPlayer* player) {
    float most = 0.0f;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const sniLimb* limb = &player->tracks[i].limb;
        if (!player->paths->paths[i].contact || !player->resting[i] || limb->thigh == SN_NONE) continue;
        const snHandle* handles = player->handles->handles;
        snVec3 hip = sn_rigid_point(player->moves[limb->thigh], handles[limb->thigh].center);
        snVec3 way = sn_sub(hip, sn_rigid_point(player->feet[i], handles[limb->foot].center));
        bool far = sn_length(way) > 0.5f * sni_limb_length(player->handles, limb);
        if (far && way.y > 0.0f) most = sn_maxf(most, player->tracks[i].stretch);
    }
    return most;
}

// Where a body flies, its legs weigh, too: it is put right once more when they are where they should be, a
// few times. Its height was chosen for the legs that push and land; others that stand may still need less.
static snRigid place_body(snPathPlayer* player, uint32_t frame) {
    float drop = drop_at(player, frame), height;
    float share = sni_flight_plan(player, sni_frame_time(player, frame), &height);
    snVec3 by = {0.0f, -drop * (1.0f - share), 0.0f};
    snRigid body = put_body(player, frame, by);
    for (uint32_t round = 0; round < ROUNDS && share > 0.0f; round++) {
        by = sn_add(by, sni_flight_shift(player, frame, body.rotation));
        body = put_body(player, frame, by);
    }
    for (uint32_t round = 0; round < ROUNDS && share > 0.0f && missing(player) > 0.0f; round++) {
        by.y -= missing(player);
        body = put_body(player, frame, by);
    }
    return body;
}

static void measure(snPathPlayer* player, uint32_t frame) {
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sniTrack* track = &player->tracks[i];
        snVec3 point = sn_rigid_point(player->moves[path->handle], path->point);
        player->points[i] = point;
        float distance = sn_distance(point, player->places[i]);
        track->distance_sum += (double)distance;
        track->report.stretch_max = sn_maxf(track->report.stretch_max, track->stretch);
        track->report.sunk_max = sn_maxf(track->report.sunk_max, sni_player_sunk(player, i, frame));
        track->report.distance_max = sn_maxf(track->report.distance_max, distance);
        track->report.distance_mean = (float)(track->distance_sum / (double)(frame + 1));
        bool held = path->contact && player->resting[i];
        if (held && !track->resting) {
            track->set_down = point;
            track->report.contacts++;
        }
        track->resting = held;
        if (!held) continue;
        snVec3 pivot, touches = track->set_down;
        if (sni_player_pivot(player, i, frame, &pivot, &touches))
            point = sn_rigid_point(player->moves[path->handle], pivot);
        float slide = sn_distance(point, touches);
        track->report.frames++;
        track->slide_sum += (double)slide;
        track->report.slide_max = sn_maxf(track->report.slide_max, slide);
        track->report.slide_mean = (float)(track->slide_sum / (double)track->report.frames);
    }
}

// ---------------------------------------------------------------------------------------------------- frames

snResult sn_path_player_run(snPathPlayer* player, uint32_t frame, snPathFrame* out) {
    if (player == NULL || out == NULL || frame >= player->frame_count ||
        (frame != 0 && frame != player->next))
        return SN_RESULT_INVALID_ARGUMENT;
    if (frame == 0) restart(player);
    SNI_TRY(settle_ahead(player, frame));
    float time = sni_frame_time(player, frame);
    const sniFound* found = &player->found[slot_of(player, frame)];
    snRigid body = place_body(player, frame);
    measure(player, frame);
    player->next = frame + 1;
    *out = (snPathFrame){time,           player->moves,  player->shown,   body,         found->standing,
                         player->places, player->points, player->resting, found->search};
    return SN_RESULT_OK;
}

snContactReport sn_path_player_report(const snPathPlayer* player, uint32_t path) {
    return player->tracks[path].report;
}
