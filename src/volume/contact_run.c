// Contact inside of bends, every frame: planes half way between the two sides of each bend, and points that
// give way to them.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "volume/contact.h"

// Areas (to the fourth power) below which a surface has no direction.
#define NO_AREA 1e-30f

typedef struct Run {
    const snContactJob* job;
    const snContact* contact;
    snVec3 *before, *now; // place_count
    snVec3* areas[2];     // place_count + 1: before, now
    uint8_t* moved;       // place_count
} Run;

static size_t lay_out(Run* run, const snContact* contact, unsigned char* memory) {
    size_t places = (size_t)contact->place_count + 1, used = 0;
    snVec3** arrays[] = {&run->before, &run->now, &run->areas[0], &run->areas[1]};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = memory != NULL ? (snVec3*)(void*)(memory + used) : NULL;
        used += (places * sizeof(snVec3) + 63) / 64 * 64;
    }
    run->moved = memory != NULL ? memory + used : NULL;
    return used + (places + 63) / 64 * 64;
}

size_t sn_contact_scratch_size(const snContact* contact) {
    Run run = {0};
    return lay_out(&run, contact, NULL);
}

static void press(Run* run, const sniDivide* d) {
    const snContact* c = run->contact;
    const snMat4* matrices = run->job->matrices;
    sniHang hang = sni_contact_hang(c, d, run->job->curves);
    float most = sni_divide_press(d, c->pressed + d->first, &matrices[d->parent], &matrices[d->joint], &hang,
                                  run->now, run->moved);
    if (run->job->out_moved != NULL) run->job->out_moved[d->joint] = most;
}

// -------------------------------------------------------------------------------------------------- normals

// Twice the area of a face, as a vector, to all of its corners.
static void add_area(const uint32_t at[4], const snVec3* points, snVec3* areas) {
    snVec3 area = sn_cross(sn_sub(points[at[2]], points[at[0]]), sn_sub(points[at[3]], points[at[1]]));
    if (at[3] == at[2])
        area = sn_cross(sn_sub(points[at[1]], points[at[0]]), sn_sub(points[at[2]], points[at[0]]));
    for (int k = 0; k < (at[3] == at[2] ? 3 : 4); k++) areas[at[k]] = sn_add(areas[at[k]], area);
}

// n turned by the shortest rotation from a to b; as it is where one of them has no direction, or they are
// opposite.
static snVec3 turned(snVec3 n, snVec3 a, snVec3 b) {
    float size = sn_dot(a, a) * sn_dot(b, b);
    if (!(size > NO_AREA)) return n;
    float inverse = 1.0f / sqrtf(size), cosine = sn_dot(a, b) * inverse;
    if (!(cosine > -0.99f)) return n;
    snVec3 axis = sn_scale(sn_cross(a, b), inverse);
    snVec3 out = sn_add(sn_scale(n, cosine), sn_cross(axis, n));
    return sn_normalize_or(sn_add(out, sn_scale(axis, sn_dot(axis, n) / (1.0f + cosine))), n);
}

static void fill_areas(Run* run) {
    const snContact* c = run->contact;
    for (int i = 0; i < 2; i++) memset(run->areas[i], 0, ((size_t)c->place_count + 1) * sizeof(snVec3));
    for (uint32_t f = 0; f < c->face_count; f++) {
        const uint32_t* at = c->faces[f];
        if (((run->moved[at[0]] | run->moved[at[1]] | run->moved[at[2]] | run->moved[at[3]]) & 1) == 0)
            continue;
        for (int k = 0; k < 4; k++) run->moved[at[k]] |= 2;
    }
    for (uint32_t f = 0; f < c->face_count; f++) {
        const uint32_t* at = c->faces[f];
        if ((run->moved[at[0]] | run->moved[at[1]] | run->moved[at[2]] | run->moved[at[3]]) == 0) continue;
        add_area(at, run->before, run->areas[0]);
        add_area(at, run->now, run->areas[1]);
    }
}

// ----------------------------------------------------------------------------------------------------- run

static void take_points(Run* run) {
    const snContact* c = run->contact;
    const sniClosed* closed = c->closed;
    uint32_t part = 0;
    for (uint32_t i = 0; i < c->place_count; i++) {
        uint32_t v = closed->vertices[c->ids[i]];
        while (v >= closed->vertex_starts[part + 1]) part++;
        run->before[i] = run->now[i] = run->job->positions[part][v - closed->vertex_starts[part]];
    }
    memset(run->moved, 0, (size_t)c->place_count + 1);
}

static float follow_one(float at, float was, float now) { return at == was ? now : at + (now - was); }

static snVec3 follow(snVec3 at, snVec3 was, snVec3 now) {
    return sn_vec3(follow_one(at.x, was.x, now.x), follow_one(at.y, was.y, now.y),
                   follow_one(at.z, was.z, now.z));
}

static void write_back(const Run* run) {
    const snContact* c = run->contact;
    const sniClosed* closed = c->closed;
    for (uint32_t part = 0; part < closed->part_count; part++) {
        uint32_t first = closed->vertex_starts[part], count = closed->vertex_starts[part + 1] - first;
        snVec3* positions = run->job->positions[part];
        snVec3* normals = run->job->normals != NULL ? run->job->normals[part] : NULL;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t place = c->places[first + i];
            if (run->moved[place] == 0) continue;
            // Vertices of one point may have parted by rounding: then each moves as the point did.
            positions[i] = follow(positions[i], run->before[place], run->now[place]);
            if (normals != NULL) normals[i] = turned(normals[i], run->areas[0][place], run->areas[1][place]);
        }
    }
}

snResult sn_contact_run(const snContactJob* job) {
    if (job->contact == NULL || job->matrices == NULL || job->positions == NULL || job->scratch == NULL)
        return SN_RESULT_INVALID_ARGUMENT;
    Run run = {.job = job, .contact = job->contact};
    lay_out(&run, job->contact, job->scratch);
    for (uint32_t j = 0; j < job->contact->joint_count && job->out_moved != NULL; j++)
        job->out_moved[j] = 0.0f;
    take_points(&run);
    for (uint32_t d = 0; d < job->contact->divide_count; d++) press(&run, &job->contact->divides[d]);
    if (job->normals != NULL) fill_areas(&run);
    write_back(&run);
    return SN_RESULT_OK;
}
