// Golden hashes: one program without any test framework, so that the same source runs under every compiler,
// at every optimisation level, on every instruction set, and as WASM in Node.
//
// usage: golden [--print] [--few]
// Exit code 0 when every hash is the one in golden.h. --print writes the table instead of comparing; --few
// runs the scalar and the best level and three workers only, and some scenes shorter, for builds that are
// slow.
#include "golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "sinew/sinew.h"

static void require(snResult result, const char* what) {
    if (result == SN_RESULT_OK) return;
    printf("golden: %s: %s\n", what, sn_result_name(result));
    exit(1);
}

// ------------------------------------------------------------------------------------------------ scenes

static uint32_t next_random(uint32_t* state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static float random_float(uint32_t* state, float lo, float hi) {
    return lo + (hi - lo) * (float)next_random(state) * (1.0f / 16777216.0f);
}

static uint64_t hash_functions(void) {
    uint64_t hash = SN_HASH_SEED;
    uint32_t random = 3;
    for (int i = 0; i < 20000; i++) {
        float a = random_float(&random, -50.0f, 50.0f);
        float b = random_float(&random, 0.0f, 1.0f);
        float r[] = {sn_sin(a),  sn_cos(a * 1e8f), sn_tan(a),         sn_atan2(a, b), sn_acos(b),
                     sn_asin(b), sn_exp(a),        sn_log(b + a * a), sn_pow(b, a)};
        hash = sn_hash_floats(hash, r, sizeof r / sizeof r[0]);
    }
    return hash;
}

static snModel* body_create(uint32_t vertices) {
    snBodyDef def = sn_body_def();
    def.vertex_target = vertices;
    snModel* model = NULL;
    require(sn_builtin_body(&def, NULL, &model, NULL), "body");
    return model;
}

static uint64_t hash_model(const snModel* model) {
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        uint64_t mesh = sn_mesh_hash(part->mesh);
        hash = sn_hash_bytes(hash, &mesh, sizeof mesh);
        size_t weights = (size_t)part->weights.vertex_count * part->weights.influences;
        hash = sn_hash_floats(hash, part->weights.weights, weights);
        hash = sn_hash_bytes(hash, part->weights.joints, weights * sizeof *part->weights.joints);
    }
    for (uint32_t c = 0; c < model->clip_count; c++) {
        for (uint32_t i = 0; i < model->clips[c]->channel_count; i++) {
            const snChannel* channel = &model->clips[c]->channels[i];
            hash = sn_hash_floats(hash, channel->values, (size_t)channel->key_count * channel->width);
        }
    }
    return hash;
}

// Every clip at a few times.
static uint64_t hash_motion(const snModel* model, snSkinMethod skin, snTasks tasks, snCpuLevel level) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.skin = skin;
    def.tasks = tasks;
    def.level = level;
    snCharacter* character = NULL;
    require(sn_character_create(&def, NULL, &character, NULL), "character");
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t c = 0; c < model->clip_count; c++) {
        for (int k = 0; k < 5; k++) {
            require(sn_character_pose_clip(character, c, 0.217f * (float)k, SN_WRAP_LOOP), "pose");
            uint64_t frame = sn_character_hash(character);
            hash = sn_hash_bytes(hash, &frame, sizeof frame);
        }
    }
    sn_character_destroy(character);
    return hash;
}

// The walk, mirrored, looped and taken in place, on a body that rests otherwise: labels, map, rest, root,
// feet, loop.
static uint64_t hash_retarget(const snModel* model) {
    uint64_t hash = SN_HASH_SEED;
    snSkeleton other = *model->skeleton;
    snTrs rest[64];
    memcpy(rest, other.rest, other.joint_count * sizeof *rest);
    uint32_t arm = sn_skeleton_find(&other, "LeftUpperArm"), leg = sn_skeleton_find(&other, "RightUpperLeg");
    rest[arm].rotation = sn_quat_axis_angle(sn_vec3(0.1f, 0.2f, 1.0f), -0.8f);
    rest[leg].rotation = sn_quat_axis_angle(sn_vec3(1.0f, 0.3f, 0.0f), 0.2f);
    other.rest = rest;
    snJointMap* map = NULL;
    require(sn_joint_map_create(model->skeleton, &other, NULL, &map, NULL), "map");
    snRetargetDef def = sn_retarget_def();
    def.source = model->skeleton;
    def.clip = model->clips[0];
    def.target = &other;
    def.map = map;
    def.mirror = true;
    def.loop = true;
    def.root = SN_ROOT_IN_PLACE;
    snClip* clip = NULL;
    require(sn_retarget_clip(&def, NULL, &clip, NULL, NULL), "retarget");
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const snChannel* channel = &clip->channels[i];
        hash = sn_hash_floats(hash, channel->values, (size_t)channel->key_count * channel->width);
    }
    sn_clip_destroy(clip);
    sn_joint_map_destroy(map);
    return hash;
}

// The body's skeleton found again in its own mesh.
static uint64_t hash_fit(const snModel* model) {
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t count = sn_mesh_triangle_count(mesh);
    uint32_t* triangles = malloc(3 * (size_t)count * sizeof *triangles);
    require(triangles != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY, "triangles");
    sn_mesh_triangulate(mesh, triangles);
    snFitDef def = sn_fit_def();
    def.point_count = mesh->vertex_count;
    def.points = mesh->positions;
    def.triangle_count = count;
    def.triangles = triangles;
    def.skeleton = model->skeleton;
    uint64_t hash = SN_HASH_SEED;
    for (int mode = SN_FIT_CENTER; mode <= SN_FIT_BODY; mode++) {
        def.mode = (snFitMode)mode;
        snFit* fit = NULL;
        require(sn_fit_create(&def, NULL, &fit, NULL), "fit");
        for (uint32_t j = 0; j < fit->joint_count; j++) {
            hash = sn_hash_floats(hash, &fit->rest[j].translation.x, 3);
            hash = sn_hash_floats(hash, &fit->rest[j].rotation.x, 4);
        }
        hash = sn_hash_floats(hash, fit->confidence, fit->joint_count);
        sn_fit_destroy(fit);
    }
    free(triangles);
    return hash;
}

// Lattice, weights of vertices and particles, parts. The model is made anew: binding changes it.
static uint64_t hash_binding(snWeightsMethod method, snTasks tasks, snCpuLevel level) {
    snModel* model = body_create(6000);
    snBindDef def = sn_bind_def();
    def.method = method;
    def.cells = 24;
    def.tasks = tasks;
    def.level = level;
    require(sn_model_bind(model, &def, NULL, NULL), "bind");
    const snBinding* b = model->binding;
    const snLattice* l = b->lattice;
    size_t entries = (size_t)l->particle_count * b->particles.influences;
    uint64_t hash = hash_model(model);
    hash = sn_hash_bytes(hash, l->cell_particles, l->cell_count * sizeof *l->cell_particles);
    hash = sn_hash_floats(hash, &l->rest[0].x, (size_t)l->particle_count * 3);
    hash = sn_hash_floats(hash, &l->point_coords[0].x, (size_t)l->point_count * 3);
    hash = sn_hash_bytes(hash, l->neighbors, l->neighbor_starts[l->particle_count] * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, l->depths, l->particle_count * sizeof(uint16_t));
    hash = sn_hash_floats(hash, &l->outward[0].x, (size_t)l->particle_count * 3);
    hash = sn_hash_floats(hash, b->particles.weights, entries);
    hash = sn_hash_bytes(hash, b->particles.joints, entries * sizeof(uint16_t));
    hash = sn_hash_bytes(hash, b->parts->joint_parts, l->particle_count * sizeof(uint32_t));
    sn_model_destroy(model);
    return hash;
}

typedef struct Frames {
    snCharacter* character;
    uint32_t clip;
    float fps;
} Frames;

static snResult next_frame(void* user, uint32_t frame, snSurface* out_surfaces) {
    const Frames* f = user;
    snResult result =
        sn_character_pose_clip(f->character, f->clip, 0.5f * (float)frame / f->fps, SN_WRAP_CLAMP);
    out_surfaces[0] = sn_character_surface(f->character, 0);
    return result;
}

static uint64_t hash_morph_part(uint64_t hash, const snMorphPart* part) {
    size_t offsets = (size_t)part->target_count * part->vertex_count * 3;
    double figures[] = {part->skin_error, part->worst_error, part->middle_error, part->rms_error,
                        part->mean_normal};
    hash = sn_hash_floats(hash, &part->base[0].x, (size_t)part->vertex_count * 3);
    hash = sn_hash_floats(hash, &part->targets[0].x, offsets);
    hash = sn_hash_floats(hash, &part->normals[0].x, offsets);
    hash = sn_hash_floats(hash, part->weights, (size_t)part->target_count * part->key_count);
    size_t weights = (size_t)part->influences.influences * part->vertex_count;
    if (weights > 0) hash = sn_hash_floats(hash, part->influences.weights, weights);
    return sn_hash_bytes(hash, figures, sizeof figures);
}

// Dual quaternions as morph targets: the jump, and the twist, whose weights lean where it is flat.
static uint64_t hash_morphs(const snModel* model, snTasks tasks, snCpuLevel level) {
    static const char* const clips[] = {"jump", "twist"};
    snCharacterDef character = sn_character_def();
    character.model = model;
    character.skin = SN_SKIN_DUAL;
    uint64_t hash = SN_HASH_SEED;
    Frames frames = {.fps = 12.0f};
    require(sn_character_create(&character, NULL, &frames.character, NULL), "character");
    for (size_t i = 0; i < 2; i++) {
        frames.clip = sn_model_find_clip(model, clips[i]);
        snMorphBakeDef def = sn_morph_bake_def();
        def.model = model;
        def.clip = frames.clip;
        def.fps = frames.fps;
        def.frame_count = 13;
        def.middles = true;
        def.rounded = i == 1;
        def.frames = next_frame;
        def.user = &frames;
        def.tasks = tasks;
        def.level = level;
        snMorphBake* bake = NULL;
        require(sn_morph_bake_create(&def, NULL, &bake, NULL), "morphs");
        hash = hash_morph_part(hash, &bake->parts[0]);
        sn_morph_bake_destroy(bake);
    }
    sn_character_destroy(frames.character);
    return hash;
}

// The jump in dual quaternions as helper joints: weights, keys and what is said of them.
static uint64_t hash_helpers(const snModel* model, snTasks tasks, snCpuLevel level) {
    snCharacterDef character = sn_character_def();
    character.model = model;
    character.skin = SN_SKIN_DUAL;
    Frames frames = {.fps = 15.0f, .clip = sn_model_find_clip(model, "jump")};
    require(sn_character_create(&character, NULL, &frames.character, NULL), "character");
    snBakeClip clip = {frames.clip, frames.fps, 20, next_frame, &frames, false};
    snJointBakeDef def = sn_joint_bake_def();
    def.model = model;
    def.clips = &clip;
    def.clip_count = 1;
    def.helper_count = 6;
    def.tasks = tasks;
    def.level = level;
    snJointBake* bake = NULL;
    require(sn_joint_bake_create(&def, NULL, &bake, NULL), "helpers");
    const snWeights* weights = &bake->parts[0].weights;
    size_t shares = (size_t)weights->vertex_count * weights->influences;
    size_t keys = (size_t)bake->helper_count * clip.frame_count;
    double figures[] = {bake->frames.rms, bake->frames.worst, bake->rest_error, bake->mean_normal};
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, weights->weights, shares);
    hash = sn_hash_bytes(hash, weights->joints, shares * sizeof *weights->joints);
    hash = sn_hash_floats(hash, &bake->clips[0].rotations->x, 4 * keys);
    hash = sn_hash_floats(hash, &bake->clips[0].translations->x, 3 * keys);
    hash = sn_hash_bytes(hash, figures, sizeof figures);
    sn_joint_bake_destroy(bake);
    sn_character_destroy(frames.character);
    return hash;
}

// Of a clip.
enum { FRAMES = 8, FRAMES_BRIEF = 2 };

// Which stages of a bound model run.
typedef enum Stages {
    STAGES_NONE,
    STAGES_LATTICE,
    STAGES_VOLUME,
    STAGES_FLESH,
    STAGES_FLESH_INITIAL,
    STAGES_STYLES,
    STAGES_EXACT,
    STAGES_CONTACT // and exact volume
} Stages;

// Exact volume with every kind of profile, breathing and half amounts.
static void set_exact(snSettings* s) {
    static const char* const rules[][2] = {
        {"*", "isotropic"},  {"*LowerArm", "muscle"}, {"*LowerLeg", "folds"},    {"Spine", "belly"},
        {"*Foot", "rubber"}, {"LeftHand", "sleeve"},  {"*UpperLeg", "isotropic"}};
    snVolumeRule list[7];
    for (size_t i = 0; i < 7; i++) {
        list[i] = (snVolumeRule){.joint = (char*)rules[i][0],
                                 .profile = *sn_volume_preset_find(rules[i][1]),
                                 .amount = i == 6 ? 0.5f : 1.0f};
    }
    snVolumeKey keys[] = {{0.0f, 1.0f}, {0.4f, 1.1f}, {0.8f, 1.0f}};
    snVolumeTarget breath = {.joint = "Chest", .loop = true, .key_count = 3, .keys = keys};
    require(sn_settings_set_volume_rules(s, list, 7, NULL), "volume rules");
    require(sn_settings_set_volume_targets(s, &breath, 1, NULL), "volume targets");
    s->volume = SN_VOLUME_PARTS_EXACT;
}

// Every style there is, on joints that bend and twist, of splines of different stiffness.
static void set_styles(snSettings* s) {
    static const char* const joints[] = {"*LowerArm", "*LowerLeg", "*UpperArm", "*UpperLeg",
                                         "Spine",     "*Hand",     "Neck"};
    snStyle* styles[7];
    snStyleRule rules[7];
    snSplineRule splines[] = {{"*Arm", 2.5f}, {"Spine*", 5.0f}};
    for (uint32_t i = 0; i < 7; i++) {
        require(sn_style_preset(sn_style_preset_name(i), NULL, &styles[i], NULL), "style");
        rules[i] = (snStyleRule){(char*)joints[i], styles[i]->name, i == 2 ? 0.5f : 1.0f};
    }
    require(sn_settings_set_styles(s, (const snStyle* const*)styles, 7, NULL), "styles");
    require(sn_settings_set_style_rules(s, rules, 7, NULL), "style rules");
    require(sn_settings_set_spline_rules(s, splines, 2, NULL), "spline rules");
    for (uint32_t i = 0; i < 7; i++) sn_style_destroy(styles[i]);
}

// Up to and including a stage; flesh with every force and contact there is.
static snSettings* stage_settings(Stages stages) {
    snSettings* s = NULL;
    require(sn_settings_create(NULL, &s, NULL), "settings");
    s->volume = stages >= STAGES_VOLUME ? SN_VOLUME_PARTS : SN_VOLUME_NONE;
    s->flesh = stages >= STAGES_FLESH;
    s->rest = stages == STAGES_FLESH_INITIAL ? SN_FLESH_INITIAL : SN_FLESH_PRIMARY;
    s->region_damping = 0.1f;
    s->wind = sn_vec3(4.0f, 0.0f, -2.0f);
    s->drag = 2.0f;
    s->ground = true;
    s->self_contact = true;
    s->volume_of_flesh = true;
    snFleshRule rule = {
        .bone = "*Leg*", .softness = 1.5f, .alpha = 0.5f, .damping = 0.7f, .force = 2.0f, .width = 1};
    snProfileKey keys[] = {{0.0f, 0.3f}, {0.5f, 1.0f}};
    snColliderDef collider = {"LeftHand", {0.0f, 0.0f, 0.0f}, {0.1f, 0.0f, 0.0f}, 0.08f};
    require(sn_settings_set_rules(s, &rule, 1, NULL), "rules");
    require(sn_settings_set_profile(s, keys, 2, NULL), "profile");
    require(sn_settings_set_colliders(s, &collider, 1, NULL), "colliders");
    if (stages >= STAGES_EXACT) set_exact(s);
    s->skin_contact = stages == STAGES_CONTACT;
    if (stages == STAGES_STYLES) set_styles(s);
    return s;
}

// Some frames each of the walk and the jump, 24 a second: between the states of the flesh, too.
static uint64_t hash_frames(uint64_t hash, snCharacter* character, const snModel* model, int frames) {
    static const char* const clips[] = {"walk", "jump"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t clip = sn_model_find_clip(model, clips[i]);
        for (int k = 0; k < frames; k++) {
            require(sn_character_pose_clip(character, clip, (float)k / 24.0f, SN_WRAP_LOOP), "pose");
            uint64_t frame = sn_character_hash(character);
            hash = sn_hash_bytes(hash, &frame, sizeof frame);
        }
    }
    return hash;
}

// What the lattice adds, on the lattice skin and on dual quaternions; or on splines, with the styles of the
// heaviest and of all.
static uint64_t hash_stages(const snModel* model, Stages stages, int frames, snTasks tasks,
                            snCpuLevel level) {
    static const snSkinMethod skins[] = {SN_SKIN_LATTICE, SN_SKIN_DUAL};
    snSettings* settings = stage_settings(stages);
    uint64_t hash = SN_HASH_SEED;
    for (size_t i = 0; i < 2; i++) {
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.settings = settings;
        def.skin = stages == STAGES_STYLES ? SN_SKIN_SPLINE : skins[i];
        settings->style_all = i == 1;
        def.tasks = tasks;
        def.level = level;
        snCharacter* character = NULL;
        require(sn_character_create(&def, NULL, &character, NULL), "character");
        hash = hash_frames(hash, character, model, frames);
        sn_character_destroy(character);
    }
    sn_settings_destroy(settings);
    return hash;
}

// ----------------------------------------------------------------------------------------------- checking

static bool print_only, few;
static int failures;

static void check(const char* scene, const char* how, uint64_t hash, uint64_t golden) {
    bool same = hash == golden;
    if (!same && !print_only) failures++;
    printf("%-10s %-24s %016" PRIx64 "%s\n", scene, how, hash, print_only || same ? "" : "  differs");
}

// What a scene hashes to on given workers and a given level.
typedef struct Scene {
    const char* name;
    uint64_t golden;
    const snModel* model;    // of motion scenes
    snSkinMethod skin;       // the same
    snWeightsMethod weights; // of binding scenes
    bool morphs;             // a motion as morph targets
    bool helpers;            // a motion as helper joints
    Stages stages;           // of a bound model
    int frames;              // of those, of each clip; 0: FRAMES
    bool once;               // --few: with workers only
    bool left;               // --few: not at all, a brief scene stands for it
} Scene;

static uint64_t hash_scene(const Scene* scene, snTasks tasks, snCpuLevel level) {
    if (scene->morphs) return hash_morphs(scene->model, tasks, level);
    if (scene->helpers) return hash_helpers(scene->model, tasks, level);
    if (scene->stages != STAGES_NONE)
        return hash_stages(scene->model, scene->stages, scene->frames > 0 ? scene->frames : FRAMES, tasks,
                           level);
    return scene->model != NULL ? hash_motion(scene->model, scene->skin, tasks, level)
                                : hash_binding(scene->weights, tasks, level);
}

static void check_scene(const Scene* scene) {
    snTasks serial = {0};
    char how[64];
    if (few && scene->left) return;
    for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT && !(few && scene->once); level++) {
        const char* name = sn_cpu_level_name((snCpuLevel)level);
        if (few && level != SN_CPU_SCALAR && (snCpuLevel)level != sn_cpu_level_best()) continue;
        if (!sn_cpu_level_available((snCpuLevel)level)) {
            printf("%-10s %-24s not on this machine or not in this build\n", scene->name, name);
            continue;
        }
        snprintf(how, sizeof how, "%s, 1 worker", name);
        check(scene->name, how, hash_scene(scene, serial, (snCpuLevel)level), scene->golden);
    }
#ifndef __EMSCRIPTEN__
    static const uint32_t workers[] = {2, 3, 8};
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        if (few && workers[i] != 3) continue;
        snPool* pool = NULL;
        require(sn_pool_create(workers[i], &pool), "pool");
        snprintf(how, sizeof how, "auto, %u workers", (unsigned)workers[i]);
        check(scene->name, how, hash_scene(scene, sn_pool_tasks(pool), SN_CPU_AUTO), scene->golden);
        sn_pool_destroy(pool);
    }
#endif
}

// Posing by handles, where the build has a factorisation.
static void check_handles(const snModel* model) {
#ifdef SINEW_HAVE_SPARSE
    for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
        if (few && level != SN_CPU_SCALAR && (snCpuLevel)level != sn_cpu_level_best()) continue;
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        check("handles", sn_cpu_level_name((snCpuLevel)level), golden_hash_handles(model, (snCpuLevel)level),
              GOLDEN_HANDLES);
    }
#else
    (void)model;
    printf("skipped: no CHOLMOD: the hash of handles\n");
#endif
}

int main(int argc, char** argv) {
    for (int i = 1; i < argc; i++) {
        print_only |= strcmp(argv[i], "--print") == 0;
        few |= strcmp(argv[i], "--few") == 0;
    }
    check("functions", "", hash_functions(), GOLDEN_FUNCTIONS);
    snModel* body = body_create(12000);
    check("body", "mesh, weights, clips", hash_model(body), GOLDEN_BODY);
    check("retarget", "clip", hash_retarget(body), GOLDEN_RETARGET);
    check("fit", "center, body", hash_fit(body), GOLDEN_FIT);
    snModel* bound = body_create(6000);
    check("segments", "skin, shape", golden_hash_segments(bound), GOLDEN_SEGMENTS);
    check("searches", "all", golden_hash_searches(bound), GOLDEN_SEARCHES);
    check_handles(bound);
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = 24;
    require(sn_model_bind(bound, &bind, NULL, NULL), "bind");
    // Fitting helpers and contact are slow where a processor is emulated.
    const Scene scenes[] = {
        {.name = "linear", .golden = GOLDEN_LINEAR, .model = body, .skin = SN_SKIN_LINEAR},
        {.name = "dual", .golden = GOLDEN_DUAL, .model = body, .skin = SN_SKIN_DUAL},
        {.name = "spline", .golden = GOLDEN_SPLINE, .model = body, .skin = SN_SKIN_SPLINE},
        {.name = "morphs", .golden = GOLDEN_MORPHS, .model = body, .morphs = true},
        {.name = "helpers", .golden = GOLDEN_HELPERS, .model = body, .helpers = true, .once = true},
        {.name = "auto", .golden = GOLDEN_AUTO, .weights = SN_WEIGHTS_AUTO},
        {.name = "heat", .golden = GOLDEN_HEAT, .weights = SN_WEIGHTS_HEAT},
        {.name = "geodesic", .golden = GOLDEN_GEODESIC, .weights = SN_WEIGHTS_GEODESIC},
        {.name = "keep", .golden = GOLDEN_KEEP, .weights = SN_WEIGHTS_KEEP},
        {.name = "lattice", .golden = GOLDEN_LATTICE, .model = bound, .stages = STAGES_LATTICE},
        {.name = "volume", .golden = GOLDEN_VOLUME, .model = bound, .stages = STAGES_VOLUME},
        {.name = "flesh", .golden = GOLDEN_FLESH, .model = bound, .stages = STAGES_FLESH},
        {.name = "initial", .golden = GOLDEN_FLESH_INITIAL, .model = bound, .stages = STAGES_FLESH_INITIAL},
        {.name = "styles", .golden = GOLDEN_STYLES, .model = bound, .stages = STAGES_STYLES},
        {.name = "exact", .golden = GOLDEN_EXACT, .model = bound, .stages = STAGES_EXACT},
        {.name = "contact", .golden = GOLDEN_CONTACT, .model = bound, .stages = STAGES_CONTACT, .left = true},
        {.name = "brief",
         .golden = GOLDEN_CONTACT_BRIEF,
         .model = bound,
         .stages = STAGES_CONTACT,
         .frames = FRAMES_BRIEF,
         .once = true},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) check_scene(&scenes[i]);
    sn_model_destroy(bound);
    sn_model_destroy(body);
    printf("golden: %s\n", failures == 0 ? "all hashes agree" : "hashes differ");
    return failures == 0 ? 0 : 1;
}
