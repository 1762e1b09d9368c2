// sn_builtin_tube: a bar or cylinder along +Y with a chain of bones.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "builtin/faces.h"
#include "builtin/motion.h"
#include "sinew/builtin.h"

enum { MAX_SIDES = 4096, MAX_RINGS = 65536, MAX_SEGMENTS = 256, CLIP_INTERVALS = 60, INFLUENCES = 2 };

typedef struct Tube {
    const snTubeDef* def;
    uint32_t cap_rings; // rings of quads inside each cap
    uint32_t centers;   // 1: a vertex in the middle of each cap
    uint32_t vertex_count;
    snVec3* positions;
    uint16_t* joints;
    float* weights;
    sniFaces faces;
} Tube;

static snResult tube_check(const snTubeDef* def, snError* error) {
    const snResult bad = SN_RESULT_INVALID_ARGUMENT;
    if (!sn_finite(def->length) || def->length <= 0.0f || !sn_finite(def->radius) || def->radius <= 0.0f) {
        return sni_fail(error, bad, "length and radius of a tube must be finite and above 0");
    }
    if (def->sides < 3 || def->sides > MAX_SIDES) {
        return sni_fail(error, bad, "sides is %u; expected 3 to %d", (unsigned)def->sides, MAX_SIDES);
    }
    if (def->rings < 1 || def->rings > MAX_RINGS) {
        return sni_fail(error, bad, "rings is %u; expected 1 to %d", (unsigned)def->rings, MAX_RINGS);
    }
    if (def->segments < 1 || def->segments > MAX_SEGMENTS) {
        return sni_fail(error, bad, "segments is %u; expected 1 to %d", (unsigned)def->segments,
                        MAX_SEGMENTS);
    }
    return SN_RESULT_OK;
}

static bool tube_alloc(Tube* tube, const snAllocator* allocator) {
    const snTubeDef* def = tube->def;
    // A square or triangle is its own cap. Others get rings about as wide as a side, then a middle.
    tube->cap_rings = def->sides > 4 ? (def->sides - 1) / 8 : 0;
    tube->centers = def->sides > 4 ? 1 : 0;
    uint32_t rows = def->rings + 1 + 2 * tube->cap_rings;
    tube->vertex_count = def->sides * rows + 2 * tube->centers;
    size_t influences = (size_t)tube->vertex_count * INFLUENCES;
    tube->positions = SNI_NEW_ARRAY(allocator, snVec3, tube->vertex_count);
    tube->joints = SNI_NEW_ARRAY(allocator, uint16_t, influences);
    tube->weights = SNI_NEW_ARRAY(allocator, float, influences);
    return tube->positions != NULL && tube->joints != NULL && tube->weights != NULL &&
           sni_faces_create(&tube->faces, (size_t)def->sides * (rows + 1), def->quads, allocator);
}

static void tube_free(Tube* tube, const snAllocator* allocator) {
    sni_free(allocator, tube->positions);
    sni_free(allocator, tube->joints);
    sni_free(allocator, tube->weights);
    sni_faces_free(&tube->faces, allocator);
}

// Corner `side` of the cross-section, counter-clockwise seen from +Y.
static snVec3 section_corner(const snTubeDef* def, uint32_t side) {
    if (def->sides == 4) {
        static const float square[4][2] = {{-1.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, -1.0f}, {-1.0f, -1.0f}};
        return sn_vec3(square[side][0] * def->radius, 0.0f, square[side][1] * def->radius);
    }
    float angle = 2.0f * SN_PI * (float)side / (float)def->sides;
    return sn_vec3(def->radius * sn_sin(angle), 0.0f, def->radius * sn_cos(angle));
}

// Row r of the tube from the bottom cap's innermost ring to the top cap's: its height and how far it is
// shrunk.
static void row_place(const Tube* tube, uint32_t row, float* height, float* shrink) {
    uint32_t rings = tube->def->rings, caps = tube->cap_rings;
    uint32_t on_side = row < caps ? 0 : (row - caps > rings ? rings : row - caps);
    uint32_t inwards = row < caps ? caps - row : (row > caps + rings ? row - caps - rings : 0);
    *height = tube->def->length * ((float)on_side / (float)rings);
    *shrink = 1.0f - (float)inwards / (float)(caps + 1);
}

static void weigh(const Tube* tube, uint32_t vertex) {
    uint32_t segments = tube->def->segments;
    float bones = tube->positions[vertex].y / tube->def->length * (float)segments;
    // The nearest inner joint shares its vertices over half a bone's length.
    float nearest = sn_clampf(floorf(bones + 0.5f), 0.0f, (float)segments);
    float t = sn_clampf((bones - nearest + 0.25f) / 0.5f, 0.0f, 1.0f);
    float upper = t * t * (3.0f - 2.0f * t);
    uint32_t above = (uint32_t)nearest, below = above > 0 ? above - 1 : 0;
    if (above >= segments) above = segments - 1;
    size_t at = (size_t)vertex * INFLUENCES;
    tube->joints[at] = (uint16_t)below;
    tube->joints[at + 1] = (uint16_t)above;
    tube->weights[at] = below != above ? 1.0f - upper : 1.0f;
    tube->weights[at + 1] = below != above ? upper : 0.0f;
}

static void tube_vertices(Tube* tube) {
    uint32_t sides = tube->def->sides, rows = tube->def->rings + 1 + 2 * tube->cap_rings;
    for (uint32_t row = 0; row < rows; row++) {
        float height = 0.0f, shrink = 0.0f;
        row_place(tube, row, &height, &shrink);
        for (uint32_t side = 0; side < sides; side++) {
            snVec3 corner = section_corner(tube->def, side);
            tube->positions[row * sides + side] = sn_vec3(corner.x * shrink, height, corner.z * shrink);
        }
    }
    if (tube->centers > 0) {
        snVec3* centers = &tube->positions[(size_t)rows * sides];
        centers[0] = sn_vec3(0.0f, 0.0f, 0.0f);
        centers[1] = sn_vec3(0.0f, tube->def->length, 0.0f);
    }
    for (uint32_t v = 0; v < tube->vertex_count; v++) weigh(tube, v);
}

// Closes the ring that starts at `first`. A middle vertex takes two sides a quad where their number is even.
static void close_cap(Tube* tube, uint32_t first, uint32_t center, bool top) {
    uint32_t sides = tube->def->sides;
    uint32_t ring[MAX_SIDES];
    for (uint32_t n = 0; n < sides; n++) ring[n] = first + (top ? n : sides - 1 - n);
    if (sides == 3) sni_faces_add_triangle(&tube->faces, ring[0], ring[1], ring[2]);
    if (sides == 4) sni_faces_add(&tube->faces, ring[0], ring[1], ring[2], ring[3]);
    if (sides <= 4) return;
    uint32_t step = sides % 2 == 0 ? 2 : 1;
    for (uint32_t n = 0; n < sides; n += step) {
        uint32_t a = ring[n], b = ring[(n + 1) % sides];
        if (step == 2)
            sni_faces_add(&tube->faces, center, a, b, ring[(n + 2) % sides]);
        else
            sni_faces_add_triangle(&tube->faces, center, a, b);
    }
}

static void tube_faces(Tube* tube) {
    uint32_t sides = tube->def->sides, rows = tube->def->rings + 1 + 2 * tube->cap_rings;
    for (uint32_t row = 0; row + 1 < rows; row++) {
        for (uint32_t side = 0; side < sides; side++) {
            uint32_t next = (side + 1) % sides, low = row * sides, high = low + sides;
            sni_faces_add(&tube->faces, low + side, low + next, high + next, high + side);
        }
    }
    close_cap(tube, 0, rows * sides, false);
    close_cap(tube, (rows - 1) * sides, rows * sides + 1, true);
}

// "bend" turns every inner joint, "twist" the last bone; there and back, closed.
static bool tube_motions(const snTubeDef* def, const snAllocator* allocator, sniMotion motions[2]) {
    motions[0] = motions[1] = (sniMotion){0};
    if (!sni_motion_create(&motions[0], "bend", def->segments, CLIP_INTERVALS, allocator)) return false;
    if (!sni_motion_create(&motions[1], "twist", def->segments, CLIP_INTERVALS, allocator)) return false;
    for (uint32_t k = 0; k < CLIP_INTERVALS; k++) {
        float share = 0.5f - 0.5f * sn_cos(2.0f * SN_PI * (float)k / (float)CLIP_INTERVALS);
        snQuat bend = sn_quat_axis_angle(sn_vec3(0.0f, 0.0f, -1.0f), 0.5f * SN_PI * share);
        snQuat twist = sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), SN_PI * share);
        for (uint32_t j = 1; j < def->segments; j++) *sni_motion_rotation(&motions[0], j, k) = bend;
        *sni_motion_rotation(&motions[1], def->segments - 1, k) = twist;
    }
    sni_motion_close(&motions[0]);
    sni_motion_close(&motions[1]);
    return true;
}

static snResult tube_model(const Tube* tube, const snAllocator* allocator, snModel** out, snError* error) {
    uint32_t count = tube->def->segments;
    char text[MAX_SEGMENTS][16];
    const char* names[MAX_SEGMENTS];
    uint32_t parents[MAX_SEGMENTS], joints[MAX_SEGMENTS];
    snTrs rest[MAX_SEGMENTS];
    for (uint32_t n = 0; n < count; n++) {
        snprintf(text[n], sizeof text[n], "Bone%u", (unsigned)(n + 1));
        names[n] = text[n];
        parents[n] = n > 0 ? n - 1 : SN_NONE;
        joints[n] = n;
        rest[n] = sn_trs_identity();
        if (n > 0) rest[n].translation.y = tube->def->length / (float)count;
    }
    sniMotion motions[2];
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (tube_motions(tube->def, allocator, motions)) {
        snMeshDef mesh = sni_faces_mesh(&tube->faces, tube->positions, tube->vertex_count);
        snSkeletonDef skeleton = {count, names, parents, rest};
        snSkinDef skin = {"Tube", count, joints, NULL};
        snPartDef part = {.name = "Tube", .mesh = &mesh, .joint = 0, .skin = 0, .influences = INFLUENCES};
        part.joints = tube->joints;
        part.weights = tube->weights;
        snClipDef clips[2] = {sni_motion_def(&motions[0]), sni_motion_def(&motions[1])};
        snModelDef def = {&skeleton, 1, &skin, 1, &part, 2, clips};
        result = sn_model_create(&def, allocator, out, error);
    } else {
        sni_fail_memory(error);
    }
    sni_motion_destroy(&motions[0]);
    sni_motion_destroy(&motions[1]);
    return result;
}

snTubeDef sn_tube_def(void) { return (snTubeDef){3.0f, 0.35f, 32, 48, 3, true}; }

snResult sn_builtin_tube(const snTubeDef* def, const snAllocator* allocator, snModel** out, snError* error) {
    if (def == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a tube needs a def and a place for the model");
    }
    snResult result = tube_check(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    Tube tube = {.def = def};
    if (tube_alloc(&tube, &memory)) {
        tube_vertices(&tube);
        tube_faces(&tube);
        result = tube_model(&tube, &memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    tube_free(&tube, &memory);
    return result;
}
