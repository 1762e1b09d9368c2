// sn_builtin_cube and sn_builtin_sheet: rigid shapes of squares.
#include "base/error.h"
#include "base/memory.h"
#include "builtin/faces.h"
#include "sinew/builtin.h"

enum { MAX_DIVISIONS = 8192 };

typedef struct Box {
    float edge;
    uint32_t n; // divisions
    uint32_t vertex_count;
    snVec3* positions;
    sniFaces faces;
} Box;

static snResult box_check(float edge, uint32_t divisions, snModel* const* out, snError* error) {
    if (out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a shape needs a place for the model");
    if (!sn_finite(edge) || edge <= 0.0f) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the edge must be finite and above 0");
    }
    if (divisions < 1 || divisions > MAX_DIVISIONS) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "divisions is %u; expected 1 to %d",
                        (unsigned)divisions, MAX_DIVISIONS);
    }
    return SN_RESULT_OK;
}

static bool box_alloc(Box* box, size_t vertex_count, size_t quad_count, bool quads,
                      const snAllocator* allocator) {
    box->vertex_count = (uint32_t)vertex_count;
    box->positions = SNI_NEW_ARRAY(allocator, snVec3, vertex_count);
    return sni_faces_create(&box->faces, quad_count, quads, allocator) && box->positions != NULL;
}

static void box_free(Box* box, const snAllocator* allocator) {
    sni_free(allocator, box->positions);
    sni_faces_free(&box->faces, allocator);
}

// Grid line i of n along an edge centered on 0; mirrored lines are exact opposites.
static float grid_line(const Box* box, uint32_t i) {
    return box->edge * (((float)i - 0.5f * (float)box->n) / (float)box->n);
}

// Vertices by layers of y: a full square, then the border of each layer between, then a full square.
static uint32_t cube_vertex(uint32_t n, const uint32_t at[3]) {
    uint32_t i = at[0], j = at[1], k = at[2], square = (n + 1) * (n + 1);
    if (j == 0) return i * (n + 1) + k;
    if (j == n) return square + (n - 1) * 4 * n + i * (n + 1) + k;
    uint32_t around = k == 0 ? i : (i == n ? n + k : (k == n ? 3 * n - i : 4 * n - k));
    return square + (j - 1) * 4 * n + around;
}

// The side of the cube across `axis`: the two other axes in cyclic order turn counter-clockwise around it.
static void cube_side(Box* box, uint32_t axis, bool far) {
    uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3, n = box->n;
    static const uint32_t corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            uint32_t quad[4];
            for (uint32_t c = 0; c < 4; c++) {
                uint32_t at[3] = {0, 0, 0};
                at[axis] = far ? n : 0;
                at[u] = a + corners[c][0];
                at[v] = b + corners[c][1];
                quad[c] = cube_vertex(n, at);
                box->positions[quad[c]] =
                    sn_vec3(grid_line(box, at[0]), grid_line(box, at[1]), grid_line(box, at[2]));
            }
            if (far)
                sni_faces_add(&box->faces, quad[0], quad[1], quad[2], quad[3]);
            else
                sni_faces_add(&box->faces, quad[3], quad[2], quad[1], quad[0]);
        }
    }
}

static void sheet_fill(Box* box) {
    uint32_t row = box->n + 1;
    for (uint32_t z = 0; z < row; z++) {
        for (uint32_t x = 0; x < row; x++) {
            box->positions[z * row + x] = sn_vec3(grid_line(box, x), 0.0f, grid_line(box, z));
        }
    }
    for (uint32_t z = 0; z < box->n; z++) {
        for (uint32_t x = 0; x < box->n; x++) {
            uint32_t a = z * row + x;
            sni_faces_add(&box->faces, a, a + row, a + row + 1, a + 1);
        }
    }
}

static snResult box_model(const Box* box, const char* name, const snAllocator* allocator, snModel** out,
                          snError* error) {
    const char* names[1] = {"Root"};
    uint32_t parents[1] = {SN_NONE};
    snTrs rest[1] = {sn_trs_identity()};
    snSkeletonDef skeleton = {1, names, parents, rest};
    snMeshDef mesh = sni_faces_mesh(&box->faces, box->positions, box->vertex_count);
    snPartDef part = {.name = name, .mesh = &mesh, .joint = 0, .skin = SN_NONE};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    return sn_model_create(&def, allocator, out, error);
}

snResult sn_builtin_cube(float edge, uint32_t divisions, bool quads, const snAllocator* allocator,
                         snModel** out, snError* error) {
    snResult result = box_check(edge, divisions, out, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    Box box = {.edge = edge, .n = divisions};
    size_t squares = (size_t)divisions * divisions * 6;
    if (box_alloc(&box, squares + 2, squares, quads, &memory)) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            cube_side(&box, axis, false);
            cube_side(&box, axis, true);
        }
        result = box_model(&box, "Cube", &memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    box_free(&box, &memory);
    return result;
}

snResult sn_builtin_sheet(float edge, uint32_t divisions, bool quads, const snAllocator* allocator,
                          snModel** out, snError* error) {
    snResult result = box_check(edge, divisions, out, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    Box box = {.edge = edge, .n = divisions};
    size_t row = (size_t)divisions + 1;
    if (box_alloc(&box, row * row, (size_t)divisions * divisions, quads, &memory)) {
        sheet_fill(&box);
        result = box_model(&box, "Sheet", &memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    box_free(&box, &memory);
    return result;
}
