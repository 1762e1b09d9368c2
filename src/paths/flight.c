// Bodies that leave the ground: between take-off and landing the center of mass falls freely; before it the
// legs crouch and push, after it they give way.
//
// Paths say when all feet are in the air. That decides how high the body rises: between two heights a time T
// apart there is one parabola, which starts at (b - a) / T + g T / 2. Legs are nearly straight at both ends
// of it, and how high the center of mass then is, depends on the pose; so the player rehearses: it plays all
// frames when it is made, measures that, and plays them again.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "paths/path.h"
#include "paths/player.h"

#define GRAVITY 9.81f
// How hard legs push, and brake, metres a second squared: the capture cmu_02_04 pushes so on average, and
// brakes so at most.
#define PUSH 9.0f
#define BRAKE 21.0f
// What the center of mass comes down by at most, of the legs' length.
#define DEEPEST 0.4f
// Seconds in which a body gets up after it has landed; at least, in which it crouches.
#define GET_UP 0.7f
#define CROUCH 0.3f
// How straight legs are at take-off and landing, of their length: knees bent by 14 and 29 degrees.
#define LEAVING 0.9925f
#define LANDING 0.968f
// How far a leg in the air is stretched at most.
#define HANGING 0.998f
// Flights before and after one whose crouch and rise may still be met.
#define AROUND 8u
#define REHEARSALS 4u
// What a body has to gain when it gets up by a metre, of that: one that is all legs cannot push.
#define GAIN 0.3f
// A head's share of the mass, at most; people's is 0.08 (Dempster), with a neck 0.1.
#define HEAD 0.1f
// Seconds: the same moment.
#define SAME 1e-4f

// -------------------------------------------------------------------------------------------------- finding

// Until when a foot that stands at a time stays, and when the next one comes down.
static void look_ahead(const snPathPlayer* player, float time, float* out_borne, float* out_next) {
    *out_borne = time;
    *out_next = INFINITY;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        if (!path->global) continue;
        const sniStand* stand = &player->tracks[i].stands[sni_path_key(path, time + SAME)];
        uint32_t before = stand->before, after = stand->after;
        if (before != SN_NONE &&
            path->keys[before].time > time + SAME) { // only the first key is still to come
            after = before;
            before = SN_NONE;
        }
        bool stays = before != SN_NONE && before + 1 == path->key_count; // for good
        if (before != SN_NONE)
            *out_borne =
                stays ? INFINITY : sn_maxf(*out_borne, path->keys[before].time + path->keys[before].rest);
        if (after != SN_NONE) *out_next = sn_minf(*out_next, path->keys[after].time);
    }
}

// The first time from `time` on in which no foot stands; false: there is none that ends.
static bool next_flight(const snPathPlayer* player, float time, float* out_from, float* out_to) {
    float end = sni_frame_time(player, player->frame_count - 1), borne = time;
    do {
        time = borne;
        look_ahead(player, time, &borne, out_to);
    } while (borne > time + SAME && time < end);
    *out_from = time;
    return time > 0.0f && *out_to <= end;
}

static uint32_t count_flights(const snPathPlayer* player, sniFlight* flights) {
    uint32_t count = 0;
    float from, to = 0.0f;
    while (next_flight(player, to, &from, &to)) { // `to` is when a foot stands again
        // Less than a frame is a foot that takes over from another.
        if (!((to - from) * player->fps >= 1.0f)) continue;
        if (flights != NULL) flights[count] = (sniFlight){.from = from, .to = to};
        count++;
    }
    return count;
}

static uint32_t nearest_handle(const snHandles* handles, snVec3 at) {
    uint32_t nearest = 0;
    for (uint32_t h = 1; h < handles->handle_count; h++)
        if (sn_distance(at, handles->handles[h].position) <
            sn_distance(at, handles->handles[nearest].position))
            nearest = h;
    return nearest;
}

// A triangle belongs to the handle that is nearest, and adds the cone between both. That knows nothing of how
// dense the mesh is, and misses little where parts meet: cuts there pass near the cones' tips.
void sni_flight_masses(const snHandles* handles, const snMesh* mesh, const uint8_t* props, float* out) {
    memset(out, 0, handles->handle_count * sizeof *out);
    float total = 0.0f;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t first = mesh->face_starts[f], end = mesh->face_starts[f + 1];
        for (uint32_t c = first + 1; c + 1 < end; c++) {
            snVec3 p = mesh->positions[mesh->corners[first]], q = mesh->positions[mesh->corners[c]],
                   r = mesh->positions[mesh->corners[c + 1]];
            if (props != NULL && props[mesh->corners[c]] != 0) continue;
            uint32_t h = nearest_handle(handles, sn_scale(sn_add(p, sn_add(q, r)), 1.0f / 3.0f));
            snVec3 tip = handles->handles[h].position;
            out[h] += sn_dot(sn_sub(p, tip), sn_cross(sn_sub(q, tip), sn_sub(r, tip)));
        }
    }
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        out[h] = sn_maxf(out[h], 0.0f);
        total += out[h];
    }
    for (uint32_t h = 0; h < handles->handle_count; h++)
        out[h] = total > 0.0f ? out[h] / total : 1.0f / (float)handles->handle_count;
}

// Marks the vertices of handles that are no part of a body. What makes no body has none.
static bool find_props(const snPathPlayer* player, const snJointName* anatomy, uint8_t* props) {
    const snHandles* handles = player->handles;
    bool body = false;
    for (uint32_t h = 0; h < handles->handle_count; h++) body |= strcmp(anatomy[h].text, "Hips") == 0;
    for (uint32_t h = 0; h < handles->handle_count && body; h++)
        for (uint32_t v = 0; v < handles->handles[h].vertex_count && anatomy[h].text[0] == '\0'; v++)
            props[handles->handles[h].vertices[v]] = 1;
    return body;
}

// Heads count for no more than people's: those of cartoons would turn the body about them.
static void weigh_heads(const snPathPlayer* player, const snJointName* anatomy) {
    float head = 0.0f;
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        if (strcmp(anatomy[h].text, "Head") == 0) head += player->masses[h];
    if (!(head > HEAD && head < 1.0f)) return; // nothing else to weigh more
    for (uint32_t h = 0; h < player->handles->handle_count; h++)
        player->masses[h] *=
            strcmp(anatomy[h].text, "Head") == 0 ? HEAD / head : (1.0f - HEAD) / (1.0f - head);
}

// Swords and shields are as large as arms, and weigh little.
static bool weigh(snPathPlayer* player, const snMesh* mesh) {
    const snAllocator* memory = &player->allocator;
    snJointName* anatomy = SNI_NEW_ARRAY(memory, snJointName, player->handles->handle_count);
    uint8_t* props = SNI_NEW_ARRAY(memory, uint8_t, mesh->vertex_count);
    bool known = anatomy != NULL && props != NULL &&
                 sn_handles_anatomy(player->handles, memory, anatomy) == SN_RESULT_OK;
    if (known) {
        bool body = find_props(player, anatomy, props);
        sni_flight_masses(player->handles, mesh, props, player->masses);
        if (body) weigh_heads(player, anatomy);
    }
    sni_free(memory, anatomy);
    sni_free(memory, props);
    return known;
}

// How much the center of mass rises with the hips, 0 .. 1, where feet stay: knees rise by half as much.
static float find_gain(const snPathPlayer* player) {
    static const float stays[] = {[SNI_LIMB_NONE] = 0.0f,
                                  [SNI_LIMB_THIGH] = 0.25f,
                                  [SNI_LIMB_SHIN] = 0.75f,
                                  [SNI_LIMB_FOOT] = 1.0f,
                                  [SNI_LIMB_TOES] = 1.0f};
    float gain = 1.0f;
    for (uint32_t i = 0; i < player->paths->path_count; i++)
        for (uint32_t h = 0; h < player->handles->handle_count && player->paths->paths[i].global; h++)
            gain -= player->masses[h] * stays[player->tracks[i].limb.parts[h]];
    return gain;
}

bool sni_flight_find(snPathPlayer* player, const snMesh* mesh) {
    if (!player->balanced || player->trunk == SN_NONE || mesh == NULL) return true;
    uint32_t count = count_flights(player, NULL);
    if (count == 0) return true;
    player->flights = SNI_NEW_ARRAY(&player->allocator, sniFlight, count);
    player->masses = SNI_NEW_ARRAY(&player->allocator, float, player->handles->handle_count);
    if (player->flights == NULL || player->masses == NULL) return false;
    if (!weigh(player, mesh)) return false;
    for (uint32_t h = 0; h < player->handles->handle_count; h++) {
        snVec3 at = sn_scale(player->handles->handles[h].position, player->masses[h]);
        player->rest_mass = sn_add(player->rest_mass, at);
    }
    player->gain = find_gain(player);
    if (player->gain >= GAIN) player->flight_count = count_flights(player, player->flights);
    return true;
}

snVec3 sni_flight_mass(const snPathPlayer* player) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t h = 0; h < player->handles->handle_count; h++) {
        snVec3 at = sn_rigid_point(player->moves[h], player->handles->handles[h].position);
        sum = sn_add(sum, sn_scale(at, player->masses[h]));
    }
    return sum;
}

// It is over the place that the balance has found for the body at rest.
snVec3 sni_flight_shift(const snPathPlayer* player, uint32_t frame, snQuat heading) {
    float height, share = sni_flight_plan(player, sni_frame_time(player, frame), &height);
    if (!(share > 0.0f)) return sn_vec3(0.0f, 0.0f, 0.0f);
    snVec3 rest = sn_quat_rotate(heading, sn_vec3(player->rest_mass.x, 0.0f, player->rest_mass.z));
    snVec3 wanted = sn_add(player->travel[frame], sn_add(rest, sn_vec3(0.0f, height, 0.0f)));
    return sn_scale(sn_sub(wanted, sni_flight_mass(player)), share);
}

// ---------------------------------------------------------------------------------------------------- plans

// A height and how fast it changes, at a time.
typedef struct Knot {
    float time, height, speed;
} Knot;

static float between(Knot a, Knot b, float time) {
    float span = b.time - a.time;
    if (!(span > 0.0f)) return b.height;
    float t = sn_clampf((time - a.time) / span, 0.0f, 1.0f), way = b.height - a.height;
    float bend_a = a.speed * span - way, bend_b = way - b.speed * span;
    return a.height + way * t + t * (1.0f - t) * (bend_a * (1.0f - t) + bend_b * t);
}

static Knot leave_knot(const sniFlight* flight) {
    float span = flight->to - flight->from;
    float speed = (flight->land - flight->leave) / span + 0.5f * GRAVITY * span;
    return (Knot){flight->from, flight->leave, speed};
}
static Knot land_knot(const sniFlight* flight) {
    return (Knot){flight->to, flight->land, leave_knot(flight).speed - GRAVITY * (flight->to - flight->from)};
}

// The lowest point that legs can give `knot` its speed from, or take it in, over its time.
static Knot low_knot(const snPathPlayer* player, Knot knot, float strength) {
    float legs = GRAVITY * player->swing * player->swing, speed = fabsf(knot.speed);
    float deep = sn_minf(speed * speed / (2.0f * strength), DEEPEST * legs);
    float span = speed > 0.0f ? 2.0f * deep / speed : 0.0f;
    bool before = knot.speed > 0.0f;
    return (Knot){before ? knot.time - span : knot.time + span, knot.height - deep, 0.0f};
}

// When a body starts to crouch and when it is up again, as far as there is time on the ground.
static void find_spans(snPathPlayer* player) {
    float end = sni_frame_time(player, player->frame_count - 1);
    for (uint32_t i = 0; i < player->flight_count; i++) {
        sniFlight* flight = &player->flights[i];
        Knot leave = leave_knot(flight), land = land_knot(flight);
        Knot low = low_knot(player, leave, PUSH), deep = low_knot(player, land, BRAKE);
        float fall = sqrtf(sn_maxf(6.0f * (flight->stand - low.height) / PUSH, 0.0f));
        if (leave.speed > 0.0f)
            flight->begin = low.time - sn_maxf(fall, CROUCH);
        else
            flight->begin = flight->from - CROUCH;
        flight->end = (land.speed < 0.0f ? deep.time : flight->to) + GET_UP;
        flight->begin = sn_maxf(flight->begin, 0.0f);
        flight->end = sn_minf(flight->end, end);
        flight->joined = i > 0 && player->flights[i - 1].end > flight->begin;
    }
}

static float rise_to(const snPathPlayer* player, const sniFlight* flight, float time) {
    Knot leave = leave_knot(flight), stand = {flight->begin, flight->stand, 0.0f},
         low = low_knot(player, leave, PUSH);
    if (!(leave.speed > 0.0f) || low.time <= stand.time) return between(stand, leave, time);
    return time < low.time ? between(stand, low, time) : between(low, leave, time);
}

static float give_way(const snPathPlayer* player, const sniFlight* flight, float time) {
    Knot land = land_knot(flight), stand = {flight->end, flight->up, 0.0f},
         low = low_knot(player, land, BRAKE);
    if (!(land.speed < 0.0f) || low.time >= stand.time) return between(land, stand, time);
    return time < low.time ? between(land, low, time) : between(low, stand, time);
}

// The last flight that has begun, or the first.
static uint32_t flight_near(const snPathPlayer* player, float time) {
    uint32_t low = 0, high = player->flight_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (player->flights[middle].from < time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

float sni_flight_plan(const snPathPlayer* player, float time, float* out_height) {
    uint32_t near = player->flight_count > 0 ? flight_near(player, time) : 0;
    for (uint32_t i = near; i < player->flight_count && i < near + 2; i++) {
        const sniFlight* flight = &player->flights[i];
        bool joins = i + 1 < player->flight_count && flight[1].joined;
        if (joins && time >= flight[1].from) continue;
        if (time < flight->begin || (time > flight->end && !joins)) continue;
        if (time < flight->from) {
            *out_height = rise_to(player, flight, time);
            return sni_smooth_step((time - flight->begin) / (0.5f * CROUCH));
        }
        if (time > flight->to) {
            *out_height = joins ? between(land_knot(flight), leave_knot(&flight[1]), time)
                                : give_way(player, flight, time);
            return joins ? 1.0f : sni_smooth_step((flight->end - time) / (0.5f * GET_UP));
        }
        Knot leave = leave_knot(flight);
        float since = time - flight->from;
        *out_height = leave.height + leave.speed * since - 0.5f * GRAVITY * since * since;
        return 1.0f;
    }
    *out_height = 0.0f;
    return 0.0f;
}

const sniFlight* sni_flight_at(const snPathPlayer* player, float time) {
    if (player->flight_count == 0) return NULL;
    const sniFlight* flight = &player->flights[flight_near(player, time)];
    return time > flight->from && time < flight->to ? flight : NULL;
}

// --------------------------------------------------------------------------------------------------- feet

// Where the body is at a time: over which place, and how high the center of mass.
static snVec3 body_at(const snPathPlayer* player, float time) {
    float at = sn_clampf(time * player->fps, 0.0f, (float)(player->frame_count - 1)), height;
    uint32_t low = (uint32_t)at, high = low + 1 < player->frame_count ? low + 1 : low;
    snVec3 place = sn_lerp(player->travel[low], player->travel[high], at - (float)low);
    sni_flight_plan(player, time, &height);
    return sn_vec3(place.x, height, place.z);
}

snRigid sni_flight_foot(const snPathPlayer* player, uint32_t i, const sniFlight* flight, float time,
                        snRigid wanted, const snRigid* left, const snRigid* comes) {
    const sniLimb* limb = &player->tracks[i].limb;
    if (limb->thigh == SN_NONE) return wanted;
    snVec3 center = player->handles->handles[limb->foot].center, now = body_at(player, time);
    snVec3 ankle = sn_rigid_point(wanted, center), posed = sn_rigid_point(player->moves[limb->foot], center);
    float since = time - flight->from, until = flight->to - time;
    if (since <= until && left != NULL)
        ankle = sn_add(sn_rigid_point(*left, center), sn_sub(now, body_at(player, flight->from)));
    if (since > until && comes != NULL)
        ankle = sn_add(sn_rigid_point(*comes, center), sn_sub(now, body_at(player, flight->to)));
    float span = sn_minf(player->blend, 0.5f * (flight->to - flight->from));
    ankle = sn_lerp(ankle, posed, span > 0.0f ? sni_smooth_step(sn_minf(since, until) / span) : 1.0f);
    wanted.translation = sn_sub(ankle, sn_quat_rotate(wanted.rotation, center));
    return wanted;
}

snRigid sni_flight_within_reach(const snPathPlayer* player, uint32_t i, snRigid wanted) {
    const sniLimb* limb = &player->tracks[i].limb;
    if (limb->thigh == SN_NONE) return wanted;
    const snHandle* handles = player->handles->handles;
    snVec3 hip = sn_rigid_point(player->moves[limb->thigh], handles[limb->thigh].center);
    snVec3 ankle = sn_rigid_point(wanted, handles[limb->foot].center);
    float away = sn_distance(hip, ankle), most = HANGING * sni_limb_length(player->handles, limb);
    if (away > most)
        wanted.translation = sn_add(wanted.translation, sn_sub(sn_lerp(hip, ankle, most / away), ankle));
    return wanted;
}

// ------------------------------------------------------------------------------------------------ rehearsal

// How high the center of mass could be in the frame that was just played, with the legs that stand no
// straighter than that.
static float highest(const snPathPlayer* player, float straight) {
    float slack = INFINITY;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const sniLimb* limb = &player->tracks[i].limb;
        if (!player->paths->paths[i].global || !player->resting[i]) continue;
        const snHandle* handles = player->handles->handles;
        snVec3 hip = sn_rigid_point(player->moves[limb->thigh], handles[limb->thigh].center);
        snVec3 way = sn_sub(hip, sn_rigid_point(player->moves[limb->foot], handles[limb->foot].center));
        float reach = straight * sni_limb_length(player->handles, limb);
        float left = reach * reach - way.x * way.x - way.z * way.z;
        slack = sn_minf(slack, sqrtf(sn_maxf(left, 0.0f)) - way.y);
    }
    return sni_flight_mass(player).y + (sn_finite(slack) ? player->gain * slack : 0.0f);
}

static uint32_t frame_at(const snPathPlayer* player, float time, bool after) {
    uint32_t frame = (uint32_t)(time * player->fps) + 1, last = player->frame_count - 1;
    while (frame > 0 && sni_frame_time(player, frame) > time) frame--;
    if (after && sni_frame_time(player, frame) < time) frame++;
    return frame < last ? frame : last;
}

static void take_heights(snPathPlayer* player, uint32_t frame) {
    float time = sni_frame_time(player, frame);
    uint32_t near = flight_near(player, time), first = near > AROUND ? near - AROUND : 0;
    for (uint32_t i = first; i < player->flight_count && i <= near + AROUND; i++) {
        sniFlight* flight = &player->flights[i];
        // Between frames the body goes on at its speed.
        if (frame == frame_at(player, flight->from, false))
            flight->next_leave = highest(player, LEAVING) + leave_knot(flight).speed * (flight->from - time);
        if (frame == frame_at(player, flight->to, true))
            flight->next_land = highest(player, LANDING) - land_knot(flight).speed * (time - flight->to);
        if (frame == frame_at(player, flight->begin, false)) flight->next_stand = sni_flight_mass(player).y;
        if (frame == frame_at(player, flight->end, true)) flight->next_up = sni_flight_mass(player).y;
    }
}

static float ground_under(const snPathPlayer* player, float time) {
    snVec3 at = body_at(player, time);
    return sn_terrain_height(sni_player_terrain(player), at.x, at.z);
}

// The first time heights are those of the rest pose, as are the feet's; later ones know the poses.
snResult sni_flight_rehearse(snPathPlayer* player) {
    if (player->flight_count == 0) return SN_RESULT_OK;
    float rest = player->rest_mass.y;
    for (uint32_t i = 0; i < player->flight_count; i++) {
        sniFlight* flight = &player->flights[i];
        flight->leave = flight->next_stand = flight->stand = rest + ground_under(player, flight->from);
        flight->land = flight->next_up = flight->up = rest + ground_under(player, flight->to);
    }
    find_spans(player);
    for (uint32_t k = 0; k < REHEARSALS; k++) {
        for (uint32_t f = 0; f < player->frame_count; f++) {
            snPathFrame frame;
            SNI_TRY(sn_path_player_run(player, f, &frame));
            take_heights(player, f);
        }
        for (uint32_t i = 0; i < player->flight_count; i++) {
            sniFlight* flight = &player->flights[i];
            flight->leave = flight->next_leave;
            flight->land = flight->next_land;
            flight->stand = flight->next_stand;
            flight->up = flight->next_up;
        }
        find_spans(player);
    }
    return SN_RESULT_OK;
}
