#include "paths/sole.h"
#include "paths/limb.h"

// Turns for which the lowest vertex is looked for: pitch this far both ways, and leaning aside.
#define PITCH_STEPS 17
#define PITCH_STEP (5.0f * SN_PI / 180.0f)
#define LEAN_STEP (14.0f * SN_PI / 180.0f)
// A center this near to the middle of the foot, of the model's size, says nothing about where its toes are.
// Judged.
#define ASKEW 0.005f

static const snVec3 UP = {0.0f, 1.0f, 0.0f};

// ------------------------------------------------------------------------------------------------- finding

typedef struct Foot {
    const snHandles* handles;
    const snMesh* mesh;
    const uint8_t* marks;
} Foot;

// The vertex that is lowest along a direction, the first of equals, and whose it is; SN_NONE: there is none.
static uint32_t lowest(const Foot* foot, snVec3 up, uint32_t* out_owner) {
    float least = INFINITY;
    uint32_t best = SN_NONE;
    for (uint32_t h = 0; h < foot->handles->handle_count; h++) {
        const snHandle* handle = &foot->handles->handles[h];
        for (uint32_t i = 0; foot->marks[h] != 0 && i < handle->vertex_count; i++) {
            float height = sn_dot(up, foot->mesh->positions[handle->vertices[i]]);
            if (!(height < least)) continue;
            best = handle->vertices[i];
            *out_owner = h;
            least = height;
        }
    }
    return best;
}

static void add_point(sniSole* sole, snVec3 point, uint32_t owner) {
    for (uint32_t i = 0; i < sole->point_count; i++)
        if (sn_distance(sole->points[i], point) <= 0.0f) return;
    if (sole->point_count == SNI_SOLE_POINTS) return;
    sole->owners[sole->point_count] = owner;
    sole->points[sole->point_count++] = point;
}

static float along(const sniSole* sole, snVec3 point) { return sn_dot(sole->forward, point); }

// From the ankle to the middle of all of the foot, its toes too: without them it can lie behind.
static void find_directions(const Foot* foot, uint32_t handle, sniSole* sole) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    float total = 0.0f;
    for (uint32_t h = 0; h < foot->handles->handle_count; h++) {
        const snHandle* part = &foot->handles->handles[h];
        for (uint32_t i = 0; foot->marks[h] != 0 && i < part->vertex_count; i++) {
            sum = sn_add(sum, sn_scale(foot->mesh->positions[part->vertices[i]], part->weights[i]));
            total += part->weights[i];
        }
    }
    snVec3 center = foot->handles->handles[handle].center;
    snVec3 way = total > 0.0f ? sn_sub(sn_scale(sum, 1.0f / total), center) : sn_vec3(0.0f, 0.0f, 0.0f);
    way.y = 0.0f;
    sole->forward = sn_length(way) > ASKEW * foot->handles->size ? sn_normalize_or(way, sn_vec3(0, 0, 1))
                                                                 : sn_vec3(0.0f, 0.0f, 1.0f);
    sole->side = sn_cross(UP, sole->forward);
}

// Upright ones first: where there are too many, those that lean are left out.
static void find_points(const Foot* foot, sniSole* sole) {
    static const float leans[5] = {0.0f, -1.0f, 1.0f, -2.0f, 2.0f};
    for (uint32_t l = 0; l < 5; l++) {
        snQuat lean = sn_quat_axis_angle(sole->forward, leans[l] * LEAN_STEP);
        for (int32_t p = -PITCH_STEPS; p <= PITCH_STEPS; p++) {
            snQuat pitch = sn_quat_axis_angle(sole->side, (float)p * PITCH_STEP);
            snVec3 up = sn_quat_rotate(sn_quat_conjugate(sn_quat_mul(pitch, lean)), UP);
            uint32_t owner = SN_NONE, vertex = lowest(foot, up, &owner);
            if (vertex != SN_NONE) add_point(sole, foot->mesh->positions[vertex], owner);
        }
    }
}

// ------------------------------------------------------------------------------------------------- rolling

// Twice the area of a triangle seen from the side: above 0 where b lies below the line from a to c.
static float turn(const sniSole* sole, uint32_t a, uint32_t b, uint32_t c) {
    const snVec3 *p = &sole->points[a], *q = &sole->points[b], *r = &sole->points[c];
    return (along(sole, *q) - along(sole, *p)) * (r->y - p->y) -
           (along(sole, *r) - along(sole, *p)) * (q->y - p->y);
}

static bool is_behind(const sniSole* sole, uint32_t a, uint32_t b) {
    float x = along(sole, sole->points[a]), y = along(sole, sole->points[b]);
    return x < y || (!(y < x) && sole->points[a].y < sole->points[b].y);
}

// The lower half of the hull as the foot is seen from the side (Andrew 1979).
static void find_rim(sniSole* sole) {
    uint32_t sorted[SNI_SOLE_POINTS];
    for (uint32_t i = 0; i < sole->point_count; i++) {
        uint32_t k = i;
        for (; k > 0 && is_behind(sole, i, sorted[k - 1]); k--) sorted[k] = sorted[k - 1];
        sorted[k] = i;
    }
    for (uint32_t i = 0; i < sole->point_count; i++) {
        while (sole->rim_count > 1 &&
               turn(sole, sole->rim[sole->rim_count - 2], sole->rim[sole->rim_count - 1], sorted[i]) <= 0.0f)
            sole->rim_count--;
        sole->rim[sole->rim_count++] = sorted[i];
    }
}

static float rim_height(const sniSole* sole, uint32_t i, float angle) {
    snVec3 point = sole->points[sole->rim[i]];
    return point.y * sn_cos(angle) - along(sole, point) * sn_sin(angle);
}

static uint32_t rim_lowest(const sniSole* sole, float angle) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < sole->rim_count; i++)
        if (rim_height(sole, i, angle) < rim_height(sole, best, angle)) best = i;
    return best;
}

static float rim_edge(const sniSole* sole, uint32_t i) {
    snVec3 a = sole->points[sole->rim[i]], b = sole->points[sole->rim[i + 1]];
    float x = along(sole, b) - along(sole, a), y = b.y - a.y;
    return sqrtf(x * x + y * y);
}

// Edge by edge is laid on the ground, from the point that carries it at rest.
static void find_meetings(sniSole* sole) {
    uint32_t first = rim_lowest(sole, 0.0f), last = sole->rim_count - 1;
    sole->low = sole->points[sole->rim[first]].y;
    sole->meets[first] = along(sole, sole->points[sole->rim[first]]);
    for (uint32_t i = first; i < last; i++) sole->meets[i + 1] = sole->meets[i] + rim_edge(sole, i);
    for (uint32_t i = first; i > 0; i--) sole->meets[i - 1] = sole->meets[i] - rim_edge(sole, i - 1);
    sole->length = along(sole, sole->points[sole->rim[last]]) - along(sole, sole->points[sole->rim[0]]);
}

void sni_sole_find(const snHandles* handles, const snMesh* mesh, uint32_t handle, const uint8_t* marks,
                   sniSole* out) {
    Foot foot = {handles, mesh, marks};
    *out = (sniSole){0};
    find_directions(&foot, handle, out);
    find_points(&foot, out);
    find_rim(out);
    if (out->point_count > 0) find_meetings(out);
}

// Toes in front of the ankle by less than this, of the length of the foot, are something else.
#define TOES_AHEAD 0.2f

void sni_sole_find_toes(const snHandles* handles, uint32_t foot, uint8_t* scratch, uint8_t* parts,
                        sniSole* sole) {
    const snHandle* h = &handles->handles[foot];
    float count = 0.0f;
    for (uint32_t i = 0; i < h->follower_count; i++) {
        const snHandle* toes = &handles->handles[h->followers[i]];
        float ahead = along(sole, sn_sub(toes->center, h->center));
        if (!(ahead > TOES_AHEAD * sole->length) || !(toes->center.y < h->center.y)) continue;
        sn_handles_followers(handles, h->followers[i], scratch);
        for (uint32_t p = 0; p < sole->point_count; p++)
            sole->bends[p] = sole->bends[p] || scratch[sole->owners[p]] != 0;
        for (uint32_t k = 0; k < handles->handle_count; k++)
            if (scratch[k] != 0) parts[k] = SNI_LIMB_TOES;
        sole->toes = sn_add(sole->toes, toes->center);
        count += 1.0f;
    }
    sole->toed = count > 0.0f;
    if (sole->toed) sole->toes = sn_scale(sole->toes, 1.0f / count);
}

snVec3 sni_sole_pivot(const sniSole* sole, float angle, snVec3* out_place) {
    if (sole->toed && angle > 0.0f) return *out_place = sole->toes;
    uint32_t i = rim_lowest(sole, angle);
    snVec3 point = sole->points[sole->rim[i]];
    *out_place = sn_add(point, sn_scale(sole->forward, sole->meets[i] - along(sole, point)));
    out_place->y = sole->low;
    return point;
}

static snRigid turn_about(const sniSole* sole, float angle, snVec3 point, snVec3 place) {
    snRigid move = {sn_quat_axis_angle(sole->side, angle), {0.0f, 0.0f, 0.0f}};
    move.translation = sn_sub(place, sn_quat_rotate(move.rotation, point));
    return move;
}

snRigid sni_sole_roll(const sniSole* sole, float angle) {
    snVec3 place, point = sni_sole_pivot(sole, angle, &place);
    return turn_about(sole, angle, point, place);
}

snRigid sni_sole_bend(const sniSole* sole, float angle) {
    return turn_about(sole, -angle, sole->toes, sole->toes);
}

float sni_sole_depth(const sniSole* sole, snRigid place, float bend, const snTerrain* terrain, float level) {
    float deepest = -INFINITY;
    snRigid bent = sn_rigid_mul(place, sni_sole_bend(sole, bend));
    for (uint32_t i = 0; i < sole->point_count; i++) {
        snVec3 at = sn_rigid_point(sole->bends[i] ? bent : place, sole->points[i]);
        float ground = terrain != NULL ? sn_terrain_height(terrain, at.x, at.z) : level;
        deepest = sn_maxf(deepest, ground - at.y);
    }
    return deepest;
}
