// A joint that is hidden by a scale of zero and comes first in its skin changes nothing, in any skin and with
// any volume: exporters put controls there.
#include <stdlib.h>
#include <string.h>

#include "support.h"
#ifdef SINEW_TEST_IO
#include "sinew/io.h"
#endif

// The same model with such a joint, which moves nothing, in front of the first skin.
static snModel* with_hidden_joint(const snModel* from) {
    const snSkeleton* s = from->skeleton;
    uint32_t count = s->joint_count + 1;
    const char** names = calloc(count, sizeof *names);
    uint32_t* parents = calloc(count, sizeof *parents);
    snTrs* rest = calloc(count, sizeof *rest);
    memcpy(names, s->names, s->joint_count * sizeof *names);
    memcpy(parents, s->parents, s->joint_count * sizeof *parents);
    memcpy(rest, s->rest, s->joint_count * sizeof *rest);
    names[s->joint_count] = "control";
    parents[s->joint_count] = SN_NONE;
    rest[s->joint_count] = sn_trs_identity();
    rest[s->joint_count].scale = sn_vec3(0, 0, 0);

    const snSkin* skin = &from->skins[0];
    uint32_t* joints = calloc((size_t)skin->joint_count + 1, sizeof *joints);
    snMat4* inverses = calloc((size_t)skin->joint_count + 1, sizeof *inverses);
    joints[0] = s->joint_count;
    inverses[0] = sn_mat4_identity();
    memcpy(joints + 1, skin->joints, skin->joint_count * sizeof *joints);
    memcpy(inverses + 1, skin->inverse_binds, skin->joint_count * sizeof *inverses);

    const snPart* part = &from->parts[0];
    size_t weights = (size_t)part->weights.vertex_count * part->weights.influences;
    uint16_t* follows = calloc(weights, sizeof *follows);
    for (size_t i = 0; i < weights; i++) follows[i] = (uint16_t)(part->weights.joints[i] + 1);
    snClipDef* clips = calloc(from->clip_count, sizeof *clips);
    for (uint32_t c = 0; c < from->clip_count; c++)
        clips[c] = (snClipDef){from->clips[c]->name, from->clips[c]->duration, from->clips[c]->channel_count,
                               from->clips[c]->channels};
    snMeshDef mesh = sn_mesh_def(part->mesh);
    snSkinDef skin_def = {skin->name, skin->joint_count + 1, joints, inverses};
    snPartDef part_def = {.name = part->name,
                          .mesh = &mesh,
                          .joint = part->joint,
                          .influences = part->weights.influences,
                          .joints = follows,
                          .weights = part->weights.weights};
    snSkeletonDef skeleton = {count, names, parents, rest};
    snModelDef def = {&skeleton, 1, &skin_def, 1, &part_def, from->clip_count, clips};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    void* arrays[] = {names, parents, rest, joints, inverses, follows, clips};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
    return model;
}

// Where its vertices are at one moment of its first clip; to be freed. `kept` counts shells whose volume is.
static snVec3* pose(const snModel* model, snSkinMethod skin, snVolumeMethod volume, uint32_t* kept) {
    snSettings* settings = NULL;
    snCharacter* character = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    settings->skin = skin;
    settings->volume = volume;
    settings->flesh = false;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, 0, 0.3f * model->clips[0]->duration, SN_WRAP_CLAMP));
    snSurface surface = sn_character_surface(character, 0);
    snVec3* points = malloc(surface.vertex_count * sizeof *points);
    memcpy(points, surface.positions, surface.vertex_count * sizeof *points);
    *kept = 0;
    const snExactVolume* exact = sn_character_exact(character);
    for (uint32_t i = 0; exact != NULL && i < sn_exact_volume_shell_count(exact); i++)
        *kept += sn_exact_volume_shells(exact)[i].kind == SN_SHELL_KEPT;
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    return points;
}

static void compare(const snModel* model) {
    static const struct {
        snSkinMethod skin;
        snVolumeMethod volume;
    } ways[] = {{SN_SKIN_LINEAR, SN_VOLUME_NONE},
                {SN_SKIN_DUAL, SN_VOLUME_NONE},
                {SN_SKIN_SPLINE, SN_VOLUME_NONE},
                {SN_SKIN_LINEAR, SN_VOLUME_EXACT},
                {SN_SKIN_SPLINE, SN_VOLUME_EXACT}};
    snModel* hidden = with_hidden_joint(model);
    uint32_t count = model->parts[0].mesh->vertex_count;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        uint32_t kept = 0, kept_too = 0;
        snVec3* a = pose(model, ways[i].skin, ways[i].volume, &kept);
        snVec3* b = pose(hidden, ways[i].skin, ways[i].volume, &kept_too);
        float size = sn_bounds_diagonal(sn_bounds_of(a, count));
        assert_int_equal(kept, kept_too);
        for (uint32_t v = 0; v < count; v++) assert_true(sn_distance(a[v], b[v]) <= 2e-5f * size);
        free(a);
        free(b);
    }
    sn_model_destroy(hidden);
}

static void a_hidden_joint_changes_nothing(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* tube = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &tube, NULL));
    compare(tube);
    sn_model_destroy(tube);
}

#ifdef SINEW_TEST_IO
static void nor_on_a_fox(void** state) {
    (void)state;
    const char* path = test_data_path("characters/Fox.glb");
    snReadDef def = sn_read_def();
    snModel* fox = NULL;
    assert_ok(sn_model_read(path, &def, &fox, NULL));
    compare(fox);
    sn_model_destroy(fox);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hidden_joint_changes_nothing),
#ifdef SINEW_TEST_IO
        cmocka_unit_test(nor_on_a_fox),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
