// Every long call of the library, stopped wherever it can be: it cleans up, says why, and its share never
// falls.
#include <string.h>

#include "support.h"
#ifdef SINEW_HAVE_SPARSE
#include "sinew/sparse.h"
#endif

typedef snResult CallFn(const snProgress* progress, const snAllocator* allocator, snError* error);

static snModel* body; // bound, with clips

static snResult make_body(const snProgress* progress, const snAllocator* allocator, snError* error) {
    snBodyDef def = sn_body_def();
    snModel* model = NULL;
    def.vertex_target = 1000;
    def.progress = *progress;
    snResult result = sn_builtin_body(&def, allocator, &model, error);
    sn_model_destroy(model);
    return result;
}

static snResult make_lattice(const snProgress* progress, const snAllocator* allocator, snError* error) {
    const snMesh* mesh = body->parts[0].mesh;
    static uint32_t triangles[3 * 4000];
    uint32_t count = sn_mesh_triangle_count(mesh);
    snLatticeDef def = sn_lattice_def();
    snLattice* lattice = NULL;
    assert_true(count <= 4000);
    sn_mesh_triangulate(mesh, triangles);
    def.point_count = mesh->vertex_count;
    def.points = mesh->positions;
    def.triangle_count = count;
    def.triangles = triangles;
    def.progress = *progress;
    snResult result = sn_lattice_create(&def, allocator, &lattice, error);
    sn_lattice_destroy(lattice);
    return result;
}

static snResult segment(const snProgress* progress, const snAllocator* allocator, snError* error) {
    snSegmentationDef def = sn_segmentation_def();
    snHandles* handles = NULL;
    def.mesh = body->parts[0].mesh;
    def.progress = *progress;
    snResult result = sn_segmentation_create(&def, allocator, &handles, NULL, error);
    sn_handles_destroy(handles);
    return result;
}

static snResult fit(const snProgress* progress, const snAllocator* allocator, snError* error) {
    snFit* made = NULL;
    snFitDef def = sn_fit_def();
    def.skeleton = body->skeleton;
    def.progress = *progress;
    snResult result = sn_fit_model(&def, body, allocator, &made, error);
    sn_fit_destroy(made);
    return result;
}

static snResult check(const snProgress* progress, const snAllocator* allocator, snError* error) {
    snCheckDef def = sn_check_def();
    snCheck* made = NULL;
    def.model = body;
    def.clip = 0;
    def.fps = 3.0f;
    def.progress = *progress;
    snResult result = sn_check_create(&def, allocator, &made, error);
    sn_check_destroy(made);
    return result;
}

static snResult pose_frame(void* user, uint32_t frame, snSurface* out_surfaces) {
    snCharacter* character = user;
    snResult result = sn_character_pose_clip(character, 0, (float)frame / 30.0f, SN_WRAP_LOOP);
    out_surfaces[0] = sn_character_surface(character, 0);
    return result;
}

static snResult bake(const snProgress* progress, const snAllocator* allocator, snError* error) {
    snCharacterDef character_def = sn_character_def();
    snMorphBakeDef def = sn_morph_bake_def();
    snMorphBake* made = NULL;
    snCharacter* character = NULL;
    character_def.model = body;
    character_def.skin = SN_SKIN_DUAL;
    assert_ok(sn_character_create(&character_def, NULL, &character, NULL));
    def.model = body;
    def.clip = 0;
    def.frame_count = 8;
    def.frames = pose_frame;
    def.user = character;
    def.progress = *progress;
    snResult result = sn_morph_bake_create(&def, allocator, &made, error);
    sn_morph_bake_destroy(made);
    sn_character_destroy(character);
    return result;
}

#ifdef SINEW_HAVE_SPARSE
static snResult make_puppet(const snProgress* progress, const snAllocator* allocator, snError* error) {
    snPuppetDef def = sn_puppet_def();
    snPuppet* puppet = NULL;
    def.model = body;
    def.sparse = sn_sparse_cholmod();
    def.progress = *progress;
    snResult result = sn_puppet_create(&def, allocator, &puppet, error);
    sn_puppet_destroy(puppet);
    return result;
}
#endif

static const struct {
    const char* name;
    CallFn* run;
} calls[] = {{"body", make_body},       {"lattice", make_lattice},
             {"segmentation", segment}, {"fit", fit},
#ifdef SINEW_HAVE_SPARSE
             {"puppet", make_puppet},
#endif
             {"check", check},          {"bake", bake}};

// ---------------------------------------------------------------------------------------------------- stops

typedef struct Listener {
    uint32_t told, stop_at;
    float share;
} Listener;

static bool listen(void* user, const char* stage, float share) {
    Listener* listener = user;
    assert_non_null(stage);
    if (!(share >= listener->share && share <= 1.0f))
        fail_msg("%s: %g after %g", stage, (double)share, (double)listener->share);
    listener->share = share;
    assert_true(listener->told <= listener->stop_at); // no is no
    return listener->told++ != listener->stop_at;
}

static void stopped_everywhere(void** state) {
    (void)state;
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        snResult result = SN_RESULT_CANCELLED;
        uint32_t told = 0;
        for (uint32_t n = 0; result == SN_RESULT_CANCELLED; n += 1 + n / 8) {
            TestAllocator memory = {.fail_at = UINT64_MAX};
            snAllocator allocator = test_allocator(&memory);
            Listener listener = {.stop_at = n};
            snProgress progress = {listen, &listener};
            snError error = sn_error_none();
            result = calls[c].run(&progress, &allocator, &error);
            if (result == SN_RESULT_CANCELLED) {
                assert_int_equal(error.code, SN_RESULT_CANCELLED);
                assert_non_null(strstr(error.text, "cancelled"));
            } else if (result != SN_RESULT_OK) {
                fail_msg("%s: %s", calls[c].name, error.text);
            }
            assert_int_equal(memory.held, 0);
            told = listener.told;
        }
        print_message("%s: told %u times\n", calls[c].name, told);
        assert_true(told > 3);
    }
}

static int set_up(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    snBindDef bind = sn_bind_def();
    def.vertex_target = 1000;
    bind.method = SN_WEIGHTS_HEAT;
    return sn_builtin_body(&def, NULL, &body, NULL) != SN_RESULT_OK ||
           sn_model_bind(body, &bind, NULL, NULL) != SN_RESULT_OK;
}

static int tear_down(void** state) {
    (void)state;
    sn_model_destroy(body);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stopped_everywhere)};
    return cmocka_run_group_tests_name("job.stops", tests, set_up, tear_down);
}
