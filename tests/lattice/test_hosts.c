// Pieces that float free know the larger piece they can follow.
#include <math.h>
#include <stdlib.h>

#include "lattice_support.h"

static uint32_t piece_of_point(const snLattice* lattice, uint32_t point) {
    return lattice->pieces[lattice->cell_particles[lattice->point_cells[point]][0]];
}

// Trilinear coordinates in the host's cell give back every particle's own place.
static void check_hosts(const snLattice* l) {
    for (uint32_t p = 0; p < l->particle_count; p++) {
        uint32_t host = l->hosts[l->pieces[p]];
        if (host == SN_NONE) {
            assert_int_equal(l->host_cells[p], SN_NONE);
            continue;
        }
        const uint32_t* corners = l->cell_particles[l->host_cells[p]];
        assert_int_equal(l->pieces[corners[0]], host);
        const double c[3] = {(double)l->host_coords[p].x, (double)l->host_coords[p].y,
                             (double)l->host_coords[p].z};
        double sum[3] = {0, 0, 0}, reach = (double)l->cell_size * 40; // coordinates are no larger
        for (int k = 0; k < 3; k++) reach *= 1 + 2 * fabs(c[k]); // how much rounding of the corners grows
        for (uint32_t i = 0; i < 8; i++) {
            double share = 1;
            for (uint32_t k = 0; k < 3; k++) share *= i >> k & 1 ? c[k] : 1 - c[k];
            sum[0] += share * (double)l->rest[corners[i]].x;
            sum[1] += share * (double)l->rest[corners[i]].y;
            sum[2] += share * (double)l->rest[corners[i]].z;
        }
        assert_near(sum[0], l->rest[p].x, 4e-7 * reach);
        assert_near(sum[1], l->rest[p].y, 4e-7 * reach);
        assert_near(sum[2], l->rest[p].z, 4e-7 * reach);
    }
}

static void test_eye_in_a_head(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_sphere(&solid, sn_vec3(0, 0, 0), 1, 16);
    uint32_t eye = solid.point_count;
    solid_add_sphere(&solid, sn_vec3(0.3f, 0.2f, 0.85f), 0.2f, 8);
    uint32_t button = solid.point_count;
    solid_add_box(&solid, sn_vec3(-0.05f, -1.6f, -0.05f), sn_vec3(0.05f, -1.5f, 0.05f));
    uint32_t loose = solid_add_point(&solid, sn_vec3(0, -1.9f, 0));
    snLattice* lattice = lattice_of(&solid, 24);
    assert_int_equal(lattice->piece_count, 4);
    check_hosts(lattice);
    uint32_t head = piece_of_point(lattice, 0);
    assert_int_equal(lattice->hosts[head], SN_NONE);
    assert_int_equal(lattice->hosts[piece_of_point(lattice, eye)], head);
    assert_int_equal(lattice->hosts[piece_of_point(lattice, button)], head);
    assert_int_not_equal(lattice->hosts[piece_of_point(lattice, loose)], SN_NONE);
    // The eye sits in the head: its host cells hold it without reaching out.
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        if (lattice->pieces[p] != piece_of_point(lattice, eye)) continue;
        snVec3 c = lattice->host_coords[p];
        assert_true(sn_minf(c.x, sn_minf(c.y, c.z)) >= -3 && sn_maxf(c.x, sn_maxf(c.y, c.z)) <= 4);
    }
    sn_lattice_destroy(lattice);
    solid_free(&solid);
}

static uint32_t cell_distance2(const snLattice* l, uint32_t p, uint32_t cell) {
    uint32_t sum = 0;
    for (int k = 0; k < 3; k++) {
        int d = l->particles[p][k] - l->cells[cell][k];
        d = d < 0 ? -d : d > 1 ? d - 1 : 0;
        sum += (uint32_t)(d * d);
    }
    return sum;
}

// Against a search through all cells.
static void test_nearest_cells(void** state) {
    (void)state;
    uint32_t seed = 5;
    Solid solid = {0};
    for (int i = 0; i < 40; i++) {
        snVec3 at = {test_random_float(&seed, -1, 1), test_random_float(&seed, -1, 1),
                     test_random_float(&seed, -1, 1)};
        snVec3 half = {test_random_float(&seed, 0.01f, 0.2f), test_random_float(&seed, 0.01f, 0.2f),
                       test_random_float(&seed, 0.01f, 0.2f)};
        solid_add_box(&solid, sn_sub(at, half), sn_add(at, half));
    }
    snLattice* l = lattice_of(&solid, 40);
    assert_int_equal(l->piece_count, 40);
    check_hosts(l);
    for (uint32_t p = 0; p < l->particle_count; p++) {
        uint32_t host = l->hosts[l->pieces[p]];
        if (host == SN_NONE) continue;
        int found = -1, best = INT32_MAX;
        for (uint32_t c = 0; c < l->cell_count; c++) {
            int distance = (int)cell_distance2(l, p, c);
            if (c == l->host_cells[p]) found = distance;
            if (l->pieces[l->cell_particles[c][0]] == host && distance < best) best = distance;
        }
        assert_int_equal(found, best);
    }
    sn_lattice_destroy(l);
    solid_free(&solid);
}

// Equal pieces: one is the largest, and nobody follows in a circle.
static void test_equal_pieces(void** state) {
    (void)state;
    Solid solid = {0};
    for (int i = 0; i < 6; i++)
        solid_add_box(&solid, sn_vec3((float)i * 3, 0, 0), sn_vec3((float)i * 3 + 1, 1, 1));
    snLattice* lattice = lattice_of(&solid, 32);
    check_hosts(lattice);
    uint32_t alone = 0;
    for (uint32_t i = 0; i < lattice->piece_count; i++) alone += lattice->hosts[i] == SN_NONE;
    assert_int_equal(lattice->piece_count, 6);
    assert_int_equal(alone, 1);
    sn_lattice_destroy(lattice);
    solid_free(&solid);
}

// Thousands of pieces, dozens through every place: no particle may look at all of them.
static void test_soup_of_thousands(void** state) {
    (void)state;
    uint32_t seed = 11;
    Solid solid = {0};
    for (int i = 0; i < 5000; i++) {
        snVec3 at = {test_random_float(&seed, -1, 1), test_random_float(&seed, -1, 1),
                     test_random_float(&seed, -1, 1)};
        for (int k = 0; k < 3; k++) {
            snVec3 off = {test_random_float(&seed, -0.4f, 0.4f), test_random_float(&seed, -0.4f, 0.4f),
                          test_random_float(&seed, -0.4f, 0.4f)};
            solid_add_point(&solid, sn_add(at, off));
        }
        solid_add_triangle(&solid, solid.point_count - 3, solid.point_count - 2, solid.point_count - 1);
    }
    snLatticeDef def = solid_def(&solid, 12);
    snLattice* l = NULL;
    assert_int_equal(sn_lattice_create(&def, NULL, &l, NULL), SN_RESULT_OK);
    assert_true(l->piece_count > 4900);
    check_hosts(l);
    uint32_t* sizes = calloc(l->piece_count, sizeof *sizes);
    assert_non_null(sizes);
    for (uint32_t c = 0; c < l->cell_count; c++) sizes[l->pieces[l->cell_particles[c][0]]]++;
    for (uint32_t i = 0; i < l->piece_count; i++) {
        uint32_t host = l->hosts[i];
        if (host != SN_NONE) assert_true(sizes[host] > sizes[i] || (sizes[host] == sizes[i] && host < i));
    }
    for (uint32_t p = 0; p < l->particle_count; p += 997) { // against a search through all cells
        uint32_t host = l->hosts[l->pieces[p]];
        uint32_t best = UINT32_MAX;
        for (uint32_t c = 0; c < l->cell_count && host != SN_NONE; c++) {
            if (l->pieces[l->cell_particles[c][0]] != host) continue;
            uint32_t distance = cell_distance2(l, p, c);
            best = distance < best ? distance : best;
        }
        if (host != SN_NONE) assert_int_equal(cell_distance2(l, p, l->host_cells[p]), best);
    }
    free(sizes);
    sn_lattice_destroy(l);
    solid_free(&solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eye_in_a_head),
        cmocka_unit_test(test_nearest_cells),
        cmocka_unit_test(test_equal_pieces),
        cmocka_unit_test(test_soup_of_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
