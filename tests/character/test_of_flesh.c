// What flesh moves eats volume (Chen et al. 2012, figure 9), and volume.of_flesh gives it back.
#include <math.h>

#include "flesh_support.h"
#include "sinew/shape.h"

#define LENGTH 3.0f

// Presses a bar together from both ends.
static void press(void* user, double time, uint32_t count, const snVec4* points, snVec4* accelerations) {
    (void)time;
    float force = *(const float*)user;
    for (uint32_t p = 0; p < count; p++) accelerations[p].y += points[p].y > 0.5f * LENGTH ? -force : force;
}

typedef struct Pressed {
    double volume;  // of the surface against that at rest
    float lopsided; // metres; how far the particles are from their mirror images across x and z, at most
} Pressed;

static snVec3 times(snVec3 a, snVec3 b) { return sn_vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

static float off_mirror(const snLattice* lattice, const snVec4* points, snVec3 mirror) {
    float most = 0.0f;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        uint32_t twin = SN_NONE;
        snVec3 place = times(lattice->rest[p], mirror);
        for (uint32_t q = 0; q < lattice->particle_count && twin == SN_NONE; q++)
            if (sn_distance(lattice->rest[q], place) < 0.01f * lattice->cell_size) twin = q;
        assert_true(twin != SN_NONE);
        snVec3 a = times(sn_vec3(points[p].x, points[p].y, points[p].z), mirror);
        most = sn_maxf(most, sn_distance(a, sn_vec3(points[twin].x, points[twin].y, points[twin].z)));
    }
    return most;
}

static Pressed press_bar(const snModel* model, bool of_flesh, float force) {
    snSettings* settings = flesh_settings();
    settings->gravity = sn_vec3(0, 0, 0);
    settings->delta = 0.95f;
    settings->limit = 0.5f;
    settings->volume_of_flesh = of_flesh;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    def.skin = SN_SKIN_DUAL;
    def.force = press;
    def.force_user = &force;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    snTrs* locals = malloc(model->skeleton->joint_count * sizeof *locals);
    flesh_rest_pose(model, sn_vec3(0, 0, 0), locals);
    for (int k = 0; k < 200; k++)
        assert_ok(sn_character_advance(character, locals, k == 0 ? 0.0f : 1.0f / 60.0f));
    const snMesh* mesh = model->parts[0].mesh;
    const snVec4* points = sn_character_particles(character);
    float x = off_mirror(model->binding->lattice, points, sn_vec3(-1, 1, 1)),
          z = off_mirror(model->binding->lattice, points, sn_vec3(1, 1, -1));
    Pressed pressed = {sn_mesh_volume(mesh, sn_character_surface(character, 0).positions) /
                           sn_mesh_volume(mesh, mesh->positions),
                       sn_maxf(x, z)};
    free(locals);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    return pressed;
}

static snModel* soft_bar(uint32_t sides, uint32_t cells) {
    snTubeDef def = sn_tube_def();
    def.length = LENGTH;
    def.sides = sides;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    flesh_bind(model, cells);
    return model;
}

// Half of what is lost at least comes back, and a round bar does not swell by more than a tenth of that.
static void what_is_pressed_away_comes_back(void** state) {
    (void)state;
    for (uint32_t sides = 4; sides <= 32; sides += 28) {
        snModel* model = soft_bar(sides, 20);
        Pressed eaten = press_bar(model, false, 200.0f), cured = press_bar(model, true, 200.0f);
        print_message("%u sides: %.3f eaten, %.3f cured\n", sides, eaten.volume, cured.volume);
        assert_true(eaten.volume < 0.9);
        assert_true(1.0 - cured.volume < 0.5 * (1.0 - eaten.volume));
        assert_true(cured.volume < 1.0 + 0.1 * (1.0 - eaten.volume));
        sn_model_destroy(model);
    }
}

// With a row of particles on the axis, which have no way out of their own, and without.
static void a_symmetric_bar_stays_symmetric(void** state) {
    (void)state;
    for (uint32_t cells = 12; cells <= 21; cells += 3) {
        snModel* model = soft_bar(32, cells);
        for (float force = 50.0f; force < 500.0f; force *= 3.0f) {
            float lopsided = press_bar(model, true, force).lopsided;
            assert_true(lopsided < 1e-3f * model->binding->lattice->cell_size);
        }
        sn_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pressed_away_comes_back),
        cmocka_unit_test(a_symmetric_bar_stays_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
