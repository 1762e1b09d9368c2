// Whether contact helps: a joint is bent alone, and crossings are counted with its plane and without.
//
// Rules about shapes go only so far: a leg that is bent into the body it hangs on, a cuff that stands off, a
// wing. What a plane does to them is seen best by trying it.
#include "base/memory.h"
#include "volume/contact.h"

// Bends that are tried, in radians: 92 and 130 degrees, where most limbs end. Of what crosses without the
// plane in both together, what may still cross with it. 0.7, 0.8, 0.9 and 1.02 were tried, on kaiju, elephant
// and godot_player, and 0.8 was judged; it is not measured on characters that it was not chosen on.
static const float BENDS[] = {1.6f, 2.269f};
#define SLACK 0.8
// How far around the bend surface is looked at, in radii: all that is held, and what it may be pressed into.
#define REACH 6.0f

typedef struct Trial {
    const sniClosed* closed;
    const float* shares;
    snVec3 middle;
    float reach; // metres
    const sniPressed* pressed;
    snVec3* points; // point_count
    uint8_t* moved; // the same
    uint32_t triangle_count;
    uint32_t (*triangles)[3];
    uint8_t* active; // triangle_count
    void* scratch;
    uint32_t capacity;
    snCrossing* crossings; // capacity
} Trial;

static bool takes_part(const Trial* t, const uint32_t at[4]) {
    return sn_distance(t->closed->rest[at[0]], t->middle) < t->reach;
}

static bool prepare(Trial* t, const snAllocator* memory) {
    const sniClosed* closed = t->closed;
    for (uint32_t f = 0; f < closed->real_faces; f++)
        if (takes_part(t, closed->faces[f].at))
            t->triangle_count += sni_face_is_triangle(&closed->faces[f]) ? 1 : 2;
    t->points = SNI_NEW_ARRAY(memory, snVec3, closed->point_count);
    t->moved = SNI_NEW_ARRAY(memory, uint8_t, closed->point_count);
    t->triangles = (uint32_t(*)[3])sni_alloc_array(memory, t->triangle_count, 3 * sizeof(uint32_t));
    t->active = SNI_NEW_ARRAY(memory, uint8_t, t->triangle_count);
    t->capacity = 4 * t->triangle_count;
    t->crossings = SNI_NEW_ARRAY(memory, snCrossing, t->capacity);
    t->scratch = sni_alloc_array(memory, sn_crossings_scratch_size(t->triangle_count), 1);
    if (t->points == NULL || t->moved == NULL || t->triangles == NULL || t->active == NULL ||
        t->scratch == NULL || t->crossings == NULL)
        return false;
    uint32_t count = 0;
    for (uint32_t f = 0; f < closed->real_faces; f++) {
        const uint32_t* at = closed->faces[f].at;
        if (!takes_part(t, at)) continue;
        for (uint32_t k = 2; k < (sni_face_is_triangle(&closed->faces[f]) ? 3u : 4u); k++, count++)
            t->triangles[count][0] = at[0], t->triangles[count][1] = at[k - 1],
            t->triangles[count][2] = at[k];
    }
    return true;
}

// The surface with the joint turned, by a linear skin.
static void pose(const Trial* t, const snMat4* turn) {
    for (uint32_t i = 0; i < t->closed->point_count; i++) {
        snVec3 rest = t->closed->rest[i];
        t->points[i] = sn_lerp(rest, sn_mat4_point(turn, rest), t->shares[i]);
    }
}

static float size_of(const Trial* t, uint32_t triangle) {
    const uint32_t* at = t->triangles[triangle];
    snVec3 a = t->points[at[0]];
    return sn_length(sn_cross(sn_sub(t->points[at[1]], a), sn_sub(t->points[at[2]], a)));
}

// About the length of the lines along which surface crosses: triangles cut each other along half of the
// smaller one's width.
static double measure_crossings(const Trial* t) {
    snCrossingsJob job = {.point_count = t->closed->point_count,
                          .points = t->points,
                          .triangle_count = t->triangle_count,
                          .triangles = (const uint32_t(*)[3])t->triangles,
                          .active = t->active,
                          .scratch = t->scratch,
                          .capacity = t->capacity,
                          .out_crossings = t->crossings};
    if (sn_crossings_run(&job) != SN_RESULT_OK) return 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < job.out_count && i < t->capacity; i++)
        sum += (double)sqrtf(sn_minf(size_of(t, t->crossings[i].a), size_of(t, t->crossings[i].b)));
    return sum;
}

// Adds what crosses with the plane and without; only what moves can cross more or less than before.
static void try_turn(const Trial* t, const sniDivide* d, const snMat4* turn, double sums[2]) {
    snMat4 rest = sn_mat4_identity();
    memset(t->moved, 0, t->closed->point_count);
    pose(t, turn);
    sni_divide_press(d, t->pressed, &rest, turn, t->points, t->moved);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        const uint32_t* at = t->triangles[i];
        t->active[i] = t->moved[at[0]] | t->moved[at[1]] | t->moved[at[2]];
    }
    sums[0] += measure_crossings(t);
    pose(t, turn);
    sums[1] += measure_crossings(t);
}

bool sni_divide_try(const sniClosed* closed, const float* shares, snVec3 place, const sniPressed* pressed,
                    const snAllocator* memory, sniDivide* d) {
    Trial t = {.closed = closed,
               .shares = shares,
               .middle = d->middle,
               .reach = REACH * d->radius,
               .pressed = pressed};
    bool ready = prepare(&t, memory);
    snVec3 other = fabsf(d->normal.z) < 0.9f ? sn_vec3(0, 0, 1) : sn_vec3(1, 0, 0);
    d->ways[0] = sn_normalize_or(sn_cross(d->normal, other), other);
    d->ways[1] = sn_cross(d->normal, d->ways[0]);
    float trust[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; k++) d->trust[k] = 1.0f;
    for (int k = 0; k < 4 && ready; k++) {
        // The bend opens along a way when the joint turns about the other one.
        snVec3 axis = k < 2 ? sn_cross(d->ways[0], d->normal) : sn_cross(d->ways[1], d->normal);
        double sums[2] = {0.0, 0.0};
        for (size_t b = 0; b < sizeof BENDS / sizeof BENDS[0]; b++) {
            snQuat turn = sn_quat_axis_angle(axis, k % 2 == 0 ? BENDS[b] : -BENDS[b]);
            snTrs trs = {sn_sub(place, sn_quat_rotate(turn, place)), turn, sn_vec3(1, 1, 1)};
            snMat4 matrix = sn_mat4_from_trs(&trs);
            try_turn(&t, d, &matrix, sums);
        }
        trust[k] = sums[0] <= SLACK * sums[1] ? 1.0f : 0.0f;
    }
    memcpy(d->trust, trust, sizeof trust);
    void* arrays[] = {t.points, t.moved, t.triangles, t.active, t.scratch, t.crossings};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return ready;
}
