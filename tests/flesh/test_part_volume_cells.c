// Volume of the joint parts: the functional on cells made by hand, and the root of the cubic.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flesh/part_volume_kernels.h"
#include "support.h"

// ------------------------------------------------------------------------------------------- cells by hand

typedef struct Cell {
    uint16_t at[3];
    uint16_t copy; // 1: its corners on the +x side are its own, though another cell is in its place
} Cell;

// A binding of some cells to one joint, or to two that share them by x.
typedef struct Bricks {
    snBinding binding;
    snLattice* lattice;
    uint32_t parents[2];
    snPartVolume* volume;
    snVec4 points[64], pushes[64];
    snPartVolumeState states[2];
    void* scratch;
    snPartVolumeJob job;
} Bricks;

#define H 0.5f
#define KEYS (8 * 8 * 8 * 2)

static uint32_t key_of(const Cell* cell, uint32_t corner) {
    uint32_t x = cell->at[0] + (corner & 1), y = cell->at[1] + (corner >> 1 & 1),
             z = cell->at[2] + (corner >> 2);
    uint32_t copy = (corner & 1) != 0 ? cell->copy : 0;
    return ((z * 8 + y) * 8 + x) * 2 + copy;
}

static snLattice* lattice_of(const Cell* cells, uint32_t count) {
    uint16_t places[32][3];
    uint32_t corners[32][8], index[KEYS] = {0}, particles = 0;
    uint8_t inside[32] = {0};
    uint32_t point_cell = 0;
    snVec3 point = {0.5f, 0.5f, 0.5f};
    for (uint32_t c = 0; c < count; c++) {
        memcpy(places[c], cells[c].at, sizeof places[c]);
        for (uint32_t i = 0; i < 8; i++) index[key_of(&cells[c], i)] = 1;
    }
    for (uint32_t k = 0; k < KEYS; k++) index[k] = index[k] ? particles++ : SN_NONE;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t i = 0; i < 8; i++) corners[c][i] = index[key_of(&cells[c], i)];
    }
    snLatticeCells from = {.cell_size = H,
                           .grid = {7, 7, 7},
                           .cell_count = count,
                           .cells = (const uint16_t(*)[3])places,
                           .cell_particles = (const uint32_t(*)[8])corners,
                           .cell_inside = inside,
                           .particle_count = particles,
                           .point_count = 1,
                           .point_cells = &point_cell,
                           .point_coords = &point};
    snLattice* lattice = NULL;
    assert_ok(sn_lattice_restore(&from, NULL, &lattice, NULL));
    return lattice;
}

// Particles at or behind `split` along x go to the second joint. Pushes lead away from the middle.
static Bricks* bricks_create(const Cell* cells, uint32_t count, float split) {
    Bricks* b = calloc(1, sizeof *b);
    b->lattice = lattice_of(cells, count);
    uint32_t n = b->lattice->particle_count;
    assert_true(n <= 64);
    b->parents[0] = SN_NONE;
    uint16_t joints[64];
    float weights[64];
    uint32_t overrides[64];
    snVec3 origins[2] = {{0, 0, 0}, {1, 0, 0}}, middle = {0, 0, 0};
    for (uint32_t p = 0; p < n; p++) {
        joints[p] = 0;
        weights[p] = 1.0f;
        overrides[p] = b->lattice->rest[p].x >= split;
        middle = sn_add(middle, sn_scale(b->lattice->rest[p], 1.0f / (float)n));
    }
    snLatticePartsDef def = {b->lattice, 2, b->parents, origins, 1, joints, weights, NULL, overrides};
    b->binding = (snBinding){.lattice = b->lattice, .joint_count = 2, .parents = b->parents};
    assert_ok(sn_lattice_parts_create(&def, NULL, &b->binding.parts, NULL));
    assert_ok(sn_part_volume_create(&b->binding, NULL, &b->volume, NULL));
    b->scratch = aligned_alloc(64, (sn_part_volume_scratch_size(b->volume) + 63) / 64 * 64);
    for (uint32_t p = 0; p < n; p++) {
        snVec3 x = b->lattice->rest[p], u = sn_normalize_or(sn_sub(x, middle), sn_vec3(0, 0, 0));
        b->points[p] = (snVec4){x.x, x.y, x.z, 0.0f};
        b->pushes[p] = (snVec4){u.x, u.y, u.z, 0.0f};
    }
    b->job = (snPartVolumeJob){.volume = b->volume,
                               .sweeps = 1,
                               .pushes = b->pushes,
                               .points = b->points,
                               .scratch = b->scratch,
                               .out_parts = b->states};
    return b;
}

static void bricks_destroy(Bricks* b) {
    sn_part_volume_destroy(b->volume);
    sn_lattice_parts_destroy(b->binding.parts);
    sn_lattice_destroy(b->lattice);
    free(b->scratch);
    free(b);
}

static uint32_t box_of(Cell* cells, uint16_t x, uint16_t y, uint16_t z) {
    uint32_t count = 0;
    for (uint16_t k = 0; k < z; k++) {
        for (uint16_t j = 0; j < y; j++) {
            for (uint16_t i = 0; i < x; i++) cells[count++] = (Cell){{i, j, k}, 0};
        }
    }
    return count;
}

// In cells.
static double rest_volume(const snPartVolume* v) {
    double sum = 0.0;
    for (uint32_t i = 0; i < v->part_count; i++) sum += v->parts[i].rest / 8.0;
    return sum / ((double)H * (double)H * (double)H);
}

static void a_box_has_its_own_volume(void** state) {
    (void)state;
    static const uint16_t sizes[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 2, 1}, {3, 3, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Cell cells[32];
        uint32_t count = box_of(cells, sizes[i][0], sizes[i][1], sizes[i][2]);
        for (int split = 0; split < 2; split++) {
            Bricks* b = bricks_create(cells, count, split ? 0.75f * H : 100.0f);
            assert_near(rest_volume(b->volume), (double)count, 1e-5);
            bricks_destroy(b);
        }
    }
}

static void an_interior_particle_has_one_cell(void** state) {
    (void)state;
    Cell cells[8];
    Bricks* b = bricks_create(cells, box_of(cells, 2, 2, 2), 100.0f);
    for (uint32_t i = 0; i < 27; i++) {
        uint32_t p = b->volume->members[i], sides = 0;
        for (int a = 0; a < 3; a++) sides += b->lattice->particles[p][a] != 1;
        double cell = (double)H * (double)H * (double)H;
        assert_near(1.0 / (8.0 * (double)b->volume->shares[i] * cell), 1.0 / (double)(1u << sides), 1e-6);
    }
    bricks_destroy(b);
}

// Three cells around a corner: the two particles in the corner have neighbours on both sides everywhere, and
// count the eighth that is not there too.
static void a_concave_corner_counts_more(void** state) {
    (void)state;
    static const Cell cells[] = {{{0, 0, 0}, 0}, {{1, 0, 0}, 0}, {{0, 1, 0}, 0}};
    Bricks* b = bricks_create(cells, 3, 100.0f);
    assert_near(rest_volume(b->volume), 3.25, 1e-5);
    bricks_destroy(b);
}

// Where a cell exists twice behind a face, the particles of the face see the mean of both.
static void a_branch_counts_its_mean(void** state) {
    (void)state;
    static const Cell cells[] = {{{0, 0, 0}, 0}, {{1, 0, 0}, 0}, {{1, 0, 0}, 1}};
    Bricks* b = bricks_create(cells, 3, 100.0f);
    assert_int_equal(b->lattice->particle_count, 16);
    assert_int_equal(b->volume->branch_count, 4);
    assert_near(rest_volume(b->volume), 4 * 0.125 + 4 * 0.25 + 8 * 0.125, 1e-5);
    // One copy half a cell longer, the other half a cell shorter: the mean is where it was.
    for (uint32_t p = 0; p < 16; p++) {
        if (b->lattice->particles[p][0] != 2) continue;
        bool second = p > 0 && memcmp(b->lattice->particles[p], b->lattice->particles[p - 1], 6) == 0;
        b->points[p].x += second ? -0.5f * H : 0.5f * H;
    }
    b->job.sweeps = 0;
    assert_ok(sn_part_volume_run(&b->job));
    assert_near(b->states[0].before, 1.0, 1e-6);
    // The pushes of a branch count their mean as well: the root is exact.
    float targets[2] = {1.2f, 1.0f};
    b->job.targets = targets;
    b->job.sweeps = 1;
    assert_ok(sn_part_volume_run(&b->job));
    assert_near(b->states[0].after, 1.0, 1e-5);
    assert_true(b->states[0].push > 0.0f);
    bricks_destroy(b);
}

// The last cell of three is nearly flat: its far side would only be folded over, so it stays, and the rest
// makes room.
static void squeezed_particles_are_not_pushed(void** state) {
    (void)state;
    Cell cells[3];
    Bricks* b = bricks_create(cells, box_of(cells, 3, 1, 1), 100.0f);
    for (uint32_t p = 0; p < 16; p++) {
        if (b->lattice->particles[p][0] == 3) b->points[p].x -= 0.9f * H;
    }
    snVec4 before[16];
    memcpy(before, b->points, sizeof before);
    assert_ok(sn_part_volume_run(&b->job));
    assert_near(b->states[0].before, 0.7, 1e-5);
    assert_near(b->states[0].after, 1.0, 1e-5);
    for (uint32_t p = 0; p < 16; p++) {
        bool same = memcmp(&before[p], &b->points[p], sizeof before[p]) == 0;
        assert_true(same == (b->lattice->particles[p][0] == 3));
    }
    bricks_destroy(b);
}

// Two parts of one bar, the second squeezed: pushing it moves the first one's edges, and sweeps settle it.
static void neighbouring_parts_settle(void** state) {
    (void)state;
    Cell cells[8];
    Bricks* b = bricks_create(cells, box_of(cells, 4, 1, 1), 1.25f * H);
    for (uint32_t p = 0; p < 20; p++) b->points[p].y *= b->lattice->rest[p].x > 1.25f * H ? 0.8f : 1.0f;
    snVec4 squeezed[20];
    memcpy(squeezed, b->points, sizeof squeezed);
    double last = 1.0;
    for (uint32_t sweeps = 1; sweeps <= 4; sweeps++) {
        memcpy(b->points, squeezed, sizeof squeezed);
        b->job.sweeps = sweeps;
        b->job.both_ways = true;
        assert_ok(sn_part_volume_run(&b->job));
        double off = fmax(fabs(b->states[0].after - 1.0), fabs(b->states[1].after - 1.0));
        assert_true(off < last);
        last = off < 1e-5 ? 1e-5 : off;
    }
    assert_true(last < 1e-3);
    bricks_destroy(b);
}

// ------------------------------------------------------------------------------------------------ the root

static double root_of(double k0, double k1, double k2, double k3, double low, double high, bool* clamped) {
    double k[4] = {k0, k1, k2, k3};
    return sni_part_volume_root(k, low, high, clamped);
}

static void the_root_is_followed_from_zero(void** state) {
    (void)state;
    bool clamped = true;
    assert_near(root_of(0, 1, 0, 0, -1, 1, &clamped), 0.0, 0.0);
    assert_false(clamped);
    assert_near(root_of(-0.5, 2, 0, 0, -1, 1, &clamped), 0.25, 1e-12);
    assert_near(root_of(0.5, 2, 0, 0, -1, 1, &clamped), -0.25, 1e-12);
    assert_near(root_of(-0.331, 3, 3, 1, -1, 1, &clamped), 0.1, 1e-9); // 1.1^3 = 1.331
    assert_near(root_of(0.271, 3, 3, 1, -1, 1, &clamped), -0.1, 1e-9);
    assert_false(clamped);
    assert_near(root_of(-3, 2, 0, 0, -1, 1, &clamped), 1.0, 0.0); // out of bounds
    assert_true(clamped);
    assert_near(root_of(3, 2, 0, 0, -1, 1, &clamped), -1.0, 0.0);
    assert_true(clamped);
    assert_near(root_of(-2, 2, -1, 0, -9, 9, &clamped), 1.0, 1e-12); // a maximum of 1 above 0, 2 are needed
    assert_true(clamped);
    assert_near(root_of(-0.75, 2, -1, 0, -9, 9, &clamped), 0.5, 1e-9); // before the maximum, not behind it
    assert_false(clamped);
    assert_near(root_of(2, 2, 1, 0, -9, 9, &clamped), -1.0, 1e-12); // the mirror image
    assert_true(clamped);
    assert_near(root_of(-1, -2, 1, 5, -1, 1, &clamped), 0.0, 0.0); // inside out
    assert_true(clamped);
    assert_near(root_of(-1, 2, 0, 0, -1, 0, &clamped), 0.0, 0.0); // no room left
    assert_true(clamped);
}

static void random_cubics_agree_with_small_steps(void** state) {
    (void)state;
    uint32_t random = 11;
    for (int i = 0; i < 300; i++) {
        double k[4] = {(double)test_random_float(&random, -1, 1), (double)test_random_float(&random, 0.1f, 3),
                       (double)test_random_float(&random, -3, 3), (double)test_random_float(&random, -3, 3)};
        bool clamped = false;
        double t = sni_part_volume_root(k, -1.0, 1.0, &clamped), step = k[0] < 0.0 ? 1e-4 : -1e-4, at = 0.0;
        double last = k[0];
        bool turned = false, crossed = false;
        while (fabs(at) < 1.0 && !turned && !crossed) {
            at += step;
            double f = k[0] + at * (k[1] + at * (k[2] + at * k[3]));
            turned = k[0] < 0.0 ? f < last : f > last;
            crossed = !turned && (f < 0.0) != (k[0] < 0.0);
            last = f;
        }
        // Where the extremum only touches zero either answer is right.
        if (fabs(last) < 1e-6 && turned) continue;
        assert_near(t, at, 2e-4);
        assert_true(clamped == !crossed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_its_own_volume),
        cmocka_unit_test(an_interior_particle_has_one_cell),
        cmocka_unit_test(a_concave_corner_counts_more),
        cmocka_unit_test(a_branch_counts_its_mean),
        cmocka_unit_test(squeezed_particles_are_not_pushed),
        cmocka_unit_test(neighbouring_parts_settle),
        cmocka_unit_test(the_root_is_followed_from_zero),
        cmocka_unit_test(random_cubics_agree_with_small_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
