// What encloses a volume: seams closed, openings capped, faces turned, and what is refused and why.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"
#include "volume_support.h"

// A mesh whose lower half (y below `split`) hangs on joint 0 and upper half on joint 1, with a blend between.
typedef struct Piece {
    snMesh* mesh;
    uint16_t* joints;
    float* weights;
    snVolumePart part;
    snVolumeJoint rig[2];
    snExactVolumeDef def;
    snExactVolume* volume;
} Piece;

static const uint32_t ORDER[] = {0, 1};

static void piece_build(Piece* p, snMesh* mesh, float low, float high) {
    *p = (Piece){.mesh = mesh};
    p->joints = calloc(2 * (size_t)mesh->vertex_count + 1, sizeof *p->joints);
    p->weights = calloc(2 * (size_t)mesh->vertex_count + 1, sizeof *p->weights);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float w = sn_clampf((mesh->positions[v].y - low) / (high - low), 0.0f, 1.0f);
        p->joints[2 * v + 1] = 1;
        p->weights[2 * v] = 1.0f - w;
        p->weights[2 * v + 1] = w;
    }
    p->part = (snVolumePart){mesh, mesh->positions, 2, p->joints, p->weights};
    float middle = 0.5f * (low + high);
    p->rig[0] = (snVolumeJoint){SN_NONE, {0, middle - 1.0f, 0}, NULL, 1.0f};
    p->rig[1] = (snVolumeJoint){0, {0, middle, 0}, NULL, 1.0f};
    p->def = sn_exact_volume_def();
    p->def.part_count = 1;
    p->def.parts = &p->part;
    p->def.joint_count = 2;
    p->def.joints = p->rig;
    p->def.order = ORDER;
    snError error = {0};
    if (sn_exact_volume_create(&p->def, NULL, &p->volume, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
}

static void piece_free(Piece* p) {
    sn_exact_volume_destroy(p->volume);
    sn_mesh_destroy(p->mesh);
    free(p->joints);
    free(p->weights);
}

// Turns joint 1, skins and corrects; gives the states of the shells.
static void piece_bend(const Piece* p, float radians, snShellState* shells, snVec3* out) {
    snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), radians);
    snTrs trs = {sn_sub(p->rig[1].place, sn_quat_rotate(turn, p->rig[1].place)), turn, {1, 1, 1}};
    snMat4 matrices[2] = {sn_mat4_identity(), sn_mat4_from_trs(&trs)};
    for (uint32_t v = 0; v < p->mesh->vertex_count; v++) {
        snVec3 at = p->mesh->positions[v], turned = sn_mat4_point(&matrices[1], at);
        out[v] = sn_lerp(at, turned, p->weights[2 * v + 1]);
    }
    size_t size = sn_exact_volume_scratch_size(p->volume);
    void* scratch = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
    snExactVolumeJob job = {.volume = p->volume,
                            .matrices = matrices,
                            .positions = &out,
                            .scratch = scratch,
                            .out_shells = shells};
    assert_ok(sn_exact_volume_run(&job));
    free(scratch);
}

// A round tube along y from 0 to `height`, of quads; open at both ends unless closed.
static snMesh* tube(uint32_t sides, uint32_t rings, float radius, float height, bool closed,
                    bool inside_out) {
    uint32_t vertices = sides * (rings + 1) + (closed ? 2 : 0);
    snVec3* positions = calloc(vertices, sizeof *positions);
    uint32_t faces = sides * rings + (closed ? 2 * sides : 0);
    uint32_t *corners = calloc(4 * (size_t)faces, sizeof *corners),
             *starts = calloc(faces + 1, sizeof *starts);
    for (uint32_t r = 0; r <= rings; r++) {
        for (uint32_t i = 0; i < sides; i++) {
            float angle = 2.0f * SN_PI * (float)i / (float)sides;
            positions[r * sides + i] =
                sn_vec3(radius * sn_cos(angle), height * (float)r / (float)rings, radius * sn_sin(angle));
        }
    }
    uint32_t f = 0, c = 0;
    for (uint32_t r = 0; r < rings; r++) {
        for (uint32_t i = 0; i < sides; i++) {
            uint32_t a = r * sides + i, b = r * sides + (i + 1) % sides;
            uint32_t quad[4] = {a, a + sides, b + sides, b};
            for (int k = 0; k < 4; k++) corners[c + (uint32_t)k] = quad[inside_out ? 3 - k : k];
            c += 4;
            starts[++f] = c;
        }
    }
    for (uint32_t i = 0; i < sides && closed; i++) {
        uint32_t bottom = sides * (rings + 1), top = bottom + 1, next = (i + 1) % sides, up = rings * sides;
        positions[top] = sn_vec3(0, height, 0);
        uint32_t fans[2][3] = {{bottom, i, next}, {top, up + next, up + i}};
        for (int e = 0; e < 2; e++) {
            for (int k = 0; k < 3; k++) corners[c + (uint32_t)k] = fans[e][inside_out ? 2 - k : k];
            c += 3;
            starts[++f] = c;
        }
    }
    snMeshDef def = {.vertex_count = vertices,
                     .face_count = f,
                     .corner_count = c,
                     .positions = positions,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    free(positions);
    free(corners);
    free(starts);
    return mesh;
}

static snShell only_shell(const Piece* p) {
    assert_int_equal(sn_exact_volume_shell_count(p->volume), 1);
    return sn_exact_volume_shells(p->volume)[0];
}

// -------------------------------------------------------------------------------------------------- shapes

static void measures_the_unit_cube_of_quads(void** state) {
    (void)state;
    for (int split = 0; split < 2; split++) {
        Piece p;
        piece_build(&p, split == 1 ? test_split_cube() : test_cube(sn_vec3(0, 0, 0)), 0.0f, 1.0f);
        snShell shell = only_shell(&p);
        assert_int_equal(shell.kind, SN_SHELL_KEPT);
        assert_int_equal(shell.point_count, 8);
        assert_int_equal(shell.face_count, 6);
        assert_int_equal(shell.opening_count, 0);
        assert_near(shell.volume, 1.0, 1e-12);
        snShellState after;
        snVec3 out[24];
        piece_bend(&p, 0.8f, &after, out);
        assert_true(fabs(after.before - 1.0) > 0.01);
        assert_near(after.after, 1.0, 1e-6);
        assert_near(sn_mesh_volume(p.mesh, out), 1.0, 1e-6);
        // Both sides of a seam stay together.
        for (uint32_t i = 0; i < p.mesh->vertex_count; i++) {
            for (uint32_t k = 0; k < i; k++) {
                if (sn_distance(p.mesh->positions[i], p.mesh->positions[k]) == 0.0f)
                    assert_true(sn_distance(out[i], out[k]) == 0.0f);
            }
        }
        piece_free(&p);
    }
}

static void caps_openings(void** state) {
    (void)state;
    Piece closed, open;
    piece_build(&closed, tube(24, 20, 0.3f, 3.0f, true, false), 1.0f, 2.0f);
    piece_build(&open, tube(24, 20, 0.3f, 3.0f, false, false), 1.0f, 2.0f);
    snShell shell = only_shell(&open);
    assert_int_equal(shell.kind, SN_SHELL_KEPT);
    assert_int_equal(shell.opening_count, 2);
    assert_near(shell.volume, only_shell(&closed).volume, 1e-6);
    snVec3* out = calloc(closed.mesh->vertex_count, sizeof *out);
    snShellState a, b;
    piece_bend(&open, 1.0f, &a, out);
    piece_bend(&closed, 1.0f, &b, out);
    assert_true(fabs(a.before - a.target) > 1e-3);
    assert_near(a.after, a.target, 1e-6 * a.target);
    assert_near(a.before, b.before, 1e-6);
    free(out);
    piece_free(&closed);
    piece_free(&open);
}

// An opening right at the joint: its cap moves while the volume is corrected.
static void corrects_beside_an_opening(void** state) {
    (void)state;
    Piece p;
    piece_build(&p, tube(24, 20, 0.4f, 1.0f, false, false), 0.3f, 1.0f);
    snVec3* out = calloc(p.mesh->vertex_count, sizeof *out);
    snShellState s;
    piece_bend(&p, 0.7f, &s, out);
    assert_true(fabs(s.before - s.target) > 1e-4);
    assert_near(s.after, s.target, 1e-6 * s.target);
    float rim = 0.0f;
    for (uint32_t i = 24 * 20; i < 24 * 21; i++) {
        snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), 0.7f);
        snVec3 rigid =
            sn_add(p.rig[1].place, sn_quat_rotate(turn, sn_sub(p.mesh->positions[i], p.rig[1].place)));
        rim = sn_maxf(rim, sn_distance(out[i], rigid));
    }
    assert_true(rim > 1e-4f);
    free(out);
    piece_free(&p);
}

static void handles_surfaces_inside_out(void** state) {
    (void)state;
    Piece p;
    piece_build(&p, tube(24, 20, 0.3f, 3.0f, true, true), 1.0f, 2.0f);
    snShell shell = only_shell(&p);
    assert_int_equal(shell.kind, SN_SHELL_KEPT);
    assert_true(shell.volume < 0.0);
    snVec3* out = calloc(p.mesh->vertex_count, sizeof *out);
    snShellState s;
    piece_bend(&p, 1.0f, &s, out);
    assert_true(fabs(s.before - s.target) > 1e-3);
    assert_near(s.after, s.target, 1e-6 * fabs(s.target));
    free(out);
    snShellCensus census = sn_exact_volume_census(p.volume);
    assert_int_equal(census.kinds[SN_SHELL_KEPT], 1);
    assert_int_equal(census.inside_out, 1);
    piece_free(&p);
}

static void turn_face(snMesh* mesh, uint32_t face) {
    uint32_t first = mesh->face_starts[face], last = mesh->face_starts[face + 1] - 1;
    for (; first < last; first++, last--) {
        uint32_t swap = mesh->corners[first];
        mesh->corners[first] = mesh->corners[last];
        mesh->corners[last] = swap;
    }
}

static void turns_faces_that_disagree(void** state) {
    (void)state;
    snMesh* mesh = tube(24, 20, 0.3f, 3.0f, true, false);
    double volume = sn_mesh_volume(mesh, NULL);
    turn_face(mesh, 7);
    turn_face(mesh, 100);
    turn_face(mesh, mesh->face_count - 1);
    Piece p;
    piece_build(&p, mesh, 1.0f, 2.0f);
    snShell shell = only_shell(&p);
    assert_int_equal(shell.kind, SN_SHELL_KEPT);
    assert_int_equal(shell.turned_faces, 3);
    assert_int_equal(shell.opening_count, 0);
    assert_near(shell.volume, volume, 1e-9);
    piece_free(&p);
}

static void refuses_a_band_with_one_side(void** state) {
    (void)state;
    // A Moebius band has no side that all faces could take.
    enum { STEPS = 24 };
    snVec3 positions[2 * STEPS];
    uint32_t corners[6 * STEPS];
    for (uint32_t i = 0; i < STEPS; i++) {
        float angle = 2.0f * SN_PI * (float)i / STEPS, half = 0.5f * angle;
        snVec3 out = {sn_cos(angle), 0, sn_sin(angle)};
        snVec3 across = sn_add(sn_scale(out, 0.3f * sn_cos(half)), sn_vec3(0, 0.3f * sn_sin(half), 0));
        positions[2 * i] = sn_add(out, across);
        positions[2 * i + 1] = sn_sub(out, across);
        uint32_t a = 2 * i, b = a + 1, c = i + 1 < STEPS ? a + 2 : 1, d = i + 1 < STEPS ? a + 3 : 0;
        uint32_t two[6] = {a, b, c, b, d, c};
        memcpy(corners + 6 * i, two, sizeof two);
    }
    Piece p;
    piece_build(&p, test_triangles(positions, 2 * STEPS, corners, 2 * STEPS), -0.2f, 0.2f);
    snShell shell = only_shell(&p);
    assert_int_equal(shell.kind, SN_SHELL_UNORIENTED);
    snVec3 out[2 * STEPS];
    snShellState s;
    piece_bend(&p, 0.5f, &s, out);
    piece_free(&p);
}

static void leaves_sheets_and_rigid_pieces_alone(void** state) {
    (void)state;
    Piece sheet, rigid;
    piece_build(&sheet, test_grid(4), -1.0f, 1.0f);
    assert_int_equal(only_shell(&sheet).kind, SN_SHELL_FLAT);
    piece_build(&rigid, test_cube(sn_vec3(0, 5, 0)), 0.0f, 1.0f);
    assert_int_equal(only_shell(&rigid).kind, SN_SHELL_RIGID);
    snShellCensus flat = sn_exact_volume_census(sheet.volume), stiff = sn_exact_volume_census(rigid.volume);
    assert_int_equal(flat.kinds[SN_SHELL_FLAT], 1);
    assert_int_equal(stiff.kinds[SN_SHELL_RIGID], 1);
    assert_int_equal(flat.kinds[SN_SHELL_KEPT] + flat.openings + flat.turned + flat.inside_out, 0);
    assert_string_equal(sn_shell_kind_name(SN_SHELL_FLAT), "flat");
    assert_null(sn_shell_kind_name(SN_SHELL_KINDS));
    snVec3 out[25], same[25];
    snShellState s;
    piece_bend(&rigid, 0.5f, &s, out);
    snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), 0.5f);
    for (uint32_t i = 0; i < 8; i++)
        same[i] = sn_add(rigid.rig[1].place,
                         sn_quat_rotate(turn, sn_sub(rigid.mesh->positions[i], rigid.rig[1].place)));
    for (uint32_t i = 0; i < 8; i++) assert_vec3_near(out[i], same[i], 1e-5f);
    piece_free(&sheet);
    piece_free(&rigid);
}

// A folded flap of two faces encloses nothing of its own; three corners of a cup do.
static void leaves_folds_of_two_faces_alone(void** state) {
    (void)state;
    const snVec3 points[] = {{0, -1, 0}, {0, 1, 0}, {1, -0.5f, 0.4f}, {1, 0.5f, -0.4f}};
    const uint32_t corners[] = {0, 2, 1, 2, 3, 1, 0, 1, 3};
    for (uint32_t faces = 2; faces <= 3; faces++) {
        Piece p;
        piece_build(&p, test_triangles(points, 4, corners, faces), -1.0f, 1.0f);
        assert_int_equal(only_shell(&p).kind, faces == 2 ? SN_SHELL_FLAT : SN_SHELL_KEPT);
        piece_free(&p);
    }
}

// Two cubes that share an edge and only that: four faces meet there, and both volumes count.
static void counts_edges_with_four_faces(void** state) {
    (void)state;
    snMesh *a = test_cube(sn_vec3(0, 0, 0)), *b = test_cube(sn_vec3(1, 0, 1));
    snVec3 positions[16];
    uint32_t corners[48], starts[13] = {0};
    memcpy(positions, a->positions, 8 * sizeof(snVec3));
    memcpy(positions + 8, b->positions, 8 * sizeof(snVec3));
    for (uint32_t i = 0; i < 24; i++) {
        corners[i] = a->corners[i];
        corners[24 + i] = b->corners[i] + 8;
    }
    for (uint32_t f = 0; f <= 12; f++) starts[f] = 4 * f;
    snMeshDef def = {.vertex_count = 16,
                     .face_count = 12,
                     .corner_count = 48,
                     .positions = positions,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* both = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &both, NULL));
    sn_mesh_destroy(a);
    sn_mesh_destroy(b);
    Piece p;
    piece_build(&p, both, 0.0f, 1.0f);
    snShell shell = only_shell(&p);
    assert_int_equal(shell.kind, SN_SHELL_KEPT);
    assert_int_equal(shell.crowded_edges, 1);
    assert_int_equal(shell.opening_count, 0);
    assert_near(shell.volume, 2.0, 1e-9);
    snVec3 out[16];
    snShellState s;
    piece_bend(&p, 0.6f, &s, out);
    assert_true(fabs(s.before - 2.0) > 0.01);
    // Cubes that share an edge have little room there: what is not given back is said.
    assert_near(s.after, 2.0 - s.held, 2e-6);
    assert_true(fabs(s.held) < 0.5 * fabs(s.before - 2.0));
    piece_free(&p);
}

// Each closed piece keeps its own volume.
static void keeps_every_shell_by_itself(void** state) {
    (void)state;
    snMesh* thick = tube(24, 20, 0.4f, 3.0f, true, false);
    snMesh* thin = tube(12, 20, 0.1f, 3.0f, true, false);
    uint32_t nv = thick->vertex_count, nf = thick->face_count, nc = thick->corner_count;
    uint32_t vertices = nv + thin->vertex_count, faces = nf + thin->face_count,
             count = nc + thin->corner_count;
    snVec3* positions = calloc(vertices, sizeof *positions);
    uint32_t *corners = calloc(count, sizeof *corners), *starts = calloc(faces + 1, sizeof *starts);
    memcpy(positions, thick->positions, nv * sizeof *positions);
    for (uint32_t i = 0; i < thin->vertex_count; i++)
        positions[nv + i] = sn_add(thin->positions[i], sn_vec3(0.8f, 0, 0));
    memcpy(corners, thick->corners, nc * sizeof *corners);
    memcpy(starts, thick->face_starts, nf * sizeof *starts);
    for (uint32_t i = 0; i < thin->corner_count; i++) corners[nc + i] = thin->corners[i] + nv;
    for (uint32_t f = 0; f <= thin->face_count; f++) starts[nf + f] = nc + thin->face_starts[f];
    snMeshDef def = {.vertex_count = vertices,
                     .face_count = faces,
                     .corner_count = count,
                     .positions = positions,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* both = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &both, NULL));
    Piece p;
    piece_build(&p, both, 1.0f, 2.0f);
    assert_int_equal(sn_exact_volume_shell_count(p.volume), 2);
    snShellState s[2];
    snVec3* out = calloc(vertices, sizeof *out);
    piece_bend(&p, 1.2f, s, out);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(s[i].before - s[i].target) > 1e-3 * s[i].target);
        assert_near(s[i].after, s[i].target - s[i].held, 1e-6 * s[i].target);
        assert_true(fabs(s[i].held) < 0.5 * fabs(s[i].before - s[i].target));
    }
    snVec3* arrays[] = {positions, out};
    for (int i = 0; i < 2; i++) free(arrays[i]);
    free(corners);
    free(starts);
    sn_mesh_destroy(thick);
    sn_mesh_destroy(thin);
    piece_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_the_unit_cube_of_quads),
        cmocka_unit_test(caps_openings),
        cmocka_unit_test(corrects_beside_an_opening),
        cmocka_unit_test(handles_surfaces_inside_out),
        cmocka_unit_test(turns_faces_that_disagree),
        cmocka_unit_test(refuses_a_band_with_one_side),
        cmocka_unit_test(leaves_sheets_and_rigid_pieces_alone),
        cmocka_unit_test(leaves_folds_of_two_faces_alone),
        cmocka_unit_test(counts_edges_with_four_faces),
        cmocka_unit_test(keeps_every_shell_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
