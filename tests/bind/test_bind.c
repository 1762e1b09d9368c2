// Binding models: every method, every complaint.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"
#include "bind_support.h"

static const snWeightsMethod methods[] = {SN_WEIGHTS_AUTO, SN_WEIGHTS_HEAT, SN_WEIGHTS_GEODESIC};

static snModel* make_tube(void) {
    snModel* model = NULL;
    snTubeDef def = sn_tube_def();
    def.rings = 24;
    def.sides = 12;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

static void bind(snModel* model, snWeightsMethod method, uint32_t cells, snBindReport* report) {
    snBindDef def = sn_bind_def();
    snError error = sn_error_none();
    def.method = method;
    def.cells = cells;
    snResult result = sn_model_bind(model, &def, report, &error);
    if (result != SN_RESULT_OK) fail_msg("%s", error.text);
}

// ------------------------------------------------------------------------------------------- properties

static void weights_are_convex_and_nobody_is_left_out(void** state) {
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        snModel* model = NULL;
        snBodyDef body = sn_body_def();
        snBindReport report;
        assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
        bind(model, methods[m], 48, &report);
        check_weights(model);
        assert_int_equal(report.unweighted_vertices, 0);
        assert_int_equal(report.vertex_count, model->parts[0].mesh->vertex_count);
        assert_int_equal(report.deforming_joints, 38);
        assert_true(report.residual <= 2.0 * SN_BIND_TOLERANCE);
        assert_true(report.cells > 1000 && report.particles > report.cells);
        printf("method %zu: %u cells, %u particles, %u joints without weight, dropped %.3f\n", m,
               report.cells, report.particles, report.joints_without_weight_count,
               (double)report.dropped_mass_max);
        sn_bind_report_free(&report);
        sn_model_destroy(model);
    }
}

// The rest pose is the identity whatever the weights: new skins must agree with old joints.
static void the_rest_pose_stays(void** state) {
    (void)state;
    snModel* model = make_tube();
    snCharacter* character = NULL;
    bind(model, SN_WEIGHTS_AUTO, 0, NULL);
    snCharacterDef def = sn_character_def();
    def.model = model;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
    snSurface surface = sn_character_surface(character, 0);
    for (uint32_t v = 0; v < surface.vertex_count; v++)
        assert_vec3_near(surface.positions[v], model->parts[0].mesh->positions[v], 2e-6f);
    sn_character_destroy(character);
    sn_model_destroy(model);
}

// A tube of three bones: in the middle of each bone its joint has nearly everything, and along the tube the
// weight of the first joint only falls.
static void a_tube_belongs_to_its_bones_in_order(void** state) {
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        snModel* model = make_tube();
        bind(model, methods[m], 40, NULL);
        const snMesh* mesh = model->parts[0].mesh;
        snBounds bounds = sn_bounds_of(mesh->positions, mesh->vertex_count);
        snVec3 size = sn_sub(bounds.max, bounds.min);
        int axis = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float* p = &mesh->positions[v].x;
            float t = (p[axis] - (&bounds.min.x)[axis]) / (&size.x)[axis];
            float first = weight_of(model, v, model->skeleton->names[model->binding->joints[0]]);
            if (t < 0.17f) assert_true(first > 0.85f);
            if (t > 0.5f) assert_true(first < 0.15f);
        }
        sn_model_destroy(model);
    }
}

static void scale_and_place_do_not_matter(void** state) {
    (void)state;
    static const float scales[] = {1e-3f, 1e3f};
    for (size_t m = 0; m < 3; m++) {
        snModel* reference = make_tube();
        bind(reference, methods[m], 24, NULL);
        for (int s = 0; s < 2; s++) {
            snModel* model = make_tube();
            snMesh* mesh = model->parts[0].mesh;
            for (uint32_t v = 0; v < mesh->vertex_count; v++)
                mesh->positions[v] = sn_scale(mesh->positions[v], scales[s]);
            for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
                model->skeleton->rest[j].translation =
                    sn_scale(model->skeleton->rest[j].translation, scales[s]);
            for (uint32_t j = 0; j < model->skins[0].joint_count; j++) {
                for (int k = 12; k < 15; k++) model->skins[0].inverse_binds[j].m[k] *= scales[s];
            }
            bind(model, methods[m], 24, NULL);
            for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                const char* name = model->skeleton->names[largest_joint(reference, v)];
                float here = weight_of(model, v, name), there = weight_of(reference, v, name);
                if (fabsf(here - there) > 5e-3f)
                    fail_msg("method %zu, scale %g, vertex %u: %g, expected %g", m, (double)scales[s], v,
                             (double)here, (double)there);
            }
            sn_model_destroy(model);
        }
        sn_model_destroy(reference);
    }
}

static void workers_and_levels_do_not_matter(void** state) {
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        uint64_t first = 0;
        for (uint32_t workers = 1; workers <= 8; workers *= 2) {
            snModel* model = NULL;
            snPool* pool = NULL;
            snBodyDef body = sn_body_def();
            assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
            assert_ok(sn_pool_create(workers, &pool));
            snBindDef def = sn_bind_def();
            def.method = methods[m];
            def.cells = 24;
            def.tasks = sn_pool_tasks(pool);
            def.level = workers == 2 ? SN_CPU_SCALAR : SN_CPU_AUTO;
            assert_ok(sn_model_bind(model, &def, NULL, NULL));
            uint64_t hash = weights_hash(model);
            if (workers == 1) first = hash;
            assert_true(hash == first);
            sn_model_destroy(model);
            sn_pool_destroy(pool);
        }
    }
}

// -------------------------------------------------------------------------------------------- methods

// Figure 7 of Rohmer et al. 2009: a tongue grows from the jaw and curls back towards the throat. Its tip is
// nearer to the throat's bone through the air, but belongs to the jaw.
static bool mouth(int x, int y, int z) {
    if (z > 2) return false;
    bool throat = x < 3 && y < 13, jaw = x < 15 && y < 3;
    bool tongue = (x >= 11 && x < 15 && y < 9) || (x >= 5 && x < 15 && y >= 6 && y < 9);
    return throat || jaw || tongue;
}

static void a_tongue_belongs_to_the_jaw(void** state) {
    (void)state;
    snVec3 places[] = {{0.15f, 1.3f, 0.15f}, {0.15f, 0.15f, 0.15f}, {1.4f, 0.15f, 0.15f}};
    for (size_t m = 0; m < 3; m++) {
        snModel* model = block_model(mouth, 16, 0.1f, chain_skeleton(places, 3));
        // j0 is the throat (its bone runs down to j1), j1 the jaw (its bone runs to j2, which ends it).
        uint8_t deforming[4] = {1, 1, 0, 0};
        snBindDef def = sn_bind_def();
        def.method = methods[m];
        def.cells = 32;
        def.deforming = deforming;
        assert_ok(sn_model_bind(model, &def, NULL, NULL));
        const snMesh* mesh = model->parts[0].mesh;
        uint32_t tips = 0;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            snVec3 p = mesh->positions[v];
            if (p.x > 0.65f || p.x < 0.45f || p.y < 0.55f) continue; // the end of the tongue
            tips++;
            assert_true(weight_of(model, v, "j1") > 0.75f);
        }
        assert_true(tips > 8);
        sn_model_destroy(model);
    }
}

// The harmonic solution between two heated ends of a bar is linear, so the middle is shared evenly; twice the
// strength moves the border away from the stronger bone.
static bool bar(int x, int y, int z) { return y < 3 && z < 3 && x < 30; }

static float middle_share(float strength) {
    snVec3 places[] = {
        {0.15f, 0.15f, 0.15f}, {1.0f, 0.15f, 0.15f}, {2.0f, 0.15f, 0.15f}, {2.9f, 0.15f, 0.15f}};
    snModel* model = block_model(bar, 32, 0.1f, chain_skeleton(places, 4));
    uint8_t deforming[5] = {1, 0, 1, 0, 0};
    float strengths[5] = {strength, 1.0f, 1.0f, 1.0f, 1.0f};
    // Two bones with a gap between them: the second starts a tree of its own.
    model->skeleton->parents[2] = SN_NONE;
    model->skeleton->rest[2].translation = places[2];
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_HEAT;
    def.cells = 30;
    def.deforming = deforming;
    def.strengths = strengths;
    assert_ok(sn_model_bind(model, &def, NULL, NULL));
    float sum = 0.0f;
    uint32_t count = 0;
    for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++) {
        if (fabsf(model->parts[0].mesh->positions[v].x - 1.5f) > 0.01f) continue;
        sum += weight_of(model, v, "j0");
        count++;
    }
    sn_model_destroy(model);
    assert_true(count > 0);
    return sum / (float)count;
}

static void stronger_bones_reach_further(void** state) {
    (void)state;
    float even = middle_share(1.0f), strong = middle_share(2.0f), weak = middle_share(0.5f);
    printf("share of the first bone in the middle: %.3f, strong %.3f, weak %.3f\n", (double)even,
           (double)strong, (double)weak);
    assert_true(strong > even + 0.02f && weak < even - 0.02f);
}

static void own_weights_are_kept_and_extended(void** state) {
    (void)state;
    snModel* model = make_tube();
    snWeights before = model->parts[0].weights;
    size_t count = (size_t)before.vertex_count * before.influences;
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, before.weights, count);
    bind(model, SN_WEIGHTS_KEEP, 0, NULL);
    assert_true(sn_hash_floats(SN_HASH_SEED, model->parts[0].weights.weights, count) == hash);
    assert_false(model->reskinned);
    assert_true(model->rebound);
    check_weights(model);
    // What the particles of a vertex's cell say is near what the vertex says.
    const snBinding* binding = model->binding;
    double error = 0.0;
    for (uint32_t v = 0; v < before.vertex_count; v++) {
        const uint32_t* corners =
            binding->lattice->cell_particles[binding->lattice->point_cells[binding->vertex_points[v]]];
        uint32_t joint = largest_joint(model, v);
        float mean = 0.0f;
        for (int k = 0; k < 8; k++) {
            for (uint32_t i = 0; i < binding->particles.influences; i++) {
                size_t at = (size_t)corners[k] * binding->particles.influences + i;
                if (binding->joints[binding->particles.joints[at]] == joint)
                    mean += binding->particles.weights[at] / 8.0f;
            }
        }
        error += fabs((double)(mean - weight_of(model, v, model->skeleton->names[joint])));
    }
    assert_true(error / before.vertex_count < 0.05);
    sn_model_destroy(model);
}

// A mesh without a skin beside the character: kept weights leave it as rigid as it was, made ones take it
// along when it could be worn and leave a floor where it is.
static void parts_without_a_skin_are_worn_or_left_alone(void** state) {
    (void)state;
    snModel *tube = make_tube(), *model = NULL;
    const snPart* from = &tube->parts[0];
    uint32_t count = tube->skeleton->joint_count;
    const char* names[16] = {0};
    uint32_t parents[16];
    snTrs rest[16];
    for (uint32_t j = 0; j <= count; j++) {
        names[j] = j < count ? tube->skeleton->names[j] : "floor";
        parents[j] = j < count ? tube->skeleton->parents[j] : SN_NONE;
        rest[j] = j < count ? tube->skeleton->rest[j] : sn_trs_identity();
    }
    snVec3 triangle[] = {{0, 0, 0}, {0.5f, 0, 0}, {0, 0, 0.5f}};
    uint32_t corners[] = {0, 1, 2};
    snMeshDef meshes[] = {
        sn_mesh_def(from->mesh),
        {.vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = triangle, .corners = corners}};
    snSkinDef skin = {"skin", tube->skins[0].joint_count, tube->skins[0].joints,
                      tube->skins[0].inverse_binds};
    snPartDef parts[] = {{.mesh = &meshes[0],
                          .joint = from->joint,
                          .influences = from->weights.influences,
                          .joints = from->weights.joints,
                          .weights = from->weights.weights},
                         {.mesh = &meshes[1], .joint = count, .skin = SN_NONE}};
    snSkeletonDef skeleton = {count + 1, names, parents, rest};
    snModelDef def = {
        .skeleton = &skeleton, .skin_count = 1, .skins = &skin, .part_count = 2, .parts = parts};
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snBindReport report;
    bind(model, SN_WEIGHTS_KEEP, 12, &report);
    assert_int_equal(report.vertex_count, from->mesh->vertex_count);
    assert_int_equal(model->binding->vertex_starts[2], from->mesh->vertex_count);
    assert_int_equal(model->parts[1].skin, SN_NONE);
    sn_bind_report_free(&report);
    snVec3* worn = model->parts[1].mesh->positions;
    for (int v = 0; v < 3; v++) worn[v] = sn_scale(worn[v], 40.0f); // now it is a floor
    bind(model, SN_WEIGHTS_HEAT, 12, &report);
    assert_int_equal(report.vertex_count, from->mesh->vertex_count);
    assert_int_equal(model->parts[1].skin, SN_NONE);
    sn_bind_report_free(&report);
    for (int v = 0; v < 3; v++) worn[v] = sn_scale(worn[v], 1.0f / 40.0f);
    bind(model, SN_WEIGHTS_HEAT, 12, &report);
    assert_int_equal(report.vertex_count, from->mesh->vertex_count + 3);
    sn_bind_report_free(&report);
    sn_model_destroy(tube);
    sn_model_destroy(model);
}

static void eight_influences_drop_less_than_four(void** state) {
    (void)state;
    float dropped[2];
    for (uint32_t i = 0; i < 2; i++) {
        snModel* model = NULL;
        snBodyDef body = sn_body_def();
        snBindReport report;
        snBindDef def = sn_bind_def();
        def.method = SN_WEIGHTS_HEAT;
        def.influences = i == 0 ? 4 : 8;
        assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
        assert_ok(sn_model_bind(model, &def, &report, NULL));
        assert_int_equal(model->parts[0].weights.influences, def.influences);
        assert_int_equal(model->binding->particles.influences, def.influences);
        check_weights(model);
        dropped[i] = report.dropped_mass_mean;
        sn_bind_report_free(&report);
        sn_model_destroy(model);
    }
    assert_true(dropped[1] < dropped[0]);
}

// --------------------------------------------------------------------------------------- odd skeletons

static bool cube(int x, int y, int z) { return x < 8 && y < 8 && z < 8; }

static void bones_outside_and_of_no_length_are_reported(void** state) {
    (void)state;
    snVec3 places[] = {
        {0.4f, 0.2f, 0.4f}, {0.4f, 0.6f, 0.4f}, {0.4f, 0.6f, 0.4f}, {1.9f, 1.9f, 0.4f}, {2.1f, 2.1f, 0.4f}};
    for (size_t m = 0; m < 3; m++) {
        snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(places, 5));
        snBindReport report;
        bind(model, methods[m], 16, &report);
        check_weights(model);
        bool outside = false, none = false;
        for (uint32_t i = 0; i < report.bones_outside_count; i++)
            outside = outside || strcmp(model->skeleton->names[report.bones_outside[i]], "j3") == 0;
        for (uint32_t i = 0; i < report.bones_short_count; i++)
            none = none || strcmp(model->skeleton->names[report.bones_short[i]], "j1") == 0;
        assert_true(outside && none);
        sn_bind_report_free(&report);
        sn_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------ idle joints

static const snIdleJoint* idle_joint(const snBindReport* report, const snModel* model, const char* name) {
    for (uint32_t i = 0; i < report->joints_without_weight_count; i++) {
        const snIdleJoint* idle = &report->idle_joints[i];
        assert_int_equal(idle->joint, report->joints_without_weight[i]);
        if (strcmp(model->skeleton->names[idle->joint], name) == 0) return idle;
    }
    return NULL;
}

static bool post(int x, int y, int z) { return x >= 2 && x < 4 && y < 24 && z >= 2 && z < 4; }

// A chest and two that begin in it, in one point, as motion files have them: the chest has the flesh nearest
// to the point, and each of the others what lies at its end.
static void joints_in_one_point_share_the_bones_there(void** state) {
    (void)state;
    static const char* const names[] = {"hips", "chest", "neck", "head", "crown"};
    static const uint32_t parents[] = {SN_NONE, 0, 1, 2, 3};
    snTrs rest[5];
    for (int j = 0; j < 5; j++) rest[j] = sn_trs_identity();
    rest[0].translation = sn_vec3(0.3f, 0.1f, 0.3f);
    rest[1].translation = sn_vec3(0.0f, 0.8f, 0.0f);
    rest[3].translation = sn_vec3(0.0f, 0.8f, 0.0f);
    rest[4].translation = sn_vec3(0.0f, 0.6f, 0.0f);
    snSkeletonDef skeleton = {5, names, parents, rest};
    for (size_t m = 0; m < 3; m++) {
        snModel* model = block_model(post, 24, 0.1f, &skeleton);
        snBindReport report;
        bind(model, methods[m], 48, &report);
        assert_null(idle_joint(&report, model, "chest"));
        float chest = 0.0f, neck = 0.0f;
        for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++) {
            float y = model->parts[0].mesh->positions[v].y;
            if (fabsf(y - 1.1f) < 0.01f) chest = sn_maxf(chest, weight_of(model, v, "chest"));
            if (fabsf(y - 1.5f) < 0.01f) neck = sn_maxf(neck, weight_of(model, v, "neck"));
        }
        assert_true(chest > 0.5f && neck > 0.5f);
        sn_bind_report_free(&report);
        sn_model_destroy(model);
    }
}

// A root on the ground, from which a line rises into the hips, moves no flesh by itself.
static void a_root_on_the_ground_holds_no_flesh(void** state) {
    (void)state;
    snVec3 places[] = {{0.4f, -0.6f, 0.4f}, {0.4f, 0.2f, 0.4f}, {0.4f, 0.6f, 0.4f}};
    snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(places, 3));
    snBindReport report;
    bind(model, SN_WEIGHTS_AUTO, 16, &report);
    for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++)
        assert_true(weight_of(model, v, "j0") < 0.01f);
    assert_int_equal(report.joints_without_weight_count, 1);
    assert_int_equal(report.idle_joints[0].joint, 0);
    sn_bind_report_free(&report);
    sn_model_destroy(model);
}

// A helmet that hangs on the head, below its joint, does not say where the head ends.
static void props_mark_no_tips(void** state) {
    (void)state;
    const char* names[] = {"neck", "head", "helmet", "mesh"};
    uint32_t parents[] = {SN_NONE, 0, 1, SN_NONE}, corners[] = {0, 1, 2};
    snTrs rest[4];
    for (int j = 0; j < 4; j++) rest[j] = sn_trs_identity();
    rest[1].translation = sn_vec3(0.0f, 0.5f, 0.0f);
    rest[2].translation = sn_vec3(0.0f, -0.2f, 0.0f);
    snVec3 triangle[] = {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = triangle, .corners = corners};
    snPartDef parts[] = {{.mesh = &mesh, .joint = 3, .skin = SN_NONE},
                         {.mesh = &mesh, .joint = 2, .skin = SN_NONE}};
    snSkeletonDef skeleton = {4, names, parents, rest};
    snModelDef def = {.skeleton = &skeleton, .part_count = 2, .parts = parts};
    snModel* model = NULL;
    sniSurface surface = {0};
    sniBones bones = {0};
    uint8_t deforming[] = {1, 1, 0, 0};
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    sniBindPose pose = {0};
    bool bound[2];
    snAllocator memory = sn_allocator_default();
    assert_ok(sni_bind_pose_create(model, NULL, &pose, NULL));
    assert_ok(sni_bound_parts(model, &pose, deforming, &memory, bound, NULL));
    assert_ok(sni_surface_create(model, &pose, bound, NULL, &surface, NULL));
    assert_ok(sni_bones_create(model, &surface, &pose, deforming, NULL, &bones, NULL));
    assert_int_equal(bones.bone_count, 2);
    assert_int_equal(bones.bones[1].start, 1);
    assert_int_equal(bones.bones[1].end, SN_NONE); // a guess, ahead of the joint
    assert_true(bones.bones[1].tail.y > 0.6f);
    sni_bones_free(&bones);
    sni_surface_free(&surface);
    sni_bind_pose_free(&pose);
    sn_model_destroy(model);
}

static void one_joint_is_enough(void** state) {
    (void)state;
    snVec3 place = {0.4f, 0.4f, 0.4f};
    for (size_t m = 0; m < 3; m++) {
        snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(&place, 1));
        bind(model, methods[m], 8, NULL);
        check_weights(model);
        assert_near(weight_of(model, 0, "j0"), 1.0f, 0.0f);
        sn_model_destroy(model);
    }
}

static void controls_and_tips_do_not_deform(void** state) {
    (void)state;
    const char* names[] = {"root",       "hips",  "spine",  "spine_end", "foot_IK.L",
                           "PoleTarget", "spike", "IKHand", "handCtrl",  "mesh"};
    uint32_t parents[] = {SN_NONE, 0, 1, 2, 0, 0, 1, 0, 0, SN_NONE};
    uint8_t expected[] = {0, 1, 1, 0, 0, 0, 1, 0, 0, 0};
    snTrs rest[10];
    for (int j = 0; j < 10; j++) rest[j] = sn_trs_identity();
    snVec3 triangle[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t corners[] = {0, 1, 2};
    snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = triangle, .corners = corners};
    snPartDef part = {.mesh = &mesh, .joint = 9, .skin = SN_NONE};
    snSkeletonDef skeleton = {10, names, parents, rest};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    uint8_t deforming[10];
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    sn_bind_deforming(model, deforming);
    for (int j = 0; j < 10; j++) {
        if (deforming[j] != expected[j]) fail_msg("%s: %d, expected %d", names[j], deforming[j], expected[j]);
    }
    sn_model_destroy(model);
}

// A mesh and a skeleton below one node: the node holds them. A sword in a hand hangs there on purpose, and a
// file of nothing else has nothing to bind.
static void a_node_that_holds_all_does_not_deform(void** state) {
    (void)state;
    const char* names[] = {"Hero", "hips", "spine", "hand", "skin"};
    uint32_t below_hero[] = {SN_NONE, 0, 1, 1, 0}, below_hand[] = {SN_NONE, 0, 1, 1, 3};
    snTrs rest[5];
    for (int j = 0; j < 5; j++) rest[j] = sn_trs_identity();
    rest[2].translation = sn_vec3(0, 1, 0);
    rest[3].translation = sn_vec3(1, 0, 0);
    snVec3 triangle[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t corners[] = {0, 1, 2};
    snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = triangle, .corners = corners};
    snPartDef part = {.mesh = &mesh, .joint = 4, .skin = SN_NONE};
    snSkeletonDef skeleton = {5, names, below_hero, rest};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    snBindReport report;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    bind(model, SN_WEIGHTS_HEAT, 8, &report);
    assert_int_equal(report.deforming_joints, 3);
    assert_int_equal(report.vertex_count, 3);
    sn_bind_report_free(&report);
    sn_model_destroy(model);
    skeleton.parents = below_hand;
    snBindDef bind_def = sn_bind_def();
    snError error = sn_error_none();
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    assert_int_equal(sn_model_bind(model, &bind_def, NULL, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "every mesh is attached to"));
    sn_model_destroy(model);
}

// Hidden by a scale of zero in the rest pose, a character is bound as its skin says it stood.
static void a_hidden_character_binds(void** state) {
    (void)state;
    snModel *shown = make_tube(), *hidden = make_tube();
    for (uint32_t j = 0; j < hidden->skeleton->joint_count; j++) {
        if (hidden->skeleton->parents[j] == SN_NONE) hidden->skeleton->rest[j].scale = sn_vec3(0, 0, 0);
    }
    bind(shown, SN_WEIGHTS_HEAT, 16, NULL);
    bind(hidden, SN_WEIGHTS_HEAT, 16, NULL);
    assert_true(weights_hash(hidden) == weights_hash(shown));
    sn_model_destroy(shown);
    sn_model_destroy(hidden);
}

static void a_single_point_binds(void** state) {
    (void)state;
    snVec3 places[] = {{0.4f, 0.0f, 0.4f}, {0.4f, 0.4f, 0.4f}, {0.4f, 0.8f, 0.4f}};
    for (size_t m = 0; m < 3; m++) {
        snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(places, 3));
        snMesh* mesh = model->parts[0].mesh;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) mesh->positions[v] = sn_vec3(0.4f, 0.2f, 0.4f);
        bind(model, methods[m], 0, NULL);
        check_weights(model);
        assert_int_equal(model->binding->lattice->cell_count, 1);
        sn_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------- bad input

static void expect(snModel* model, const snBindDef* def, snResult code, const char* word) {
    snError error = sn_error_none();
    snBinding* before = model->binding;
    assert_int_equal(sn_model_bind(model, def, NULL, &error), code);
    if (strstr(error.text, word) == NULL) fail_msg("\"%s\" does not mention %s", error.text, word);
    assert_ptr_equal(model->binding, before);
    assert_false(model->reskinned);
}

static void bad_definitions_are_refused(void** state) {
    (void)state;
    snModel* model = make_tube();
    snBindDef def = sn_bind_def();
    def.influences = 5;
    expect(model, &def, SN_RESULT_INVALID_ARGUMENT, "influences");
    def = sn_bind_def();
    def.method = (snWeightsMethod)9;
    expect(model, &def, SN_RESULT_INVALID_ARGUMENT, "method");
    def = sn_bind_def();
    float strengths[16] = {1.0f, 0.0f};
    def.strengths = strengths;
    expect(model, &def, SN_RESULT_INVALID_ARGUMENT, "strength");
    def = sn_bind_def();
    def.cells = SN_LATTICE_MAX_CELLS + 1;
    expect(model, &def, SN_RESULT_INVALID_ARGUMENT, "cells");
    def = sn_bind_def();
    def.cells = 512;
    def.memory_limit = 1 << 20;
    expect(model, &def, SN_RESULT_LIMIT, "");
    def = sn_bind_def();
    uint8_t nobody[16] = {0};
    def.deforming = nobody;
    expect(model, &def, SN_RESULT_BAD_DATA, "no joint deforms");
    sn_model_destroy(model);
}

static void joints_in_one_point_are_refused(void** state) {
    (void)state;
    snVec3 places[] = {{0.4f, 0.4f, 0.4f}, {0.4f, 0.4f, 0.4f}, {0.4f, 0.4f, 0.4f}};
    snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(places, 3));
    snBindDef def = sn_bind_def();
    expect(model, &def, SN_RESULT_BAD_DATA, "one point");
    def.method = SN_WEIGHTS_KEEP;
    expect(model, &def, SN_RESULT_BAD_DATA, "no weights to keep");
    sn_model_destroy(model);
}

static void joints_without_scale_are_refused(void** state) {
    (void)state;
    snVec3 places[] = {{0.4f, 0.0f, 0.4f}, {0.4f, 0.4f, 0.4f}, {0.4f, 0.8f, 0.4f}};
    snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(places, 3));
    model->skeleton->rest[2].scale = sn_vec3(1, 0, 1);
    snBindDef def = sn_bind_def();
    expect(model, &def, SN_RESULT_BAD_DATA, "joint \"j2\" has a scale of zero");
    sn_model_destroy(model);
}

static void units_that_differ_are_named(void** state) {
    (void)state;
    snVec3 places[] = {{20.0f, 10.0f, 40.0f}, {40.0f, 40.0f, 40.0f}, {40.0f, 70.0f, 40.0f}};
    snModel* model = block_model(cube, 8, 0.1f, chain_skeleton(places, 3));
    snBindDef def = sn_bind_def();
    expect(model, &def, SN_RESULT_BAD_DATA, "units differ");
    sn_model_destroy(model);
    snVec3 far_away[] = {{50.0f, 0.1f, 0.4f}, {50.0f, 0.4f, 0.4f}, {50.0f, 0.7f, 0.4f}};
    model = block_model(cube, 8, 0.1f, chain_skeleton(far_away, 3));
    expect(model, &def, SN_RESULT_BAD_DATA, "away");
    sn_model_destroy(model);
}

static snResult bind_once(const snAllocator* allocator, void* context) {
    const snWeightsMethod* method = context;
    snModel* model = NULL;
    snTubeDef tube = sn_tube_def();
    tube.rings = 6;
    tube.sides = 4;
    snResult result = sn_builtin_tube(&tube, allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    snBindDef def = sn_bind_def();
    snBindReport report;
    def.method = *method;
    def.cells = 8;
    result = sn_model_bind(model, &def, &report, NULL);
    if (result == SN_RESULT_OK) {
        sn_bind_report_free(&report);
        model->skeleton->rest[1].translation.x += 0.01f;
        result = sn_model_bind(model, &def, NULL, NULL);
        assert_non_null(model->binding->lattice); // the old one or the new one
    }
    sn_model_destroy(model);
    return result;
}

static uint64_t hash_binding(const snModel* model) {
    const snWeights* w = &model->parts[0].weights;
    const snWeights* particles = &model->binding->particles;
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, w->weights, (size_t)w->vertex_count * w->influences);
    hash = sn_hash_bytes(hash, w->joints, (size_t)w->vertex_count * w->influences * sizeof *w->joints);
    return sn_hash_floats(hash, particles->weights, (size_t)particles->vertex_count * particles->influences);
}

// Where only joints moved, the lattice goes over to the new binding, which is that of a model bound for the
// first time.
static void a_second_binding_takes_the_lattice_over(void** state) {
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        snModel *first = make_tube(), *second = make_tube();
        bind(second, methods[m], 24, NULL);
        const snLattice* lattice = second->binding->lattice;
        first->skeleton->rest[2].translation.x += 0.02f;
        second->skeleton->rest[2].translation.x += 0.02f;
        bind(first, methods[m], 24, NULL);
        bind(second, methods[m], 24, NULL);
        assert_ptr_equal(second->binding->lattice, lattice);
        assert_true(hash_binding(first) == hash_binding(second));
        bind(second, methods[m], 20, NULL);
        assert_ptr_not_equal(second->binding->lattice, lattice);
        bind(second, methods[m], 24, NULL);
        assert_true(hash_binding(first) == hash_binding(second));
        sn_model_destroy(first);
        sn_model_destroy(second);
    }
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snWeightsMethod all[] = {SN_WEIGHTS_AUTO, SN_WEIGHTS_HEAT, SN_WEIGHTS_GEODESIC, SN_WEIGHTS_KEEP};
    for (size_t m = 0; m < 4; m++) test_every_allocation(bind_once, &all[m]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_convex_and_nobody_is_left_out),
        cmocka_unit_test(the_rest_pose_stays),
        cmocka_unit_test(a_tube_belongs_to_its_bones_in_order),
        cmocka_unit_test(scale_and_place_do_not_matter),
        cmocka_unit_test(workers_and_levels_do_not_matter),
        cmocka_unit_test(a_tongue_belongs_to_the_jaw),
        cmocka_unit_test(stronger_bones_reach_further),
        cmocka_unit_test(own_weights_are_kept_and_extended),
        cmocka_unit_test(parts_without_a_skin_are_worn_or_left_alone),
        cmocka_unit_test(eight_influences_drop_less_than_four),
        cmocka_unit_test(bones_outside_and_of_no_length_are_reported),
        cmocka_unit_test(joints_in_one_point_share_the_bones_there),
        cmocka_unit_test(a_root_on_the_ground_holds_no_flesh),
        cmocka_unit_test(props_mark_no_tips),
        cmocka_unit_test(one_joint_is_enough),
        cmocka_unit_test(controls_and_tips_do_not_deform),
        cmocka_unit_test(a_node_that_holds_all_does_not_deform),
        cmocka_unit_test(a_hidden_character_binds),
        cmocka_unit_test(a_single_point_binds),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(joints_in_one_point_are_refused),
        cmocka_unit_test(joints_without_scale_are_refused),
        cmocka_unit_test(units_that_differ_are_named),
        cmocka_unit_test(a_second_binding_takes_the_lattice_over),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
