// Parts that are near in space but not joined by the surface share no particle.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_support.h"

// The point nearest to a place.
static uint32_t point_at(const Solid* solid, snVec3 at) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < solid->point_count; i++) {
        if (sn_distance(solid->points[i], at) < sn_distance(solid->points[best], at)) best = i;
    }
    return best;
}

static void test_prongs_stay_apart(void** state) {
    (void)state;
    static const float gaps[] = {0.02f, 0.1f, 0.3f, 1.0f}; // in cells, about
    for (int turn = 0; turn < 3; turn++) {
        for (int g = 0; g < 4; g++) {
            for (uint32_t cells = 7; cells < 40; cells += 8) {
                Solid fork = {0};
                float h = 5.0f / (float)cells;
                solid_add_fork(&fork, 1, gaps[g] * h, 4, 1);
                snQuat turned = sn_quat_axis_angle(sn_vec3(1, 2, 3), 0.4f * (float)turn);
                snVec3 left = sn_vec3(1, 5, 0.5f), right = sn_vec3(1 + gaps[g] * h, 5, 0.5f);
                for (uint32_t p = 0; p < fork.point_count; p++)
                    fork.points[p] = sn_quat_rotate(turned, fork.points[p]);
                snLattice* lattice = lattice_of(&fork, cells);
                uint32_t a = particle_near_point(lattice, point_at(&fork, sn_quat_rotate(turned, left)));
                uint32_t b = particle_near_point(lattice, point_at(&fork, sn_quat_rotate(turned, right)));
                assert_int_equal(lattice->piece_count, 1);
                // Down one prong and up the other; each is 4 long, less a cell at either end.
                uint32_t least = (uint32_t)(2 * (4.0f / lattice->cell_size - 2));
                assert_true(walk_distance(lattice, a, b) >= least);
                sn_lattice_destroy(lattice);
                solid_free(&fork);
            }
        }
    }
}

static void test_thin_slab_is_one(void** state) {
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        Solid slab = {0};
        solid_add_box(&slab, sn_vec3(0, 0, 0), sn_vec3(4, 0.2f * 4 / 16, 4));
        snQuat turned = sn_quat_axis_angle(sn_vec3(3, 1, 2), 0.5f * (float)turn);
        for (uint32_t p = 0; p < slab.point_count; p++)
            slab.points[p] = sn_quat_rotate(turned, slab.points[p]);
        snLattice* lattice = lattice_of(&slab, 16);
        assert_int_equal(lattice->piece_count, 1);
        assert_int_equal(lattice->duplicated_cell_count, 0);
        sn_lattice_destroy(lattice);
        solid_free(&slab);
    }
}

static void test_parallel_plates_share_nothing(void** state) {
    (void)state;
    Solid plates = {0};
    float h = 4.0f / 16;
    solid_add_box(&plates, sn_vec3(0, 0, 0), sn_vec3(4, 0.3f * h, 4));
    solid_add_box(&plates, sn_vec3(0, 0.5f * h, 0), sn_vec3(4, 0.8f * h, 4));
    snLattice* lattice = lattice_of(&plates, 16);
    assert_int_equal(lattice->piece_count, 2);
    assert_int_equal(lattice->cell_count, 2 * 16 * 16);
    assert_int_equal(lattice->duplicated_cell_count, 16 * 16);
    assert_true(lattice->pieces[particle_near_point(lattice, 0)] !=
                lattice->pieces[particle_near_point(lattice, 8)]);
    sn_lattice_destroy(lattice);
    solid_free(&plates);
}

// A flat ring with a slit much narrower than a cell: its two borders belong to one sheet and stay apart.
static void test_slit_stays_open(void** state) {
    (void)state;
    Solid ring = {0};
    enum { STEPS = 80 };
    for (int i = 0; i <= STEPS; i++) {
        float turn = (2 * SN_PI - 1e-3f) * (float)i / STEPS;
        for (int k = 0; k < 2; k++)
            solid_add_point(&ring, sn_scale(sn_vec3(sn_cos(turn), 0, sn_sin(turn)), k == 0 ? 2 : 3));
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        solid_add_triangle(&ring, 2 * i, 2 * i + 1, 2 * i + 2);
        solid_add_triangle(&ring, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    }
    solid_add_box(&ring, sn_vec3(-0.5f, 0, -0.5f),
                  sn_vec3(0.5f, 0.5f, 0.5f)); // borders of others are looked for
    snLattice* lattice = lattice_of(&ring, 30);
    uint32_t steps =
        walk_distance(lattice, particle_near_point(lattice, 1), particle_near_point(lattice, 2 * STEPS + 1));
    assert_int_not_equal(steps, UINT32_MAX);
    assert_true((float)steps * lattice->cell_size > 2 * SN_PI * 2);
    sn_lattice_destroy(lattice);
    solid_free(&ring);
}

// --------------------------------------------------------------------------------------------- the body

typedef struct Body {
    snModel* model;
    Solid solid;
} Body;

static Body make_body(uint32_t vertices) {
    Body body = {0};
    snBodyDef def = sn_body_def();
    def.vertex_target = vertices;
    assert_ok(sn_builtin_body(&def, NULL, &body.model, NULL));
    solid_add_model(&body.solid, body.model);
    return body;
}

static void free_body(Body* body) {
    solid_free(&body->solid);
    sn_model_destroy(body->model);
}

static uint32_t joint_in_skin(const Body* body, const char* name) {
    const snSkin* skin = &body->model->skins[body->model->parts[0].skin];
    uint32_t joint = sn_skeleton_find(body->model->skeleton, name);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        if (skin->joints[i] == joint) return i;
    }
    fail_msg("no joint %s", name);
    return SN_NONE;
}

// The joint that holds a point most.
static uint32_t owner(const Body* body, uint32_t point) {
    const snPart* part = &body->model->parts[0];
    const snWeights* weights = &part->weights;
    size_t first = (size_t)part->weld->vertex_of_point[point] * weights->influences;
    uint32_t best = 0;
    for (uint32_t i = 1; i < weights->influences; i++) {
        if (weights->weights[first + i] > weights->weights[first + best]) best = i;
    }
    return weights->joints[first + best];
}

// The point of a joint's skin that lies farthest out along x.
static uint32_t tip_of(const Body* body, uint32_t joint) {
    uint32_t best = SN_NONE;
    for (uint32_t p = 0; p < body->solid.point_count; p++) {
        if (owner(body, p) != joint) continue;
        if (best == SN_NONE || fabsf(body->solid.points[p].x) > fabsf(body->solid.points[best].x)) best = p;
    }
    return best;
}

static const char* const FINGERS[] = {"LeftIndex2",  "LeftMiddle2",  "LeftRing2",
                                      "RightIndex2", "RightMiddle2", "RightRing2"};

// Ends of fingers in the T-pose: no cell, and no particle, is held by two of them.
static void test_finger_ends_share_no_particle(void** state) {
    (void)state;
    Body body = make_body(28000);
    for (uint32_t cells = 24; cells <= 96; cells += 12) {
        snLattice* lattice = lattice_of(&body.solid, cells);
        uint32_t* finger_of = malloc(lattice->particle_count * sizeof *finger_of);
        memset(finger_of, 0xff, lattice->particle_count * sizeof *finger_of);
        uint32_t shared = 0;
        for (int f = 0; f < 6; f++) {
            uint32_t joint = joint_in_skin(&body, FINGERS[f]);
            float tip = fabsf(body.solid.points[tip_of(&body, joint)].x);
            for (uint32_t p = 0; p < body.solid.point_count; p++) {
                // The last two centimetres, where nothing but the finger is.
                if (owner(&body, p) != joint || fabsf(body.solid.points[p].x) < tip - 0.02f) continue;
                const uint32_t* corners = lattice->cell_particles[lattice->point_cells[p]];
                for (int k = 0; k < 8; k++) {
                    bool outer = fabsf(lattice->rest[corners[k]].x) > tip - 0.02f;
                    uint32_t* finger = &finger_of[corners[k]];
                    shared += outer && *finger != SN_NONE && *finger != (uint32_t)f;
                    if (outer) *finger = (uint32_t)f;
                }
            }
        }
        assert_int_equal(shared, 0);
        free(finger_of);
        sn_lattice_destroy(lattice);
    }
    free_body(&body);
}

// From one fingertip to the next the way leads back to the palm.
static void test_fingertips_are_a_palm_apart(void** state) {
    (void)state;
    Body body = make_body(28000);
    snMat4 world[64];
    sn_skeleton_world(body.model->skeleton, NULL, world);
    for (uint32_t cells = 32; cells <= 128; cells *= 2) {
        snLattice* lattice = lattice_of(&body.solid, cells);
        for (int f = 0; f < 6; f++) {
            if (f % 3 == 2) continue;
            uint32_t a = tip_of(&body, joint_in_skin(&body, FINGERS[f]));
            uint32_t b = tip_of(&body, joint_in_skin(&body, FINGERS[f + 1]));
            // The knuckle lies inside the palm; three quarters of what is beyond it are free.
            uint32_t knuckle = sn_skeleton_find(body.model->skeleton, f < 3 ? "LeftMiddle1" : "RightMiddle1");
            float length = fabsf(body.solid.points[b].x - sn_mat4_translation(&world[knuckle]).x) * 0.75f;
            uint32_t steps =
                walk_distance(lattice, particle_near_point(lattice, a), particle_near_point(lattice, b));
            assert_true((float)(steps + 2) * lattice->cell_size >= 2 * length);
        }
        sn_lattice_destroy(lattice);
    }
    free_body(&body);
}

static void turn_joint(const snModel* model, snTrs* locals, const char* name, float degrees) {
    uint32_t joint = sn_skeleton_find(model->skeleton, name);
    snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), degrees * SN_PI / 180);
    locals[joint].rotation = sn_quat_mul(turn, locals[joint].rotation);
}

static void put_hands_on_hips(Body* body, float arm, float elbow) {
    snCharacterDef def = sn_character_def();
    def.model = body->model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    snTrs locals[64];
    memcpy(locals, body->model->skeleton->rest, body->model->skeleton->joint_count * sizeof *locals);
    turn_joint(body->model, locals, "LeftUpperArm", -arm);
    turn_joint(body->model, locals, "LeftLowerArm", -elbow);
    turn_joint(body->model, locals, "RightUpperArm", arm);
    turn_joint(body->model, locals, "RightLowerArm", elbow);
    assert_ok(sn_character_pose_locals(character, locals));
    snSurface surface = sn_character_surface(character, 0);
    const snWeld* weld = body->model->parts[0].weld;
    for (uint32_t p = 0; p < weld->point_count; p++) {
        body->solid.points[p] = surface.positions[weld->vertex_of_point[p]];
    }
    sn_character_destroy(character);
}

static bool owned_by(const Body* body, uint32_t point, const char* const* names, int count) {
    uint32_t joint = owner(body, point);
    for (int i = 0; i < count; i++) {
        if (joint == joint_in_skin(body, names[i])) return true;
    }
    return false;
}

// From "near" through "touching" to "sunk in": hands and hips never become one.
static void test_hands_on_hips(void** state) {
    (void)state;
    static const char* const hand[] = {"LeftHand",    "LeftIndex1", "LeftIndex2", "LeftMiddle1",
                                       "LeftMiddle2", "LeftRing1",  "LeftRing2",  "LeftLittle1"};
    static const char* const hip[] = {"Hips", "Spine", "LeftUpperLeg"};
    static const float elbows[] = {40, 50, 58, 64};
    uint32_t touching = 0;
    Body body = make_body(8000);
    for (int e = 0; e < 4; e++) {
        put_hands_on_hips(&body, 60, elbows[e]);
        for (uint32_t cells = 20; cells <= 60; cells += 20) {
            snLattice* lattice = lattice_of(&body.solid, cells);
            uint8_t* sides = calloc(lattice->particle_count, 1);
            uint8_t* places = calloc((size_t)lattice->grid[0] * lattice->grid[1] * lattice->grid[2], 1);
            for (uint32_t p = 0; p < body.solid.point_count; p++) {
                uint8_t side = owned_by(&body, p, hand, 8) ? 1 : owned_by(&body, p, hip, 3) ? 2 : 0;
                uint32_t cell = lattice->point_cells[p];
                for (int k = 0; k < 8; k++) sides[lattice->cell_particles[cell][k]] |= side;
                const uint16_t* at = lattice->cells[cell];
                places[((size_t)at[2] * lattice->grid[1] + at[1]) * lattice->grid[0] + at[0]] |= side;
            }
            size_t grid = (size_t)lattice->grid[0] * lattice->grid[1] * lattice->grid[2];
            for (size_t i = 0; i < grid; i++) touching += places[i] == 3;
            for (uint32_t p = 0; p < lattice->particle_count; p++) assert_int_not_equal(sides[p], 3);
            free(sides);
            free(places);
            sn_lattice_destroy(lattice);
        }
    }
    assert_true(touching > 20); // the poses do put both into the same places
    free_body(&body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prongs_stay_apart),
        cmocka_unit_test(test_thin_slab_is_one),
        cmocka_unit_test(test_parallel_plates_share_nothing),
        cmocka_unit_test(test_slit_stays_open),
        cmocka_unit_test(test_finger_ends_share_no_particle),
        cmocka_unit_test(test_fingertips_are_a_palm_apart),
        cmocka_unit_test(test_hands_on_hips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
