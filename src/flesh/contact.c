// Colliders: what was shown of a particle before the step and what would be shown after it are the ends of
// its path; capsules move beside it. Contacts act on what is shown, and only flesh gives way: bone does not.
#include "base/geometry.h"
#include "flesh/kernels.h"

// A particle of which little is shown is not flung away to make that little show enough. Judged, not
// measured.
#define LEAST_DELTA 0.25f
// Steps of the search along a path; each covers the distance that is surely free. A bound of the time.
#define SWEEP_STEPS 16
// A distance that counts as touching, of the radius.
#define TOUCH 1e-3f

typedef struct Contact {
    snVec3 place;  // where the particle ends up, shown
    snVec3 normal; // away from what it hit
    snVec3 travel; // of what it hit, there, over the step
    float felt;    // 0 .. 1: how much of it changes the velocity
} Contact;

// ------------------------------------------------------------------------------------------------ capsules

// Time in [0, 1] at which a path first comes within `radius` of the moving axis; above 1: never.
static float first_touch(const snCollider* c, snVec3 start, snVec3 end, float radius) {
    float speed = sn_distance(start, end) +
                  sn_maxf(sn_distance(c->from_before, c->from), sn_distance(c->to_before, c->to));
    float t = 0.0f;
    for (int i = 0; i < SWEEP_STEPS; i++) {
        snVec3 from = sn_lerp(c->from_before, c->from, t), to = sn_lerp(c->to_before, c->to, t);
        float gap = sni_segment_distance(from, to, sn_lerp(start, end, t)) - radius;
        if (gap <= TOUCH * radius) return t;
        if (gap >= speed * (1.0f - t)) return 2.0f;
        t += gap / speed;
    }
    return t;
}

// Out of the capsule at the end of the step by the shortest way from `p`; `away` where there is none.
static Contact leave_capsule(const snCollider* c, snVec3 p, snVec3 away, float radius) {
    snVec3 offset = sni_segment_offset(c->from, c->to, p);
    snVec3 normal = sn_normalize_or(offset, away);
    return (Contact){.place = sn_add(p, sn_scale(normal, sn_maxf(0.0f, radius - sn_length(offset)))),
                     .normal = normal};
}

static bool hit_capsule(const snCollider* c, snVec3 start, snVec3 end, float radius, Contact* out) {
    float t = first_touch(c, start, end, radius);
    if (t > 1.0f) return false;
    snVec3 from = sn_lerp(c->from_before, c->from, t), to = sn_lerp(c->to_before, c->to, t);
    snVec3 at = sn_lerp(start, end, t);
    float share = sni_segment_closest(from, to, at);
    snVec3 away = sn_normalize_or(sn_sub(at, sn_lerp(from, to, share)), sn_vec3(0.0f, 1.0f, 0.0f));
    // The side it came from is the side it stays on, unless it is outside on that side anyway.
    snVec3 offset = sni_segment_offset(c->from, c->to, end);
    if (sn_dot(offset, away) > 0.0f) {
        if (sn_length(offset) >= radius) return false;
        *out = leave_capsule(c, end, away, radius);
    } else {
        // Where that side has turned to with the axis is not quite outside of it.
        snVec3 beside = sn_add(sn_lerp(c->from, c->to, share), sn_scale(away, radius));
        *out = leave_capsule(c, beside, away, radius);
    }
    // A mere touch changes no velocity yet, so that rounding cannot decide whether there was one.
    out->felt = sn_minf(1.0f, sn_distance(out->place, end) / sn_maxf(TOUCH * radius, 1e-9f));
    // Differences first: what is far from the origin loses less.
    out->travel = sn_lerp(sn_sub(c->from, c->from_before), sn_sub(c->to, c->to_before), share);
    return true;
}

// ------------------------------------------------------------------------------------------------- particles

typedef struct Contacts {
    const snFleshJob* job;
    const sniFleshPlace* places; // shown before, from origin
    snVec3 origin;
} Contacts;

static float delta_of(const snFleshJob* job, uint32_t p) {
    return job->material->deltas[p] * job->delta_scale;
}

static snVec3 shown_before(const Contacts* k, uint32_t p) {
    snVec4 point = k->places[p].point;
    return sn_add(k->origin, sn_vec3(point.x, point.y, point.z));
}

// What is shown of a move, as the kernels have it.
static snVec3 shown_now(const Contacts* k, uint32_t p) {
    const snFleshState* state = k->job->state;
    float over = k->job->limit > 0.0f ? 1.0f / (k->job->limit * k->job->limit) : 0.0f;
    snVec3 move = state->moves[p];
    float share = delta_of(k->job, p) / sqrtf(1.0f + sn_dot(move, move) * over);
    return sn_add(state->primaries[p], sn_scale(move, share));
}

// The move of which `shown` is shown.
static snVec3 move_for(const snFleshJob* job, snVec3 shown, float delta) {
    snVec3 move = sn_scale(shown, 1.0f / sn_maxf(delta, LEAST_DELTA));
    float most = job->limit * SNI_FLESH_ROOM, length = sn_length(move);
    float rest = 1.0f - length * length / (job->limit * job->limit);
    float wanted = rest > 0.0f ? length / sqrtf(rest) : most;
    return length > 0.0f ? sn_scale(move, sn_minf(wanted, most) / length) : move;
}

static bool gives_way(const Contacts* k, uint32_t p) {
    return k->job->material->holds[p] < 1.0f && delta_of(k->job, p) > 0.0f && k->job->flesh->follows[p] == 0;
}

static void move_out(const Contacts* k, uint32_t p, const Contact* contact) {
    const snFleshJob* job = k->job;
    snFleshState* state = job->state;
    state->moves[p] = move_for(job, sn_sub(contact->place, state->primaries[p]), delta_of(job, p));
    // Against what it hit, which may move itself.
    snVec3 carried = sn_scale(contact->travel, 1.0f / job->step);
    snVec3 v = sn_sub(state->velocities[p], carried);
    float into = sn_dot(v, contact->normal);
    snVec3 normal = sn_scale(contact->normal, into), tangent = sn_sub(v, normal);
    tangent = sn_scale(tangent, 1.0f - job->friction);
    snVec3 left = into < 0.0f ? tangent : sn_add(tangent, normal);
    state->velocities[p] = sn_add(carried, sn_lerp(v, left, contact->felt));
}

static void ground_contacts(const Contacts* k) {
    const snFleshJob* job = k->job;
    for (uint32_t p = 0; p < job->state->particle_count; p++) {
        if (!gives_way(k, p)) continue;
        snVec3 now = shown_now(k, p);
        if (!(now.y < job->ground_height)) continue;
        Contact contact = {
            .place = {now.x, job->ground_height, now.z}, .normal = {0.0f, 1.0f, 0.0f}, .felt = 1.0f};
        move_out(k, p, &contact);
    }
}

// -------------------------------------------------------------------------------------------------- groups

static bool overlap(snBounds a, snBounds b) {
    return a.min.x <= b.max.x && a.min.y <= b.max.y && a.min.z <= b.max.z && b.min.x <= a.max.x &&
           b.min.y <= a.max.y && b.min.z <= a.max.z;
}

static snBounds collider_bounds(const snCollider* c) {
    snVec3 ends[4] = {c->from, c->to, c->from_before, c->to_before};
    snBounds bounds = sn_bounds_of(ends, 4);
    snVec3 reach = sn_vec3(c->radius, c->radius, c->radius);
    return (snBounds){sn_sub(bounds.min, reach), sn_add(bounds.max, reach)};
}

// Bones that meet are never in one another's way.
static bool neighbors(const snBinding* binding, uint32_t a, uint32_t b) {
    return a == b || binding->parents[a] == b || binding->parents[b] == a;
}

static void collide(const Contacts* k, const snCollider* c, uint32_t p) {
    if (!gives_way(k, p)) return;
    const snBinding* binding = k->job->flesh->binding;
    float radius = c->radius;
    if (c->owner != SN_NONE) {
        if (neighbors(binding, c->owner, binding->parts->bone_parts[p])) return;
        radius = sn_minf(radius, sni_segment_distance(c->from_rest, c->to_rest, binding->lattice->rest[p]));
    }
    Contact contact;
    if (hit_capsule(c, shown_before(k, p), shown_now(k, p), radius, &contact)) move_out(k, p, &contact);
}

void sni_flesh_contacts(const snFleshJob* job, const sniFleshPlace* places, snVec3 origin, snBounds* groups) {
    Contacts contacts = {job, places, origin};
    const snLatticeParts* parts = job->flesh->binding->parts;
    for (uint32_t g = 0; g < parts->joint_count && job->collider_count > 0; g++) {
        groups[g] = sn_bounds_empty();
        for (uint32_t m = parts->starts[g]; m < parts->starts[g + 1]; m++) {
            groups[g] = sn_bounds_add(groups[g], shown_before(&contacts, parts->members[m]));
            groups[g] = sn_bounds_add(groups[g], shown_now(&contacts, parts->members[m]));
        }
    }
    for (uint32_t i = 0; i < job->collider_count; i++) {
        snBounds bounds = collider_bounds(&job->colliders[i]);
        for (uint32_t g = 0; g < parts->joint_count; g++) {
            if (!overlap(bounds, groups[g])) continue;
            for (uint32_t m = parts->starts[g]; m < parts->starts[g + 1]; m++) {
                collide(&contacts, &job->colliders[i], parts->members[m]);
            }
        }
    }
    if (job->ground) ground_contacts(&contacts);
}
