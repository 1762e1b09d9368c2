// Two hundred meshes made ugly: faces deleted, doubled, flipped, torn apart; scaled, jittered, moved away.
// All of them bind, every vertex gets weights.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bind_support.h"

#define MESHES 200

typedef struct Ugly {
    uint32_t vertex_count, face_count;
    snVec3* positions;
    uint32_t* corners; // triangles
    char what[64];
} Ugly;

static Ugly take(const snModel* model) {
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t faces = sn_mesh_triangle_count(mesh);
    // Room for every face twice and every corner torn.
    Ugly u = {.vertex_count = mesh->vertex_count,
              .face_count = faces,
              .positions = malloc((mesh->vertex_count + (size_t)faces * 6) * sizeof(snVec3)),
              .corners = malloc((size_t)faces * 6 * sizeof(uint32_t))};
    memcpy(u.positions, mesh->positions, mesh->vertex_count * sizeof(snVec3));
    sn_mesh_triangulate(mesh, u.corners);
    return u;
}

static bool one_in(uint32_t* random, uint32_t n) { return test_random(random) % n == 0; }

static void note(Ugly* u, const char* what) {
    size_t length = strlen(u->what);
    snprintf(u->what + length, sizeof u->what - length, " %s", what);
}

static void delete_faces(Ugly* u, uint32_t* random) {
    uint32_t kept = 0, chance = 2 + test_random(random) % 8;
    for (uint32_t f = 0; f < u->face_count; f++) {
        if (one_in(random, chance) && kept > 0) continue;
        memmove(u->corners + (size_t)kept++ * 3, u->corners + (size_t)f * 3, 3 * sizeof(uint32_t));
    }
    u->face_count = kept;
    note(u, "deleted");
}

static void double_faces(Ugly* u, uint32_t* random) {
    uint32_t count = u->face_count;
    for (uint32_t f = 0; f < count; f++) {
        if (!one_in(random, 4)) continue;
        memcpy(u->corners + (size_t)u->face_count++ * 3, u->corners + (size_t)f * 3, 3 * sizeof(uint32_t));
    }
    note(u, "doubled");
}

static void flip_faces(Ugly* u, uint32_t* random) {
    uint32_t chance = 1 + test_random(random) % 5; // 1: the whole mesh inside out
    for (uint32_t f = 0; f < u->face_count; f++) {
        if (!one_in(random, chance)) continue;
        uint32_t swapped = u->corners[f * 3];
        u->corners[f * 3] = u->corners[f * 3 + 1];
        u->corners[f * 3 + 1] = swapped;
    }
    note(u, "flipped");
}

// Some corners get vertices of their own, a hair away: cracks that no weld closes.
static void tear_faces(Ugly* u, uint32_t* random, float hair) {
    for (uint32_t i = 0; i < u->face_count * 3; i++) {
        if (!one_in(random, 3)) continue;
        snVec3 p = u->positions[u->corners[i]];
        p.x += test_random_float(random, -hair, hair);
        u->corners[i] = u->vertex_count;
        u->positions[u->vertex_count++] = p;
    }
    note(u, "torn");
}

static void jitter(Ugly* u, uint32_t* random, float amount) {
    for (uint32_t v = 0; v < u->vertex_count; v++) {
        u->positions[v].x += test_random_float(random, -amount, amount);
        u->positions[v].y += test_random_float(random, -amount, amount);
        u->positions[v].z += test_random_float(random, -amount, amount);
    }
    note(u, "jittered");
}

// Flattens along one axis, to nothing or nearly.
static void squash(Ugly* u, uint32_t* random) {
    float by = one_in(random, 2) ? 0.0f : 1e-4f;
    for (uint32_t v = 0; v < u->vertex_count; v++) u->positions[v].z *= by;
    note(u, "squashed");
}

static snModel* rebuild(const Ugly* u, const snModel* model, float scale, snVec3 away) {
    const snSkeleton* skeleton = model->skeleton;
    uint32_t count = skeleton->joint_count; // and one more, which carries the mesh
    snTrs* rest = malloc((count + 1) * sizeof *rest);
    uint32_t* parents = malloc((count + 1) * sizeof *parents);
    const char** names = malloc((count + 1) * sizeof *names);
    snVec3* positions = malloc(u->vertex_count * sizeof *positions);
    for (uint32_t v = 0; v < u->vertex_count; v++)
        positions[v] = sn_add(sn_scale(u->positions[v], scale), away);
    for (uint32_t j = 0; j < count; j++) {
        rest[j] = skeleton->rest[j];
        names[j] = skeleton->names[j];
        parents[j] = skeleton->parents[j];
        rest[j].translation = sn_scale(rest[j].translation, scale);
        if (parents[j] == SN_NONE) rest[j].translation = sn_add(rest[j].translation, away);
    }
    rest[count] = sn_trs_identity();
    names[count] = "ugly";
    parents[count] = SN_NONE;
    snSkeletonDef joints = {count + 1, names, parents, rest};
    snMeshDef mesh = {.vertex_count = u->vertex_count,
                      .face_count = u->face_count,
                      .corner_count = u->face_count * 3,
                      .positions = positions,
                      .corners = u->corners};
    snPartDef part = {.name = "ugly", .mesh = &mesh, .joint = count, .skin = SN_NONE};
    snModelDef def = {.skeleton = &joints, .part_count = 1, .parts = &part};
    snModel* out = NULL;
    assert_ok(sn_model_create(&def, NULL, &out, NULL));
    free(rest);
    free(parents);
    free(names);
    free(positions);
    return out;
}

static bool blocks(int x, int y, int z) { return (x < 6 && y < 3 && z < 3) || (x < 2 && y < 9 && z < 3); }

static snModel* make_base(uint32_t kind) {
    snModel* model = NULL;
    snBodyDef body = {.vertex_target = 2000, .quads = false};
    snTubeDef tube = sn_tube_def();
    tube.sides = 8;
    tube.rings = 20;
    snVec3 places[] = {{0.1f, 0.1f, 0.15f}, {0.1f, 0.8f, 0.15f}, {0.5f, 0.1f, 0.15f}};
    if (kind == 0) assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    if (kind == 1) assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    if (kind == 2) model = block_model(blocks, 10, 0.1f, chain_skeleton(places, 3));
    return model;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void uglify(Ugly* u, uint32_t* random) {
    do {
        if (one_in(random, 3)) delete_faces(u, random);
        if (one_in(random, 4)) double_faces(u, random);
        if (one_in(random, 3)) flip_faces(u, random);
        if (one_in(random, 4)) tear_faces(u, random, one_in(random, 2) ? 0.0f : 0.003f);
        if (one_in(random, 4)) jitter(u, random, 0.03f);
        if (one_in(random, 16)) squash(u, random);
    } while (u->what[0] == '\0');
}

static void ugly_meshes_bind(void** state) {
    (void)state;
    static const snWeightsMethod methods[] = {SN_WEIGHTS_AUTO, SN_WEIGHTS_AUTO, SN_WEIGHTS_HEAT,
                                              SN_WEIGHTS_GEODESIC};
    static const char* const names[] = {"auto", "auto", "heat", "geodesic"};
    uint32_t random = 2024, bound = 0;
    double slowest = 0.0, total = 0.0;
    snModel* bases[3] = {make_base(0), make_base(1), make_base(2)};
    for (uint32_t i = 0; i < MESHES; i++) {
        const snModel* base = bases[i % 3];
        Ugly u = take(base);
        uglify(&u, &random);
        float scale = one_in(&random, 2) ? 1.0f : one_in(&random, 2) ? 1e-3f : 1e3f;
        snVec3 away = one_in(&random, 4) ? sn_vec3(30.0f * scale, -10.0f * scale, 50.0f * scale)
                                         : sn_vec3(0.0f, 0.0f, 0.0f);
        snModel* model = rebuild(&u, base, scale, away);
        snBindDef def = sn_bind_def();
        snBindReport report;
        snError error = sn_error_none();
        def.method = methods[i % 4];
        double start = seconds();
        snResult result = sn_model_bind(model, &def, &report, &error);
        double took = seconds() - start;
        printf("%3u %-9s x%g%s: %.0f ms\n", i, names[i % 4], (double)scale, u.what, took * 1e3);
        if (result != SN_RESULT_OK) fail_msg("%s", error.text);
        assert_int_equal(report.unweighted_vertices, 0);
        check_weights(model);
        bound++;
        total += took;
        if (took > slowest) slowest = took;
        sn_bind_report_free(&report);
        sn_model_destroy(model);
        free(u.positions);
        free(u.corners);
    }
    for (int k = 0; k < 3; k++) sn_model_destroy(bases[k]);
    printf("%u of %d bound, %.0f ms each, the slowest %.0f ms\n", bound, MESHES, total / MESHES * 1e3,
           slowest * 1e3);
    assert_int_equal(bound, MESHES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ugly_meshes_bind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
