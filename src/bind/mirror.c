// The two sides of a symmetric character get mirrored weights, to the last bit. Grids, rays and solvers do
// not know about symmetry: without this the sides differ by what roundings do, and by a whole bone where a
// decision hangs on them.
//
// The plane comes from the skeleton, where a left and a right limb hang on one joint, and is tried on the
// mesh. Points and joints without a counterpart keep what they have: a sword in one hand costs the symmetry
// of the sword.
#include <float.h>

#include "base/error.h"
#include "base/memory.h"
#include "bind/bind.h"

// Parts of the diagonal. Joints that riggers placed by hand are as good as mirrored within the first, points
// that exporters rounded within the second; a body that was modelled without a mirror is farther off.
#define JOINT_SLACK SNI_TUNED(JOINT_SLACK, 1e-2)
#define POINT_SLACK SNI_TUNED(POINT_SLACK, 1e-4)
// Bounds of the cost: limbs that are asked for a plane, children of one joint, points that a plane is tried
// on.
#define MOST_PLANES 16
#define MOST_CHILDREN 256
#define TRIALS 500
// A plane is one of symmetry when this part of the joints and of the points has a counterpart.
#define LEAST_PART 0.5
// Axes nearer to each other than 2 degrees are meant to be the same.
#define SAME_AXIS 0.9994

typedef struct Plane {
    double normal[3], offset;
} Plane;

typedef struct Mirror {
    const sniBind* bind;
    const sniSurface* surface;
    const sniBones* bones;
    double joint_slack, point_slack;
    Plane plane;
    uint32_t* sizes;         // per joint: joints that hang on it, itself included
    snVec3* tails;           // per joint: where its bones end, in the mean
    uint32_t* joints;        // per joint: its counterpart, itself in the middle; SN_NONE: there is none
    uint32_t* points;        // the same per point
    uint32_t *starts, *list; // points by their place along the plane: strip s has list[starts[s] ..]
    snVec3* listed;          // where they are
    double along[3];         // that direction
    double first;            // where the strips begin
    double per_length;       // strips per length
    uint32_t strips;
} Mirror;

static double dot(const double a[3], snVec3 p) {
    return a[0] * (double)p.x + a[1] * (double)p.y + a[2] * (double)p.z;
}

static snVec3 reflect(const Plane* plane, snVec3 p) {
    double twice = 2.0 * (dot(plane->normal, p) - plane->offset);
    return sn_vec3((float)((double)p.x - twice * plane->normal[0]),
                   (float)((double)p.y - twice * plane->normal[1]),
                   (float)((double)p.z - twice * plane->normal[2]));
}

// ------------------------------------------------------------------------------------------------ joints

static bool is_free(const Mirror* m, uint32_t joint) { return m->joints[joint] == SN_NONE; }

// The free joint below `parent` that stands within the slack of where the mirror shows `joint`, and of
// several the one whose bones end nearest to where it shows them. `size` of joints hang on it, or any number
// where that is 0. Joints are listed parents first, so children come after theirs.
static uint32_t find_child(const Mirror* m, uint32_t parent, uint32_t joint, uint32_t size) {
    const sniBones* bones = m->bones;
    snVec3 place = reflect(&m->plane, bones->origins[joint]), tail = reflect(&m->plane, m->tails[joint]);
    uint32_t best = SN_NONE, seen = 0;
    double nearest = INFINITY;
    for (uint32_t j = parent == SN_NONE ? 0 : parent + 1; j < bones->joint_count && seen < MOST_CHILDREN;
         j++) {
        if (bones->parents[j] != parent) continue;
        seen++;
        double apart = (double)sn_distance(bones->origins[j], place);
        double distance = apart + (double)sn_distance(m->tails[j], tail);
        if (!is_free(m, j) || (size > 0 && m->sizes[j] != size)) continue;
        if (!(apart < m->joint_slack) || !(distance < nearest)) continue;
        nearest = distance;
        best = j;
    }
    return best;
}

// Pairs all joints that can be, from the first ones down; returns how many have a counterpart.
static uint32_t pair_joints(const Mirror* m) {
    const sniBones* bones = m->bones;
    uint32_t paired = 0;
    for (uint32_t j = 0; j < bones->joint_count; j++) m->joints[j] = SN_NONE;
    for (uint32_t j = 0; j < bones->joint_count; j++) {
        uint32_t parent = bones->parents[j];
        if (!is_free(m, j) || (parent != SN_NONE && is_free(m, parent))) continue;
        uint32_t above = parent == SN_NONE ? SN_NONE : m->joints[parent];
        uint32_t other = find_child(m, above, j, m->sizes[j]);    // in the middle that is itself
        if (other == SN_NONE) other = find_child(m, above, j, 0); // something hangs on one side alone
        if (other == SN_NONE) continue;
        m->joints[j] = other;
        m->joints[other] = j;
        paired += other == j ? 1 : 2;
    }
    return paired;
}

// The plane between two places that mirror each other.
static bool plane_between(const Mirror* m, snVec3 a, snVec3 b, Plane* out) {
    double way[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (!(length > 2.0 * m->joint_slack)) return false;
    for (int k = 0; k < 3; k++) out->normal[k] = way[k] / length;
    out->offset = 0.5 * (dot(out->normal, a) + dot(out->normal, b));
    return true;
}

// The next joint with the same parent and as much hanging on it, or SN_NONE.
static uint32_t next_like(const Mirror* m, uint32_t joint, uint32_t after) {
    const sniBones* bones = m->bones;
    for (uint32_t j = after + 1; j < bones->joint_count && j - joint < MOST_CHILDREN; j++) {
        if (bones->parents[j] == bones->parents[joint] && m->sizes[j] == m->sizes[joint]) return j;
    }
    return SN_NONE;
}

static bool pairs_enough(const Mirror* m, uint32_t paired) {
    return (double)paired >= LEAST_PART * m->bones->joint_count;
}

// Of the planes between like limbs of one joint the one that pairs most joints. They are tried in the order
// of the joints: arms and legs come before fingers.
static bool find_plane(Mirror* m) {
    const sniBones* bones = m->bones;
    uint32_t most = 0, tried = 0;
    Plane best = {0};
    for (uint32_t i = 0; i < bones->joint_count && tried < MOST_PLANES; i++) {
        for (uint32_t j = next_like(m, i, i); j != SN_NONE && tried < MOST_PLANES; j = next_like(m, i, j)) {
            // Some limbs begin in the middle, with a joint of their own there.
            if (!plane_between(m, bones->origins[i], bones->origins[j], &m->plane) &&
                !plane_between(m, m->tails[i], m->tails[j], &m->plane)) {
                continue;
            }
            tried++;
            uint32_t paired = pair_joints(m);
            if (paired <= most) continue;
            most = paired;
            best = m->plane;
        }
    }
    m->plane = best;
    return most > 0 && pairs_enough(m, most);
}

static void measure_joints(const Mirror* m) {
    const sniBones* bones = m->bones;
    for (uint32_t j = bones->joint_count; j-- > 0;) {
        m->sizes[j]++;
        if (bones->parents[j] != SN_NONE) m->sizes[bones->parents[j]] += m->sizes[j];
        m->tails[j] = bones->origins[j];
    }
    for (uint32_t b = 0; b < bones->bone_count;) {
        uint32_t joint = bones->bones[b].joint, first = b;
        snVec3 sum = sn_vec3(0, 0, 0);
        for (; b < bones->bone_count && bones->bones[b].joint == joint; b++) {
            sum = sn_add(sum, bones->bones[b].tail);
        }
        m->tails[joint] = sn_scale(sum, 1.0f / (float)(b - first));
    }
}

// ------------------------------------------------------------------------------------------------ points

static uint32_t strip_of(const Mirror* m, double place) {
    double strip = (place - m->first) * m->per_length;
    if (!(strip > 0.0)) return 0;
    return strip < (double)m->strips ? (uint32_t)strip : m->strips - 1;
}

// Sorts the points by how far along the plane they lie, which mirroring does not change. The direction is
// none that meshes are built along, so that few points share a strip.
static void sort_points(Mirror* m) {
    const sniSurface* s = m->surface;
    const double* n = m->plane.normal;
    double axis[3] = {0.0, 0.0, 0.0}, low = DBL_MAX, high = -DBL_MAX;
    axis[fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2)] = 1;
    double u[3] = {n[1] * axis[2] - n[2] * axis[1], n[2] * axis[0] - n[0] * axis[2],
                   n[0] * axis[1] - n[1] * axis[0]};
    double v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    for (int k = 0; k < 3; k++) m->along[k] = 0.8 * u[k] + 0.6180339887 * v[k];
    for (uint32_t p = 0; p < s->point_count; p++) {
        double place = dot(m->along, s->points[p]);
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    m->first = low;
    m->per_length = high > low ? (double)m->strips / (high - low) : 0.0;
    memset(m->starts, 0, ((size_t)m->strips + 2) * sizeof *m->starts);
    for (uint32_t p = 0; p < s->point_count; p++) m->starts[strip_of(m, dot(m->along, s->points[p])) + 2]++;
    for (uint32_t i = 0; i < m->strips; i++) m->starts[i + 2] += m->starts[i + 1];
    for (uint32_t p = 0; p < s->point_count; p++) {
        m->list[m->starts[strip_of(m, dot(m->along, s->points[p])) + 1]++] = p;
    }
    for (uint32_t i = 0; i < s->point_count; i++) m->listed[i] = s->points[m->list[i]];
}

// The point that is nearest to where the mirror shows one, within the slack.
static uint32_t find_counterpart(const Mirror* m, uint32_t point) {
    snVec3 shown = reflect(&m->plane, m->surface->points[point]);
    double place = dot(m->along, shown), slack = m->point_slack;
    uint32_t from = strip_of(m, place - slack), to = strip_of(m, place + slack), best = SN_NONE;
    float nearest = (float)(slack * slack);
    for (uint32_t i = m->starts[from]; i < m->starts[to + 1]; i++) {
        snVec3 way = sn_sub(m->listed[i], shown);
        float square = sn_dot(way, way);
        if (!(square < nearest)) continue;
        nearest = square;
        best = m->list[i];
    }
    return best;
}

// The part of some points that have a counterpart.
static double try_points(const Mirror* m) {
    uint32_t count = m->surface->point_count, step = count / TRIALS + 1, found = 0, asked = 0;
    for (uint32_t p = 0; p < count; p += step, asked++) found += find_counterpart(m, p) != SN_NONE;
    return asked > 0 ? (double)found / asked : 0.0;
}

// The plane along an axis of the file that this one is meant to be.
static bool straighten(Plane* plane) {
    for (int k = 0; k < 3; k++) {
        if (fabs(plane->normal[k]) < SAME_AXIS) continue;
        double sign = plane->normal[k] < 0.0 ? -1.0 : 1.0;
        *plane = (Plane){.offset = plane->offset * sign};
        plane->normal[k] = 1.0;
        return true;
    }
    return false;
}

// Tries planes with this normal: that of the joints, that through the origin and that through the middle of
// the mesh. Returns the part of the points that the best has paired.
static double try_offsets(Mirror* m) {
    snVec3 middle = sn_lerp(m->surface->bounds.min, m->surface->bounds.max, 0.5f);
    double offsets[3] = {m->plane.offset, 0.0, dot(m->plane.normal, middle)}, most = 0.0;
    double best = offsets[0];
    sort_points(m);
    for (int i = 0; i < 3; i++) {
        if (fabs(offsets[i] - offsets[0]) > m->joint_slack) continue;
        m->plane.offset = offsets[i];
        double part = try_points(m);
        if (part <= most) continue;
        most = part;
        best = offsets[i];
    }
    m->plane.offset = best;
    return most;
}

// Joints tell about where the plane is; the mesh tells where, most often along an axis of the file.
static bool place_plane(Mirror* m) {
    Plane drawn = m->plane;
    double straight = straighten(&m->plane) ? try_offsets(m) : 0.0;
    if (straight >= LEAST_PART) return true;
    m->plane = drawn;
    return try_offsets(m) >= LEAST_PART;
}

// Fish and snakes have no limbs to ask: the planes along the axes are tried.
static bool find_symmetry(Mirror* m) {
    if (find_plane(m)) return place_plane(m);
    for (int k = 0; k < 3; k++) {
        m->plane = (Plane){0};
        m->plane.normal[k] = 1.0;
        m->plane.offset = dot(m->plane.normal, m->bones->origins[0]);
        if (pairs_enough(m, pair_joints(m)) && place_plane(m)) return true;
    }
    return false;
}

// Points of one side look for those of the other; who comes first has them.
static void pair_points(Mirror* m) {
    uint32_t count = m->surface->point_count;
    for (uint32_t p = 0; p < count; p++) m->points[p] = SN_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = m->list[i];
        double side = dot(m->plane.normal, m->listed[i]) - m->plane.offset;
        if (side < -m->point_slack || m->points[p] != SN_NONE) continue;
        uint32_t other = find_counterpart(m, p);
        if (other == SN_NONE || m->points[other] != SN_NONE) continue;
        m->points[p] = other;
        m->points[other] = p;
    }
}

// ----------------------------------------------------------------------------------------------- weights

static bool all_paired(const Mirror* m, const sniTop* top, uint32_t point) {
    for (size_t k = (size_t)point * SNI_TOP; k < ((size_t)point + 1) * SNI_TOP && top->weights[k] > 0.0f;
         k++) {
        if (is_free(m, top->joints[k])) return false;
    }
    return true;
}

// The mean of what both sides say, as seen from the first.
static void mix_sides(const Mirror* m, const sniTop* top, uint32_t p, uint32_t other, sniMix* mix) {
    sni_mix_add_item(mix, top, p, 0.5f);
    for (size_t k = (size_t)other * SNI_TOP; k < ((size_t)other + 1) * SNI_TOP; k++) {
        sni_mix_add(mix, m->joints[top->joints[k]], top->weights[k] * 0.5f);
    }
}

// One piece that is its own mirror image gets the mean of both sides. Of two pieces that mirror each other,
// the first speaks for both: means would soften what moves as one.
static void mirror_pair(const Mirror* m, uint32_t p, uint32_t other, sniMix* mix, sniTop* top) {
    const uint32_t* pieces = m->surface->components;
    if (pieces[p] == pieces[other]) {
        mix_sides(m, top, p, other, mix);
        sni_top_clear(top, p);
        sni_mix_flush(mix, top, p);
    }
    if (other == p) return;
    sni_top_copy(top, other, top, p);
    for (size_t k = (size_t)other * SNI_TOP; k < ((size_t)other + 1) * SNI_TOP && top->weights[k] > 0.0f;
         k++) {
        top->joints[k] = (uint16_t)m->joints[top->joints[k]];
    }
}

static uint32_t mirror_weights(const Mirror* m, sniMix* mix, sniTop* top) {
    uint32_t mirrored = 0;
    for (uint32_t p = 0; p < top->count; p++) {
        uint32_t other = m->points[p];
        if (other == SN_NONE || other < p || !all_paired(m, top, p) || !all_paired(m, top, other)) continue;
        bool turned = m->surface->components[other] < m->surface->components[p];
        mirror_pair(m, turned ? other : p, turned ? p : other, mix, top);
        mirrored += other == p ? 1 : 2;
    }
    return mirrored;
}

// ------------------------------------------------------------------------------------------------- whole

static snResult run(Mirror* m, sniTop* points, snError* error) {
    sniMix mix = {0};
    if (m->sizes == NULL || m->tails == NULL || m->joints == NULL || m->points == NULL || m->starts == NULL ||
        m->list == NULL)
        return sni_fail_memory(error);
    SNI_TRY(sni_mix_create(m->bones->joint_count, &m->bind->allocator, &mix, error));
    measure_joints(m);
    if (SNI_RULE(mirror) && find_symmetry(m)) {
        pair_joints(m);
        pair_points(m);
        m->bind->report->mirrored = (float)mirror_weights(m, &mix, points) / (float)points->count;
        sni_top_normalize(points);
    }
    sni_mix_free(&mix, &m->bind->allocator);
    return SN_RESULT_OK;
}

snResult sni_weights_mirror(const sniBind* bind, sniTop* points, snError* error) {
    const snAllocator* memory = &bind->allocator;
    const sniSurface* surface = bind->surface;
    uint32_t count = surface->point_count;
    Mirror m = {.bind = bind,
                .surface = surface,
                .bones = bind->bones,
                .joint_slack = JOINT_SLACK * (double)surface->diagonal,
                .point_slack = POINT_SLACK * (double)surface->diagonal,
                .sizes = SNI_NEW_ARRAY(memory, uint32_t, bind->bones->joint_count),
                .tails = SNI_NEW_ARRAY(memory, snVec3, bind->bones->joint_count),
                .joints = SNI_NEW_ARRAY(memory, uint32_t, bind->bones->joint_count),
                .points = SNI_NEW_ARRAY(memory, uint32_t, count),
                .starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 2),
                .list = SNI_NEW_ARRAY(memory, uint32_t, count),
                .listed = SNI_NEW_ARRAY(memory, snVec3, count),
                .strips = count};
    snResult result = count > 0 ? run(&m, points, error) : SN_RESULT_OK;
    sni_free(memory, m.sizes);
    sni_free(memory, m.tails);
    sni_free(memory, m.joints);
    sni_free(memory, m.points);
    sni_free(memory, m.starts);
    sni_free(memory, m.list);
    sni_free(memory, m.listed);
    return result;
}
