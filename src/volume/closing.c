// A volume needs a surface without a border: for every edge, as many faces that pass it one way as the other.
//
// Faces are turned over edges that two of them share, from the first face of each patch on; the majority of a
// patch keeps its way. What then is left unmatched forms loops, and each loop is closed by a fan of triangles
// around its mean, which is linear in the loop's points, so the volume stays linear along each axis.
#include "volume/closing.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

typedef struct Closing {
    sniClosed* closed;
    uint32_t side_count;
    uint32_t* sides;       // corner indices, grouped by edge: by lower point, then by upper point
    uint32_t* starts;      // point_count + 1; sides by their lower point
    uint64_t* keys;        // of one point's sides
    uint32_t* edge_starts; // edge_count + 1; into sides
    uint32_t edge_count;
    uint32_t* edge_of_corner; // 4 * face_count; SN_NONE: no side there
    uint8_t* turned;          // face_count; 0 not seen, 1 as it is, 2 turned
    uint32_t* queue;          // face_count
    uint32_t* from;           // open sides: what a cap must pass the other way
    uint32_t* to;
    uint32_t open_count;
    uint32_t* open_starts; // point_count + 1; open sides by `from`
    uint8_t* used;
} Closing;

// ------------------------------------------------------------------------------------------------- edges

static uint32_t corner_count(const sniFace* face) { return sni_face_is_triangle(face) ? 3 : 4; }

static void ends_of(const Closing* c, uint32_t corner, uint32_t* from, uint32_t* to) {
    const sniFace* face = &c->closed->faces[corner / 4];
    uint32_t i = corner % 4;
    *from = face->at[i];
    *to = face->at[i + 1 == corner_count(face) ? 0 : i + 1];
}

static bool is_side(const Closing* c, uint32_t corner) {
    return corner % 4 < corner_count(&c->closed->faces[corner / 4]);
}

static void group_sides(Closing* c) {
    uint32_t points = c->closed->point_count, corners = 4 * c->closed->face_count, from, to;
    for (uint32_t i = 0; i < corners; i++) {
        if (!is_side(c, i)) continue;
        ends_of(c, i, &from, &to);
        c->starts[(from < to ? from : to) + 1]++;
    }
    for (uint32_t i = 0; i < points; i++) c->starts[i + 1] += c->starts[i];
    for (uint32_t i = 0; i < corners; i++) {
        if (!is_side(c, i)) continue;
        ends_of(c, i, &from, &to);
        c->sides[c->starts[from < to ? from : to]++] = i;
    }
    for (uint32_t i = points; i > 0; i--) c->starts[i] = c->starts[i - 1];
    c->starts[0] = 0;
    c->side_count = c->starts[points];
}

static void find_edges(Closing* c) {
    uint32_t from, to;
    for (uint32_t i = 0; i < 4 * c->closed->face_count; i++) c->edge_of_corner[i] = SN_NONE;
    for (uint32_t p = 0; p < c->closed->point_count; p++) {
        uint32_t first = c->starts[p], count = c->starts[p + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            ends_of(c, c->sides[first + i], &from, &to);
            c->keys[i] = (uint64_t)(from < to ? to : from) << 32 | c->sides[first + i];
        }
        sni_sort_u64(c->keys, count);
        for (uint32_t i = 0; i < count; i++) {
            c->sides[first + i] = (uint32_t)c->keys[i];
            if (i == 0 || c->keys[i] >> 32 != c->keys[i - 1] >> 32)
                c->edge_starts[c->edge_count++] = first + i;
            c->edge_of_corner[c->sides[first + i]] = c->edge_count - 1;
        }
    }
    c->edge_starts[c->edge_count] = c->side_count;
}

// -------------------------------------------------------------------------------------------------- turning

static bool turned(const Closing* c, uint32_t corner) { return c->turned[corner / 4] == 2; }

// Whether a side, with its face turned as decided, goes from the lower point to the upper.
static bool goes_up(const Closing* c, uint32_t corner) {
    uint32_t from, to;
    ends_of(c, corner, &from, &to);
    return (from < to) != turned(c, corner);
}

// Decides the face across an edge; false when it was decided otherwise.
static bool pass_on(Closing* c, uint32_t corner, uint32_t* tail) {
    uint32_t edge = c->edge_of_corner[corner];
    if (c->edge_starts[edge + 1] - c->edge_starts[edge] != 2) return true;
    const uint32_t* pair = c->sides + c->edge_starts[edge];
    uint32_t other = pair[0] == corner ? pair[1] : pair[0], face = other / 4;
    bool up = goes_up(c, corner);
    if (c->turned[face] != 0) return goes_up(c, other) != up;
    c->turned[face] = 1;
    if (goes_up(c, other) == up) c->turned[face] = 2;
    c->queue[(*tail)++] = face;
    return true;
}

// Turns what hangs together with `face` over edges of two; the majority stays as it is.
static void turn_patch(Closing* c, uint32_t face) {
    sniClosed* closed = c->closed;
    uint32_t head = 0, tail = 0, away = 0;
    c->turned[face] = 1;
    c->queue[tail++] = face;
    bool agrees = true;
    while (head < tail) {
        uint32_t f = c->queue[head++];
        away += c->turned[f] == 2;
        for (uint32_t i = 0; i < corner_count(&closed->faces[f]); i++) {
            agrees &= pass_on(c, 4 * f + i, &tail);
        }
    }
    snShell* shell = &closed->shells[closed->face_shells[face]];
    if (!agrees) shell->kind = SN_SHELL_UNORIENTED;
    bool most = 2 * away > tail;
    shell->turned_faces += most ? tail - away : away;
    for (uint32_t i = 0; i < tail && most; i++) c->turned[c->queue[i]] ^= 3;
}

static void turn_faces(Closing* c) {
    sniClosed* closed = c->closed;
    for (uint32_t f = 0; f < closed->face_count; f++) {
        if (c->turned[f] == 0) turn_patch(c, f);
    }
    for (uint32_t e = 0; e < c->edge_count; e++) {
        uint32_t uses = c->edge_starts[e + 1] - c->edge_starts[e];
        uint32_t face = c->sides[c->edge_starts[e]] / 4;
        closed->shells[closed->face_shells[face]].crowded_edges += uses > 2;
    }
}

static void apply_turns(Closing* c) {
    for (uint32_t f = 0; f < c->closed->face_count; f++) {
        if (c->turned[f] != 2) continue;
        sniFace* face = &c->closed->faces[f];
        uint32_t first = face->at[0];
        if (sni_face_is_triangle(face)) {
            *face = (sniFace){{first, face->at[2], face->at[1], face->at[1]}};
        } else {
            *face = (sniFace){{first, face->at[3], face->at[2], face->at[1]}};
        }
    }
}

// ----------------------------------------------------------------------------------------------- openings

// Sides that no other face passes the other way.
static void find_open_sides(Closing* c) {
    for (uint32_t e = 0; e < c->edge_count; e++) {
        uint32_t up = 0, down = 0, from, to;
        for (uint32_t i = c->edge_starts[e]; i < c->edge_starts[e + 1]; i++) {
            bool goes = goes_up(c, c->sides[i]);
            up += goes;
            down += !goes;
        }
        ends_of(c, c->sides[c->edge_starts[e]], &from, &to);
        uint32_t low = from < to ? from : to, high = from < to ? to : from;
        for (uint32_t i = down; i < up; i++, c->open_count++)
            c->from[c->open_count] = low, c->to[c->open_count] = high;
        for (uint32_t i = up; i < down; i++, c->open_count++)
            c->from[c->open_count] = high, c->to[c->open_count] = low;
    }
}

// Open sides by where they start, in their order.
static void index_open_sides(Closing* c, uint32_t* order) {
    uint32_t points = c->closed->point_count;
    for (uint32_t i = 0; i < c->open_count; i++) c->open_starts[c->from[i] + 1]++;
    for (uint32_t i = 0; i < points; i++) c->open_starts[i + 1] += c->open_starts[i];
    for (uint32_t i = 0; i < c->open_count; i++) order[c->open_starts[c->from[i]]++] = i;
    for (uint32_t i = points; i > 0; i--) c->open_starts[i] = c->open_starts[i - 1];
    c->open_starts[0] = 0;
}

static uint32_t unused_from(const Closing* c, const uint32_t* order, uint32_t point) {
    for (uint32_t i = c->open_starts[point]; i < c->open_starts[point + 1]; i++) {
        if (!c->used[order[i]]) return order[i];
    }
    return SN_NONE;
}

static void add_cap(Closing* c, uint32_t first, uint32_t count) {
    sniClosed* closed = c->closed;
    uint32_t center = closed->point_count + closed->cap_count;
    const uint32_t* loop = closed->loop_points + first;
    uint32_t shell = closed->point_shells[loop[0]];
    closed->caps[closed->cap_count++] = (sniCap){center, first, count, shell};
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        snVec3 p = closed->rest[loop[i]];
        sum[0] += (double)p.x, sum[1] += (double)p.y, sum[2] += (double)p.z;
        uint32_t next = loop[i + 1 == count ? 0 : i + 1];
        // The faces pass from loop[i] to the next; the cap passes back.
        closed->face_shells[closed->face_count] = shell;
        closed->faces[closed->face_count++] = (sniFace){{center, next, loop[i], loop[i]}};
    }
    double n = (double)count;
    closed->rest[center] = sn_vec3((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
    closed->point_shells[center] = shell;
    closed->shells[shell].opening_count++;
}

// At every point as many open sides come as go, so a walk ends only where it began.
static void walk_loops(Closing* c, const uint32_t* order) {
    sniClosed* closed = c->closed;
    uint32_t used = 0;
    for (uint32_t i = 0; i < c->open_count; i++) {
        if (c->used[i]) continue;
        uint32_t first = used, start = c->from[i];
        for (uint32_t side = i; side != SN_NONE;) {
            c->used[side] = 1;
            closed->loop_points[used++] = c->from[side];
            side = c->to[side] == start ? SN_NONE : unused_from(c, order, c->to[side]);
        }
        add_cap(c, first, used - first);
    }
}

// Makes room for one face and one member of a loop per open side, and for as many caps.
static bool grow(Closing* c) {
    sniClosed* closed = c->closed;
    const snAllocator* memory = &closed->allocator;
    size_t open = c->open_count, faces = closed->face_count, points = closed->point_count;
    sniFace* more_faces = SNI_NEW_ARRAY(memory, sniFace, faces + open);
    uint32_t* more_face_shells = SNI_NEW_ARRAY(memory, uint32_t, faces + open);
    snVec3* more_rest = SNI_NEW_ARRAY(memory, snVec3, points + open);
    uint32_t* more_point_shells = SNI_NEW_ARRAY(memory, uint32_t, points + open);
    closed->caps = SNI_NEW_ARRAY(memory, sniCap, open);
    closed->loop_points = SNI_NEW_ARRAY(memory, uint32_t, open);
    bool ready = more_faces != NULL && more_face_shells != NULL && more_rest != NULL &&
                 more_point_shells != NULL && closed->caps != NULL && closed->loop_points != NULL;
    if (ready) {
        memcpy(more_faces, closed->faces, faces * sizeof *more_faces);
        memcpy(more_face_shells, closed->face_shells, faces * sizeof *more_face_shells);
        memcpy(more_rest, closed->rest, points * sizeof *more_rest);
        memcpy(more_point_shells, closed->point_shells, points * sizeof *more_point_shells);
    }
    void* drop[] = {
        ready ? (void*)closed->faces : more_faces, ready ? (void*)closed->face_shells : more_face_shells,
        ready ? (void*)closed->rest : more_rest, ready ? (void*)closed->point_shells : more_point_shells};
    for (size_t i = 0; i < sizeof drop / sizeof drop[0]; i++) sni_free(memory, drop[i]);
    if (!ready) return false;
    closed->faces = more_faces;
    closed->face_shells = more_face_shells;
    closed->rest = more_rest;
    closed->point_shells = more_point_shells;
    return true;
}

// ---------------------------------------------------------------------------------------------- as a whole

static bool allocate(Closing* c) {
    const snAllocator* memory = &c->closed->allocator;
    size_t corners = 4 * (size_t)c->closed->face_count, points = c->closed->point_count;
    c->sides = SNI_NEW_ARRAY(memory, uint32_t, corners);
    c->starts = SNI_NEW_ARRAY(memory, uint32_t, points + 1);
    c->keys = SNI_NEW_ARRAY(memory, uint64_t, corners);
    c->edge_starts = SNI_NEW_ARRAY(memory, uint32_t, corners + 1);
    c->edge_of_corner = SNI_NEW_ARRAY(memory, uint32_t, corners);
    c->turned = SNI_NEW_ARRAY(memory, uint8_t, c->closed->face_count);
    c->queue = SNI_NEW_ARRAY(memory, uint32_t, c->closed->face_count);
    c->from = SNI_NEW_ARRAY(memory, uint32_t, corners);
    c->to = SNI_NEW_ARRAY(memory, uint32_t, corners);
    c->open_starts = SNI_NEW_ARRAY(memory, uint32_t, points + 1);
    c->used = SNI_NEW_ARRAY(memory, uint8_t, corners);
    return c->sides != NULL && c->starts != NULL && c->keys != NULL && c->edge_starts != NULL &&
           c->edge_of_corner != NULL && c->turned != NULL && c->queue != NULL && c->from != NULL &&
           c->to != NULL && c->open_starts != NULL && c->used != NULL;
}

snResult sni_close(sniClosed* closed, snError* error) {
    Closing c = {.closed = closed};
    bool ready = allocate(&c);
    if (ready) {
        group_sides(&c);
        find_edges(&c);
        turn_faces(&c);
        find_open_sides(&c);
        index_open_sides(&c, c.sides); // the edges have served
    }
    if (ready) ready = grow(&c);
    if (ready) {
        apply_turns(&c);
        walk_loops(&c, c.sides);
    }
    void* arrays[] = {c.sides, c.starts, c.keys,        c.edge_starts, c.edge_of_corner, c.turned, c.queue,
                      c.from,  c.to,     c.open_starts, c.used};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&closed->allocator, arrays[i]);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}
