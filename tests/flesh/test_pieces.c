// Flesh of several pieces: what is not joined does not pull, and small pieces ride on larger ones.
#include "flesh_scene.h"

#include <math.h>

#include "bind_support.h"

// A base with two prongs, a quarter of a cell apart: their cells coincide, and exist twice.
static bool fork_block(int x, int y, int z) { return z < 8 && (y < 6 || x < 11 || x > 12) && x < 24; }

static const snSkeletonDef* fork_skeleton(void) {
    static const char* const names[] = {"base", "left", "right"};
    static const uint32_t parents[] = {SN_NONE, 0, 0};
    static snTrs rest[3];
    rest[0] = rest[1] = rest[2] = sn_trs_identity();
    rest[0].translation = sn_vec3(1.2f, 0.1f, 0.4f);
    rest[1].translation = sn_vec3(-0.65f, 0.5f, 0);
    rest[2].translation = sn_vec3(0.65f, 0.5f, 0);
    static snSkeletonDef def;
    def = (snSkeletonDef){3, names, parents, rest};
    return &def;
}

static void prongs_in_one_cell_stay_apart(void** state) {
    (void)state;
    Scene* fork = scene_create(block_model(fork_block, 24, 0.1f, fork_skeleton()), 7);
    const snLattice* lattice = fork->binding->lattice;
    assert_true(lattice->duplicated_cell_count > 0);
    assert_int_equal(lattice->piece_count, 1);
    // Which prong a particle belongs to: by the vertices in its cells.
    uint8_t* sides = calloc(fork->count, 1);
    for (uint32_t v = 0; v < fork->model->parts[0].mesh->vertex_count; v++) {
        snVec3 at = fork->model->parts[0].mesh->positions[v];
        const uint32_t* corners =
            lattice->cell_particles[lattice->point_cells[fork->binding->vertex_points[v]]];
        for (int k = 0; k < 8; k++) sides[corners[k]] |= at.y < 0.65f ? 4 : (at.x < 1.2f ? 1 : 2);
    }
    Flesh f = flesh_open(fork, NULL);
    snVec4* push = calloc(f.count, sizeof *push);
    flesh_fill(f.material.deltas, f.count, 0.95f);
    for (uint32_t p = 0; p < f.count; p++) {
        // The base is bone; the left prong is pulled away from the right one.
        if ((sides[p] & 4) != 0 || lattice->rest[p].y < 0.65f) f.material.holds[p] = 1.0f;
        if (sides[p] == 1) push[p].x = -20.0f;
    }
    f.job.accelerations = push;
    flesh_steps(&f, 300);
    flesh_show(&f, 1.0f);
    float left = 0.0f, right = 0.0f;
    for (uint32_t p = 0; p < f.count; p++) {
        float way = sn_distance(xyz(f.shown[p]), xyz(f.primary[p]));
        if (lattice->rest[p].y < 1.6f) continue; // further down regions meet in the base
        if (sides[p] == 1) left = sn_maxf(left, way);
        if (sides[p] == 2) right = sn_maxf(right, way);
    }
    assert_true(left > 0.05f);
    assert_true(right < 0.05f * left); // what came through the base
    flesh_close(&f);
    free(push);
    free(sides);
    scene_destroy(fork);
}

// A large block with a small one beside it, and another far away.
static bool island_block(int x, int y, int z) {
    bool large = x < 8 && y < 16 && z < 8;
    bool near = x == 9 && y > 6 && y < 9 && z > 2 && z < 5;
    bool far = x > 20 && y > 6 && y < 9 && z > 2 && z < 5;
    return large || near || far;
}

// What the host does beside a particle, extrapolated from its cell.
static snVec3 host_move(const Flesh* f, uint32_t p) {
    const snLattice* lattice = f->scene->binding->lattice;
    const uint32_t* corners = lattice->cell_particles[lattice->host_cells[p]];
    snVec3 t = lattice->host_coords[p], sum = {0, 0, 0};
    for (uint32_t k = 0; k < 8; k++) {
        float share = (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z);
        snVec3 move = sn_sub(xyz(f->shown[corners[k]]), xyz(f->primary[corners[k]]));
        sum = sn_add(sum, sn_scale(move, share));
    }
    return sum;
}

static void small_pieces_ride_on_large_ones(void** state) {
    (void)state;
    static const snVec3 places[] = {{0.4f, 0.1f, 0.4f}, {0.4f, 1.5f, 0.4f}};
    Scene* islands = scene_create(block_model(island_block, 24, 0.1f, chain_skeleton(places, 2)), 12);
    const snLattice* lattice = islands->binding->lattice;
    assert_int_equal(lattice->piece_count, 3);
    Flesh f = flesh_open(islands, NULL);
    uint32_t random = 6;
    snVec4* push = calloc(f.count, sizeof *push);
    f.job.accelerations = push;
    for (uint32_t p = 0; p < f.count; p++) {
        // Only the large piece is shaken, and its parts differently.
        if (lattice->rest[p].x < 0.85f && lattice->hosts[lattice->pieces[p]] == SN_NONE)
            push[p] = (snVec4){test_random_float(&random, -9, 9), test_random_float(&random, -9, 9), 20, 0};
    }
    uint32_t riding = 0, alone = 0;
    for (int i = 0; i < 20; i++) {
        flesh_step(&f);
        flesh_show(&f, 0.4f);
        for (uint32_t p = 0; p < f.count; p++) {
            if (lattice->hosts[lattice->pieces[p]] == SN_NONE) continue;
            snVec3 move = sn_sub(xyz(f.shown[p]), xyz(f.primary[p]));
            bool far = lattice->rest[p].x > 1.8f;
            assert_vec3_near(move, far ? sn_vec3(0, 0, 0) : host_move(&f, p), 1e-6f);
            alone += far;
            riding += !far && sn_length(move) > 1e-4f;
        }
    }
    assert_true(riding > 0 && alone > 0);
    flesh_close(&f);
    free(push);
    scene_destroy(islands);
}

static snResult build(const snAllocator* allocator, void* context) {
    snFleshDef def = {context, NULL};
    snFlesh* flesh = NULL;
    snResult result = sn_flesh_create(&def, allocator, &flesh, NULL);
    sn_flesh_destroy(flesh);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    static const snVec3 places[] = {{0.4f, 0.1f, 0.4f}, {0.4f, 1.5f, 0.4f}};
    Scene* islands = scene_create(block_model(island_block, 24, 0.1f, chain_skeleton(places, 2)), 12);
    test_every_allocation(build, islands->binding);
    scene_destroy(islands);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prongs_in_one_cell_stay_apart),
        cmocka_unit_test(small_pieces_ride_on_large_ones),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
