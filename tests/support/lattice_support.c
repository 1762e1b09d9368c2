#include "lattice_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void solid_free(Solid* solid) {
    free(solid->points);
    free(solid->triangles);
    *solid = (Solid){0};
}

uint32_t solid_add_point(Solid* solid, snVec3 p) {
    if ((solid->point_count & (solid->point_count - 1)) == 0) {
        size_t room = solid->point_count == 0 ? 1 : (size_t)solid->point_count * 2;
        solid->points = realloc(solid->points, room * sizeof *solid->points);
    }
    solid->points[solid->point_count] = p;
    return solid->point_count++;
}

void solid_add_triangle(Solid* solid, uint32_t a, uint32_t b, uint32_t c) {
    if ((solid->triangle_count & (solid->triangle_count - 1)) == 0) {
        size_t room = solid->triangle_count == 0 ? 1 : (size_t)solid->triangle_count * 2;
        solid->triangles = realloc(solid->triangles, room * 3 * sizeof *solid->triangles);
    }
    uint32_t* t = solid->triangles + 3 * (size_t)solid->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void add_quad(Solid* solid, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    solid_add_triangle(solid, a, b, c);
    solid_add_triangle(solid, a, c, d);
}

void solid_add_box(Solid* solid, snVec3 min, snVec3 max) {
    uint32_t first = solid->point_count;
    for (uint32_t i = 0; i < 8; i++) {
        solid_add_point(solid,
                        sn_vec3(i & 1 ? max.x : min.x, i >> 1 & 1 ? max.y : min.y, i >> 2 ? max.z : min.z));
    }
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++) {
        add_quad(solid, first + faces[f][0], first + faces[f][1], first + faces[f][2], first + faces[f][3]);
    }
}

void solid_add_sphere(Solid* solid, snVec3 center, float radius, uint32_t rings) {
    uint32_t sectors = 2 * rings;
    uint32_t south = solid_add_point(solid, sn_sub(center, sn_vec3(0, radius, 0)));
    uint32_t north = solid_add_point(solid, sn_add(center, sn_vec3(0, radius, 0)));
    uint32_t first = solid->point_count;
    for (uint32_t r = 1; r < rings; r++) {
        float tilt = SN_PI * ((float)r / (float)rings - 0.5f);
        for (uint32_t s = 0; s < sectors; s++) {
            float turn = 2 * SN_PI * (float)s / (float)sectors;
            snVec3 way = {sn_cos(tilt) * sn_cos(turn), sn_sin(tilt), sn_cos(tilt) * sn_sin(turn)};
            solid_add_point(solid, sn_add(center, sn_scale(way, radius)));
        }
    }
    for (uint32_t s = 0; s < sectors; s++) {
        uint32_t next = (s + 1) % sectors, top = first + (rings - 2) * sectors;
        solid_add_triangle(solid, south, first + s, first + next);
        solid_add_triangle(solid, north, top + next, top + s);
        for (uint32_t r = 0; r + 2 < rings; r++) {
            uint32_t a = first + r * sectors;
            add_quad(solid, a + s, a + sectors + s, a + sectors + next, a + next);
        }
    }
}

// Faces of unit blocks against air, with shared points: a solid from a map of blocks in the XY plane.
typedef struct Blocks {
    uint32_t wide, high;
    const char* map; // wide * high, '#': solid
    const float* x;  // wide + 1
    const float* y;  // high + 1
    float depth;
    uint32_t layers;   // along z
    uint32_t* indices; // of points, SN_NONE: not made yet
} Blocks;

static uint32_t block_point(Solid* solid, Blocks* blocks, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t* index = &blocks->indices[(z * (blocks->high + 1) + y) * (blocks->wide + 1) + x];
    if (*index == SN_NONE) {
        float depth = blocks->depth * (float)z / (float)blocks->layers;
        *index = solid_add_point(solid, sn_vec3(blocks->x[x], blocks->y[y], depth));
    }
    return *index;
}

static bool block_solid(const Blocks* blocks, int64_t x, int64_t y, int64_t z) {
    if (x < 0 || y < 0 || z < 0 || x >= blocks->wide || y >= blocks->high || z >= blocks->layers)
        return false;
    return blocks->map[(uint32_t)y * blocks->wide + (uint32_t)x] == '#';
}

static void add_block(Solid* solid, Blocks* blocks, uint32_t x, uint32_t y, uint32_t z) {
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        int64_t n[3] = {x, y, z};
        n[f / 2] += f % 2 ? 1 : -1;
        if (block_solid(blocks, n[0], n[1], n[2])) continue;
        uint32_t p[4];
        for (int c = 0; c < 4; c++) {
            uint32_t corner = (uint32_t)faces[f][c];
            p[c] = block_point(solid, blocks, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
        }
        add_quad(solid, p[0], p[1], p[2], p[3]);
    }
}

void solid_add_fork(Solid* solid, float width, float gap, float length, float depth) {
    enum { HIGH = 13, WIDE = 9, LAYERS = 4 };
    float x[WIDE + 1], y[HIGH + 1];
    char map[WIDE * HIGH];
    for (int i = 0; i <= 4; i++) {
        x[i] = width * (float)i / 4.0f;
        x[i + 5] = width + gap + x[i];
    }
    y[0] = 0;
    for (int i = 1; i <= HIGH; i++) y[i] = width + length * (float)(i - 1) / (HIGH - 1);
    for (int i = 0; i < WIDE * HIGH; i++) map[i] = i % WIDE == 4 && i / WIDE > 0 ? '.' : '#';
    uint32_t indices[(WIDE + 1) * (HIGH + 1) * (LAYERS + 1)];
    memset(indices, 0xff, sizeof indices);
    Blocks blocks = {WIDE, HIGH, map, x, y, depth, LAYERS, indices};
    for (uint32_t z = 0; z < LAYERS; z++) {
        for (uint32_t i = 0; i < WIDE * HIGH; i++) {
            if (map[i] == '#') add_block(solid, &blocks, i % WIDE, i / WIDE, z);
        }
    }
}

void solid_add_model(Solid* solid, const snModel* model) {
    const snMesh* mesh = model->parts[0].mesh;
    const snWeld* weld = model->parts[0].weld;
    uint32_t first = solid->point_count, count = sn_mesh_triangle_count(mesh);
    for (uint32_t i = 0; i < weld->point_count; i++)
        solid_add_point(solid, mesh->positions[weld->vertex_of_point[i]]);
    uint32_t* triangles = malloc((size_t)count * 3 * sizeof *triangles);
    sn_mesh_triangulate(mesh, triangles);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t* v = triangles + 3 * (size_t)t;
        solid_add_triangle(solid, first + weld->point_of_vertex[v[0]], first + weld->point_of_vertex[v[1]],
                           first + weld->point_of_vertex[v[2]]);
    }
    free(triangles);
}

snLatticeDef solid_def(const Solid* solid, uint32_t cells) {
    snLatticeDef def = sn_lattice_def();
    def.point_count = solid->point_count;
    def.points = solid->points;
    def.triangle_count = solid->triangle_count;
    def.triangles = solid->triangles;
    def.cells = cells;
    return def;
}

snLattice* lattice_of(const Solid* solid, uint32_t cells) {
    snLatticeDef def = solid_def(solid, cells);
    snLattice* lattice = NULL;
    snError error = sn_error_none();
    if (sn_lattice_create(&def, NULL, &lattice, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    check_lattice(lattice, solid->points);
    return lattice;
}

// ------------------------------------------------------------------------------------------------- checks

static void check_embedding(const snLattice* lattice, const snVec3* points) {
    float scale = 0;
    for (uint32_t i = 0; i < lattice->point_count; i++) {
        snVec3 p = points[i];
        scale = sn_maxf(scale, sn_maxf(fabsf(p.x), sn_maxf(fabsf(p.y), fabsf(p.z))));
    }
    // Corners are floats: far from the origin their rounding is what remains.
    float tolerance = 1e-5f * lattice->cell_size + 4e-7f * scale;
    for (uint32_t i = 0; i < lattice->point_count; i++) {
        const uint32_t* corners = lattice->cell_particles[lattice->point_cells[i]];
        snVec3 c = lattice->point_coords[i], sum = {0, 0, 0};
        for (uint32_t k = 0; k < 8; k++) {
            float share = (k & 1 ? c.x : 1 - c.x) * (k >> 1 & 1 ? c.y : 1 - c.y) * (k >> 2 ? c.z : 1 - c.z);
            sum = sn_add(sum, sn_scale(lattice->rest[corners[k]], share));
        }
        assert_vec3_near(sum, points[i], tolerance);
    }
}

static bool list_has(const uint32_t* items, uint32_t begin, uint32_t end, uint32_t item) {
    for (uint32_t i = begin; i < end; i++) {
        if (items[i] == item) return true;
    }
    return false;
}

static void check_lists(const snLattice* l) {
    for (uint32_t p = 0; p < l->particle_count; p++) {
        for (uint32_t d = 0; d < SN_DIRECTIONS; d++) {
            for (uint32_t i = l->adjacent_starts[6 * p + d]; i < l->adjacent_starts[6 * p + d + 1]; i++) {
                uint32_t q = l->adjacent[i], back = 6 * q + (d ^ 1);
                assert_int_equal(l->particles[q][d / 2] - l->particles[p][d / 2], d % 2 ? 1 : -1);
                assert_true(list_has(l->adjacent, l->adjacent_starts[back], l->adjacent_starts[back + 1], p));
                assert_true(list_has(l->neighbors, l->neighbor_starts[p], l->neighbor_starts[p + 1], q));
                assert_true(abs(l->depths[p] - l->depths[q]) <= 1);
            }
        }
        for (uint32_t i = l->neighbor_starts[p]; i < l->neighbor_starts[p + 1]; i++) {
            uint32_t q = l->neighbors[i];
            assert_true(q != p && (i == l->neighbor_starts[p] || q > l->neighbors[i - 1]));
            assert_true(list_has(l->neighbors, l->neighbor_starts[q], l->neighbor_starts[q + 1], p));
            assert_int_equal(l->pieces[p], l->pieces[q]);
        }
        float length = sn_length(l->outward[p]);
        assert_true(length == 0 || fabsf(length - 1) < 1e-5f);
    }
}

static void check_order(const snLattice* l) {
    for (uint32_t i = 1; i < l->particle_count; i++) {
        const uint16_t *a = l->particles[i - 1], *b = l->particles[i];
        assert_true(a[2] < b[2] || (a[2] == b[2] && (a[1] < b[1] || (a[1] == b[1] && a[0] <= b[0]))));
    }
    uint32_t same = 0;
    for (uint32_t i = 1; i < l->cell_count; i++) {
        const uint16_t *a = l->cells[i - 1], *b = l->cells[i];
        assert_true(a[2] < b[2] || (a[2] == b[2] && (a[1] < b[1] || (a[1] == b[1] && a[0] <= b[0]))));
        same += memcmp(a, b, sizeof *l->cells) == 0;
    }
    assert_int_equal(same, l->duplicated_cell_count);
}

void check_lattice(const snLattice* lattice, const snVec3* points) {
    snError error = sn_error_none();
    if (sn_lattice_validate(lattice, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    check_embedding(lattice, points);
    check_lists(lattice);
    check_order(lattice);
}

uint32_t count_inside(const snLattice* lattice) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < lattice->cell_count; c++) count += lattice->cell_inside[c];
    return count;
}

static bool holds(const snLattice* lattice, const int* at) {
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        const uint16_t* cell = lattice->cells[c];
        if (cell[0] == at[0] && cell[1] == at[1] && cell[2] == at[2]) return true;
    }
    return false;
}

bool has_cell_at(const snLattice* lattice, snVec3 p, double slack) {
    double u[3] = {((double)p.x - (double)lattice->origin.x) / (double)lattice->cell_size,
                   ((double)p.y - (double)lattice->origin.y) / (double)lattice->cell_size,
                   ((double)p.z - (double)lattice->origin.z) / (double)lattice->cell_size};
    for (int i = 0; i < 8; i++) {
        int at[3];
        for (int k = 0; k < 3; k++) at[k] = (int)floor(u[k] + (i >> k & 1 ? slack : -slack));
        if (holds(lattice, at)) return true;
    }
    return false;
}

uint32_t walk_distance(const snLattice* lattice, uint32_t from, uint32_t to) {
    uint32_t* queue = malloc(lattice->particle_count * sizeof *queue);
    uint32_t* distance = malloc(lattice->particle_count * sizeof *distance);
    memset(distance, 0xff, lattice->particle_count * sizeof *distance);
    uint32_t count = 1;
    queue[0] = from;
    distance[from] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = queue[i];
        for (uint32_t k = lattice->adjacent_starts[6 * p]; k < lattice->adjacent_starts[6 * p + 6]; k++) {
            uint32_t q = lattice->adjacent[k];
            if (distance[q] != UINT32_MAX) continue;
            distance[q] = distance[p] + 1;
            queue[count++] = q;
        }
    }
    uint32_t result = distance[to];
    free(queue);
    free(distance);
    return result;
}

uint64_t lattice_hash(const snLattice* l) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, l->cells, l->cell_count * sizeof *l->cells);
    hash = sn_hash_bytes(hash, l->cell_particles, l->cell_count * sizeof *l->cell_particles);
    hash = sn_hash_bytes(hash, l->particles, l->particle_count * sizeof *l->particles);
    hash = sn_hash_floats(hash, &l->rest[0].x, (size_t)l->particle_count * 3);
    hash = sn_hash_bytes(hash, l->adjacent_starts, ((size_t)l->particle_count * 6 + 1) * 4);
    hash = sn_hash_bytes(hash, l->adjacent, (size_t)l->adjacent_starts[6 * (size_t)l->particle_count] * 4);
    hash = sn_hash_bytes(hash, l->neighbor_starts, ((size_t)l->particle_count + 1) * 4);
    hash = sn_hash_bytes(hash, l->neighbors, (size_t)l->neighbor_starts[l->particle_count] * 4);
    hash = sn_hash_bytes(hash, l->point_cells, (size_t)l->point_count * 4);
    hash = sn_hash_floats(hash, &l->point_coords[0].x, (size_t)l->point_count * 3);
    hash = sn_hash_bytes(hash, l->depths, (size_t)l->particle_count * 2);
    hash = sn_hash_floats(hash, &l->outward[0].x, (size_t)l->particle_count * 3);
    hash = sn_hash_bytes(hash, l->pieces, (size_t)l->particle_count * 4);
    hash = sn_hash_bytes(hash, l->host_cells, (size_t)l->particle_count * 4);
    return sn_hash_floats(hash, &l->host_coords[0].x, (size_t)l->particle_count * 3);
}

uint32_t particle_near_point(const snLattice* lattice, uint32_t point) {
    snVec3 c = lattice->point_coords[point];
    uint32_t corner = (c.x > 0.5f) | (uint32_t)(c.y > 0.5f) << 1 | (uint32_t)(c.z > 0.5f) << 2;
    return lattice->cell_particles[lattice->point_cells[point]][corner];
}
