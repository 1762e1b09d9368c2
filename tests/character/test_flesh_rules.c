// What flesh is made of: layers, anatomy, rules by bone, part, vertices, color and ball; and what settings
// do while it runs: profiles, forces, colliders, materials.
#include "flesh_support.h"

#include <math.h>

#include "character/character.h"

static snModel *twins, *body;
static snSettings* settings;

static int open_models(void** state) {
    (void)state;
    twins = flesh_twins(14);
    body = flesh_body(20);
    return 0;
}

static int close_models(void** state) {
    (void)state;
    sn_model_destroy(twins);
    sn_model_destroy(body);
    return 0;
}

static int open_settings(void** state) {
    (void)state;
    settings = flesh_settings();
    settings->anatomy = false;
    return 0;
}

static int close_settings(void** state) {
    (void)state;
    sn_settings_destroy(settings);
    return 0;
}

static snFleshRule plain_rule(void) {
    return (snFleshRule){.softness = 1.0f, .alpha = 1.0f, .damping = 1.0f, .force = 1.0f};
}

// ------------------------------------------------------------------------------------------------- rules

// Two characters, without and with a rule.
typedef struct Pair {
    snCharacter *without, *with;
    const snFleshMaterial *plain, *ruled;
    const snLattice* lattice;
} Pair;

static Pair pair_open(snFleshRule rule) {
    Pair pair = {.lattice = twins->binding->lattice};
    pair.without = flesh_character(twins, settings, SN_SKIN_AUTO);
    assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    pair.with = flesh_character(twins, settings, SN_SKIN_AUTO);
    assert_ok(sn_settings_set_rules(settings, NULL, 0, NULL));
    pair.plain = &pair.without->tables->material;
    pair.ruled = &pair.with->tables->material;
    return pair;
}

static void pair_close(Pair* pair) {
    sn_character_destroy(pair->without);
    sn_character_destroy(pair->with);
}

// That everything of particle p changed by these factors, and nothing else.
static void check_factors(const Pair* pair, uint32_t p, float softness, float others) {
    assert_near(pair->ruled->deltas[p], softness * pair->plain->deltas[p], 1e-5f);
    assert_near(pair->ruled->alphas[p], others * pair->plain->alphas[p], 1e-5f);
    assert_near(pair->ruled->dampings[p], others * pair->plain->dampings[p], 1e-4f);
    assert_near(pair->ruled->forces[p], others * pair->plain->forces[p], 1e-5f);
    assert_near(pair->ruled->holds[p], pair->plain->holds[p], 0.0f);
}

static snFleshRule half_rule(void) {
    return (snFleshRule){.softness = 0.5f, .alpha = 0.5f, .damping = 0.5f, .force = 0.5f};
}

static bool is_left(const Pair* pair, uint32_t p) { return pair->lattice->rest[p].x < 1.0f; }

static void rules_by_bone(void** state) {
    (void)state;
    static const char* const patterns[] = {"Bone2", "*2", "B?ne2", "*o*e2*", "Bone*", "Bone", "?", ""};
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
        snFleshRule rule = half_rule();
        rule.bone = (char*)patterns[k];
        Pair pair = pair_open(rule);
        for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
            uint32_t bone = twins->binding->joints[twins->binding->parts->bone_parts[p]];
            bool meant = k == 4 || (k < 4 && strcmp(twins->skeleton->names[bone], "Bone2") == 0);
            check_factors(&pair, p, meant ? 0.5f : 1.0f, meant ? 0.5f : 1.0f);
        }
        pair_close(&pair);
    }
}

static uint64_t moved_hash(snCharacter* character) {
    for (int i = 0; i < 20; i++)
        assert_ok(sn_character_pose_clip(character, 0, (float)i / 30.0f, SN_WRAP_LOOP));
    return sn_character_hash(character);
}

// Another reach of the regions moves flesh otherwise; the reach that it has anyway does not.
static void rules_set_widths(void** state) {
    (void)state;
    for (uint32_t width = 0; width <= 3; width++) {
        snFleshRule rule = plain_rule();
        rule.bone = (char*)"Bone2";
        rule.width = width;
        Pair pair = pair_open(rule);
        bool same = width == 0 || width == settings->width;
        assert_true((moved_hash(pair.with) == moved_hash(pair.without)) == same);
        pair_close(&pair);
    }
}

static void rules_by_part(void** state) {
    (void)state;
    snFleshRule rule = half_rule();
    rule.part = (char*)"le*";
    Pair pair = pair_open(rule);
    for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
        float factor = is_left(&pair, p) ? 0.5f : 1.0f;
        check_factors(&pair, p, factor, factor);
    }
    pair_close(&pair);
}

static void rules_by_vertices(void** state) {
    (void)state;
    const snMesh* mesh = twins->parts[1].mesh;
    uint32_t* top = malloc(mesh->vertex_count * sizeof *top);
    snFleshRule rule = half_rule();
    rule.part = (char*)"right";
    rule.vertices = top;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->positions[v].y > 2.0f) top[rule.vertex_count++] = v;
    }
    Pair pair = pair_open(rule);
    float cell = pair.lattice->cell_size;
    uint32_t high = 0, low = 0;
    for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
        float y = pair.lattice->rest[p].y;
        bool meant = !is_left(&pair, p) && y > 2.0f + 2.5f * cell;
        bool spared = is_left(&pair, p) || y < 2.0f - 2.5f * cell;
        if (meant || spared) check_factors(&pair, p, meant ? 0.5f : 1.0f, meant ? 0.5f : 1.0f);
        high += meant;
        low += spared && !is_left(&pair, p);
    }
    assert_true(high > 0 && low > 0);
    pair_close(&pair);
    free(top);
}

// Painted: amounts of 1 say the same as none, 0 nothing, and a half half of it.
static void rules_hold_as_painted(void** state) {
    (void)state;
    uint32_t count = twins->parts[1].mesh->vertex_count;
    uint32_t* all = malloc(count * sizeof *all);
    float* amounts = malloc(count * sizeof *amounts);
    snFleshRule rule = half_rule();
    rule.part = (char*)"right";
    rule.vertices = all;
    rule.amounts = amounts;
    rule.vertex_count = count;
    static const float painted[] = {1.0f, 0.0f, 0.5f}, factors[] = {0.5f, 1.0f, 0.75f};
    for (int i = 0; i < 3; i++) {
        for (uint32_t v = 0; v < count; v++) all[v] = v, amounts[v] = painted[i];
        Pair pair = pair_open(rule);
        for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
            float factor = is_left(&pair, p) ? 1.0f : factors[i];
            check_factors(&pair, p, factor, factor);
        }
        pair_close(&pair);
    }
    free(all);
    free(amounts);
}

// The left tube is red below and green above. Red flesh keeps its softness times the rule's, green loses it;
// factors of other kinds hold for all of the part, and the right tube knows nothing of it.
static void rules_by_color(void** state) {
    (void)state;
    for (int named = 0; named < 2; named++) {
        snFleshRule rule = half_rule();
        rule.color = 'r';
        if (named) rule.part = (char*)"left";
        Pair pair = pair_open(rule);
        for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
            float y = pair.lattice->rest[p].y;
            if (named && !is_left(&pair, p)) {
                check_factors(&pair, p, 1.0f, 1.0f);
            } else if (fabsf(y - 1.5f) > 1.5f * pair.lattice->cell_size) {
                check_factors(&pair, p, y < 1.5f ? 0.5f : 0.0f, 0.5f);
            }
        }
        pair_close(&pair);
    }
    static const char channels[] = "rgba";
    for (int k = 0; k < 4; k++) { // at the low end of both
        snFleshRule rule = plain_rule();
        rule.color = channels[k];
        Pair pair = pair_open(rule);
        for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
            if (pair.lattice->rest[p].y < 0.5f) check_factors(&pair, p, k == 0 || k == 3 ? 1.0f : 0.0f, 1.0f);
        }
        pair_close(&pair);
    }
}

// Without colors everything is white.
static void rules_by_color_without_colors(void** state) {
    (void)state;
    snModel* plain = flesh_tube(10);
    snFleshRule rule = plain_rule();
    rule.color = 'b';
    snCharacter* without = flesh_character(plain, settings, SN_SKIN_AUTO);
    assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    snCharacter* with = flesh_character(plain, settings, SN_SKIN_AUTO);
    for (uint32_t p = 0; p < plain->binding->lattice->particle_count; p++)
        assert_near(with->tables->material.deltas[p], without->tables->material.deltas[p], 1e-5f);
    sn_character_destroy(without);
    sn_character_destroy(with);
    sn_model_destroy(plain);
}

static void rules_by_ball(void** state) {
    (void)state;
    snFleshRule rule = half_rule();
    rule.center = sn_vec3(2, 3, 0);
    rule.radius = 1.6f;
    Pair pair = pair_open(rule);
    uint32_t inside = 0, fading = 0;
    for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
        float t = sn_distance(pair.lattice->rest[p], rule.center) / 1.6f;
        float share = t < 0.5f ? 1.0f : t > 1.0f ? 0.0f : 2.0f - 2.0f * t;
        check_factors(&pair, p, 1.0f - 0.5f * share, 1.0f - 0.5f * share);
        inside += t < 0.5f;
        fading += share > 0.0f && share < 1.0f;
    }
    assert_true(inside > 0 && fading > 0);
    pair_close(&pair);
}

// All conditions of one rule must hold, and what several rules say multiplies.
static void rules_combine(void** state) {
    (void)state;
    snFleshRule rules[2] = {half_rule(), half_rule()};
    rules[0].bone = (char*)"Bone1";
    rules[0].part = (char*)"left";
    rules[1].part = (char*)"left";
    Pair pair = pair_open(rules[1]);
    sn_character_destroy(pair.with);
    assert_ok(sn_settings_set_rules(settings, rules, 2, NULL));
    pair.with = flesh_character(twins, settings, SN_SKIN_AUTO);
    pair.ruled = &pair.with->tables->material;
    for (uint32_t p = 0; p < pair.lattice->particle_count; p++) {
        uint32_t bone = twins->binding->joints[twins->binding->parts->bone_parts[p]];
        bool first = strcmp(twins->skeleton->names[bone], "Bone1") == 0;
        float factor = !is_left(&pair, p) ? 1.0f : first ? 0.25f : 0.5f;
        check_factors(&pair, p, factor, factor);
    }
    pair_close(&pair);
}

// ------------------------------------------------------------------------------------ layers and anatomy

static void layers_say_how_soft(void** state) {
    (void)state;
    snFleshLayer even = {0.0f, 0.5f}, rising[] = {{0.0f, 0.0f}, {0.3f, 1.0f}};
    assert_ok(sn_settings_set_layers(settings, &even, 1, NULL));
    snCharacter* character = flesh_character(twins, settings, SN_SKIN_AUTO);
    for (uint32_t p = 0; p < twins->binding->lattice->particle_count; p++)
        assert_near(sn_character_material(character)->deltas[p], 0.5f * settings->delta, 1e-5f);
    assert_near(sn_character_report(character).delta_min, 0.5f * settings->delta, 1e-5f);
    assert_near(sn_character_report(character).delta_max, 0.5f * settings->delta, 1e-5f);
    sn_character_destroy(character);
    // Softer outside than inside, on average.
    assert_ok(sn_settings_set_layers(settings, rising, 2, NULL));
    character = flesh_character(twins, settings, SN_SKIN_AUTO);
    double sums[2] = {0, 0}, counts[2] = {0, 0};
    for (uint32_t p = 0; p < twins->binding->lattice->particle_count; p++) {
        int inner = twins->binding->lattice->depths[p] > 0;
        sums[inner] += (double)sn_character_material(character)->deltas[p];
        counts[inner] += 1.0;
    }
    assert_true(counts[1] > 0.0 && sums[1] / counts[1] < 0.97 * sums[0] / counts[0]);
    assert_true(sn_character_report(character).delta_min < sn_character_report(character).delta_max);
    sn_character_destroy(character);
}

// Without any bone in it a piece would float away: the primary keeps a hold on it.
static void boneless_pieces_are_not_let_go(void** state) {
    (void)state;
    snFleshLayer soft = {0.0f, 1.0f};
    assert_ok(sn_settings_set_layers(settings, &soft, 1, NULL));
    settings->delta = 1.0f;
    for (int k = 0; k < 2; k++) {
        if (k == 1) settings->bone_radius = 0.0f; // no bone anywhere
        snCharacter* character = flesh_character(twins, settings, SN_SKIN_AUTO);
        const snFleshMaterial* material = sn_character_material(character);
        uint32_t held = 0;
        for (uint32_t p = 0; p < twins->binding->lattice->particle_count; p++) {
            assert_near(material->deltas[p], k == 0 ? 1.0f : 0.98f, 1e-6f);
            held += material->holds[p] == 1.0f;
        }
        assert_true((held > 0) == (k == 0));
        sn_character_destroy(character);
    }
}

static double mean_delta(const snCharacter* character, const char* bone) {
    const snBinding* binding = body->binding;
    double sum = 0.0, count = 0.0;
    for (uint32_t p = 0; p < binding->lattice->particle_count; p++) {
        if (strcmp(body->skeleton->names[binding->joints[binding->parts->bone_parts[p]]], bone) != 0)
            continue;
        sum += (double)character->tables->material.deltas[p];
        count += 1.0;
    }
    assert_true(count > 0.0);
    return sum / count;
}

static void anatomy_stiffens_skull_and_hands(void** state) {
    (void)state;
    snCharacter* without = flesh_character(body, settings, SN_SKIN_AUTO);
    settings->anatomy = true;
    snCharacter* with = flesh_character(body, settings, SN_SKIN_AUTO);
    assert_true(mean_delta(with, "Head") < 0.4 * mean_delta(without, "Head"));
    assert_true(mean_delta(with, "LeftHand") < 0.6 * mean_delta(without, "LeftHand"));
    assert_true(mean_delta(with, "LeftUpperLeg") > 0.8 * mean_delta(without, "LeftUpperLeg"));
    sn_character_destroy(without);
    sn_character_destroy(with);
}

// Rules and colliders name joints by what they are in a body, too.
static void rules_know_the_body(void** state) {
    (void)state;
    snCharacter* plain = flesh_character(body, settings, SN_SKIN_AUTO);
    snFleshRule rule = half_rule();
    rule.bone = (char*)"*Elbow";
    rule.softness = 0.5f;
    assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    snColliderDef collider = {(char*)"LeftElbow", {0, 0, 0}, {0, 0, 0}, 0.01f};
    assert_ok(sn_settings_set_colliders(settings, &collider, 1, NULL));
    snCharacter* ruled = flesh_character(body, settings, SN_SKIN_AUTO);
    assert_true(mean_delta(ruled, "LeftLowerArm") < 0.7 * mean_delta(plain, "LeftLowerArm"));
    assert_near(mean_delta(ruled, "Head"), mean_delta(plain, "Head"), 1e-6);
    assert_int_equal(ruled->tables->collider_joints[0], sn_skeleton_find(body->skeleton, "LeftLowerArm"));
    sn_character_destroy(plain);
    sn_character_destroy(ruled);
}

// -------------------------------------------------------------------------------------------- over time

// The time of a state, as the character has it.
static float state_time(int index) { return (float)((double)index * (double)settings->step); }

static float no_softness(void* user, double time) {
    (void)time;
    (*(int*)user)++;
    return 0.0f;
}

static void profiles_scale_what_shows(void** state) {
    (void)state;
    snProfileKey keys[] = {{0.5f, 0.0f}, {1.0f, 1.0f}};
    assert_ok(sn_settings_set_profile(settings, keys, 2, NULL));
    snCharacter* character = flesh_character(twins, settings, SN_SKIN_AUTO);
    snCharacter* stiff = flesh_stiff(twins, settings, SN_SKIN_AUTO);
    for (int i = 0; i <= 80; i++) {
        float time = state_time(i);
        assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(stiff, 0, time, SN_WRAP_LOOP));
        float apart = flesh_apart(twins, character, stiff);
        if (i <= 30) assert_true(apart == 0.0f);
    }
    assert_true(flesh_apart(twins, character, stiff) > 1e-3f);
    sn_character_destroy(character);
    sn_character_destroy(stiff);
}

static void a_callback_scales_it_too(void** state) {
    (void)state;
    int calls = 0;
    snCharacterDef def = sn_character_def();
    def.model = twins;
    def.settings = settings;
    def.profile = no_softness;
    def.profile_user = &calls;
    snCharacter *character = NULL, *stiff = flesh_stiff(twins, settings, SN_SKIN_AUTO);
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    for (int i = 0; i <= 30; i++) {
        assert_ok(sn_character_pose_clip(character, 0, state_time(i), SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(stiff, 0, state_time(i), SN_WRAP_LOOP));
        assert_true(flesh_apart(twins, character, stiff) == 0.0f);
    }
    assert_true(calls > 30);
    sn_character_destroy(character);
    sn_character_destroy(stiff);
}

typedef struct Pushing {
    uint32_t calls;
} Pushing;

static void push(void* user, double time, uint32_t count, const snVec4* primary, snVec4* out) {
    Pushing* pushing = user;
    assert_int_equal(count, twins->binding->lattice->particle_count);
    assert_near(time, (double)pushing->calls * (double)settings->step, 1e-6);
    pushing->calls++;
    for (uint32_t p = 0; p < count; p++) {
        assert_true(primary[p].w == 0.0f && out[p].x == 0.0f && out[p].y == 0.0f && out[p].z == 0.0f);
        out[p].z = 30.0f;
    }
}

static void forces_push(void** state) {
    (void)state;
    Pushing pushing = {0};
    snCharacterDef def = sn_character_def();
    def.model = twins;
    def.settings = settings;
    def.force = push;
    def.force_user = &pushing;
    snCharacter *character = NULL, *plain = flesh_character(twins, settings, SN_SKIN_AUTO);
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    for (int i = 0; i <= 30; i++) {
        assert_ok(sn_character_pose_clip(character, 0, state_time(i), SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(plain, 0, state_time(i), SN_WRAP_LOOP));
    }
    assert_int_equal(pushing.calls, 30);
    const snVec4 *a = sn_character_particles(character), *b = sn_character_particles(plain);
    double sum = 0.0;
    for (uint32_t p = 0; p < twins->binding->lattice->particle_count; p++) sum += (double)(a[p].z - b[p].z);
    assert_true(sum / twins->binding->lattice->particle_count > 1e-3);
    sn_character_destroy(character);
    sn_character_destroy(plain);
}

// ----------------------------------------------------------------------------------------------- materials

// One character changes what it is made of while it runs; its twin, which shares its tables, does not.
static void materials_change_for_one_character(void** state) {
    (void)state;
    snCharacter *first = flesh_character(twins, settings, SN_SKIN_AUTO), *second = NULL;
    snCharacter* control = flesh_character(twins, settings, SN_SKIN_AUTO);
    snCharacter* stiff = flesh_stiff(twins, settings, SN_SKIN_AUTO);
    snCharacterDef def = sn_character_def();
    def.model = twins;
    def.like = first;
    assert_ok(sn_character_create(&def, NULL, &second, NULL));
    assert_ptr_equal(second->tables, first->tables);
    for (int i = 0; i <= 40; i++) {
        if (i == 20) {
            snFleshMaterial* material = sn_character_material(second);
            for (uint32_t p = 0; p < twins->binding->lattice->particle_count; p++) material->deltas[p] = 0.0f;
            assert_ptr_equal(sn_character_material(second), material);
        }
        snCharacter* all[] = {first, second, control, stiff};
        for (int k = 0; k < 4; k++) assert_ok(sn_character_pose_clip(all[k], 0, state_time(i), SN_WRAP_LOOP));
        assert_true(sn_character_hash(first) == sn_character_hash(control));
        if (i < 20) assert_true(sn_character_hash(second) == sn_character_hash(control));
        if (i > 20) assert_true(sn_character_hash(second) == sn_character_hash(stiff));
    }
    assert_true(sn_character_hash(second) != sn_character_hash(first));
    assert_near(sn_character_report(second).delta_max, 0.0f, 0.0f);
    assert_true(sn_character_report(first).delta_max > 0.5f);
    assert_int_equal(sn_character_report(first).steps, 40);
    assert_int_equal(sn_character_report(first).particles, twins->binding->lattice->particle_count);
    sn_character_destroy(second);
    sn_character_destroy(first);
    sn_character_destroy(control);
    sn_character_destroy(stiff);
}

static void only_one_model_shares(void** state) {
    (void)state;
    snCharacter *first = flesh_character(twins, settings, SN_SKIN_AUTO), *second = NULL;
    snCharacterDef def = sn_character_def();
    def.model = body;
    def.like = first;
    assert_int_equal(sn_character_create(&def, NULL, &second, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(second);
    sn_character_destroy(first);
}

// ----------------------------------------------------------------------------------------------- colliders

static void unknown_joints_are_named(void** state) {
    (void)state;
    snColliderDef colliders[] = {{(char*)"", {0, 0, 0}, {0, 0, 0}, 0.1f},
                                 {(char*)"Tail", {0, 0, 0}, {0, 0, 0}, 0.1f}};
    assert_ok(sn_settings_set_colliders(settings, colliders, 2, NULL));
    snCharacterDef def = sn_character_def();
    def.model = twins;
    def.settings = settings;
    snCharacter* character = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_character_create(&def, NULL, &character, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "Tail"));
    assert_null(character);
}

static float nearest(const snCharacter* character, snVec3 center) {
    float least = INFINITY;
    const snVec4* p = sn_character_particles(character);
    const snFleshMaterial* material = &character->tables->material;
    for (uint32_t i = 0; i < twins->binding->lattice->particle_count; i++) {
        if (material->deltas[i] > 0.3f && material->holds[i] == 0.0f)
            least = sn_minf(least, sn_distance(sn_vec3(p[i].x, p[i].y, p[i].z), center));
    }
    return least;
}

// A ball in the world, and the same one carried by the joint that stands there at rest.
static void colliders_push_flesh(void** state) {
    (void)state;
    settings->limit = 0.5f;
    snVec3 place = {0.55f, 2.5f, 0}; // in the skin of the left tube
    snVec3 bone = sn_mat4_translation(&twins->binding->binds[2]);
    snColliderDef world = {(char*)"", place, place, 0.4f};
    snColliderDef carried = {(char*)"Bone3", sn_sub(place, bone), sn_sub(place, bone), 0.4f};
    snTrs* locals = malloc(twins->skeleton->joint_count * sizeof *locals);
    for (int k = 0; k < 3; k++) {
        assert_ok(sn_settings_set_colliders(settings, k == 1 ? &world : &carried, k > 0, NULL));
        snCharacter* character = flesh_character(twins, settings, SN_SKIN_AUTO);
        snVec3 by = {0, 0, 0};
        for (int i = 0; i < 20; i++) {
            // The joint takes its ball along; the one in the world stays where it is.
            by.z = k == 2 ? 0.01f * (float)i : 0.0f;
            flesh_rest_pose(twins, by, locals);
            assert_ok(sn_character_advance(character, locals, 1.0f / 60.0f));
        }
        float gap = nearest(character, sn_add(place, by));
        assert_true(k == 0 ? gap < 0.25f : gap > 0.35f);
        sn_character_destroy(character);
    }
    free(locals);
}

// Every step sweeps from where the collider was in the step before.
static void colliders_remember_where_they_were(void** state) {
    (void)state;
    snColliderDef carried = {(char*)"Bone3", {0.1f, 0, 0}, {0.5f, 0, 0}, 0.1f};
    assert_ok(sn_settings_set_colliders(settings, &carried, 1, NULL));
    snCharacter* character = flesh_character(twins, settings, SN_SKIN_AUTO);
    const snCollider* collider = &character->colliders[0];
    for (int i = 0; i < 20; i++) {
        snVec3 from = collider->from, to = collider->to;
        assert_ok(sn_character_pose_clip(character, 0, state_time(i), SN_WRAP_LOOP));
        assert_vec3_near(collider->from_before, i == 0 ? collider->from : from, 0.0f);
        assert_vec3_near(collider->to_before, i == 0 ? collider->to : to, 0.0f);
        assert_vec3_near(collider->to, sn_mat4_point(&sn_character_world(character)[2], carried.to), 1e-6f);
    }
    assert_true(sn_distance(collider->to, collider->to_before) > 1e-3f);
    sn_character_destroy(character);
}

// Arms pressed into the sides: with self contact the flesh of the trunk gives way, at rest nothing does.
static void limbs_press_into_the_trunk(void** state) {
    (void)state;
    settings->gravity = sn_vec3(0, 0, 0);
    snCharacter* without = flesh_character(body, settings, SN_SKIN_AUTO);
    settings->self_contact = true;
    snCharacter* with = flesh_character(body, settings, SN_SKIN_AUTO);
    uint32_t joints = body->skeleton->joint_count, arm = sn_skeleton_find(body->skeleton, "LeftUpperArm");
    assert_true(arm != SN_NONE);
    snTrs* locals = malloc(joints * sizeof *locals);
    float apart[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i <= 30; i++) {
            flesh_rest_pose(body, sn_vec3(0, 0, 0), locals);
            snQuat down = sn_quat_axis_angle(sn_vec3(0, 0, 1), (k == 0 ? 0.0f : -1.9f) * (float)i / 30.0f);
            locals[arm].rotation = sn_quat_mul(down, locals[arm].rotation);
            assert_ok(sn_character_advance(without, locals, 1.0f / 60.0f));
            assert_ok(sn_character_advance(with, locals, 1.0f / 60.0f));
        }
        apart[k] = flesh_apart(body, with, without);
    }
    assert_true(apart[0] < 1e-4f);
    assert_true(apart[1] > 0.002f);
    free(locals);
    sn_character_destroy(without);
    sn_character_destroy(with);
}

#define WITH_SETTINGS(test) cmocka_unit_test_setup_teardown(test, open_settings, close_settings)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_SETTINGS(rules_by_bone),
        WITH_SETTINGS(rules_know_the_body),
        WITH_SETTINGS(rules_set_widths),
        WITH_SETTINGS(rules_by_part),
        WITH_SETTINGS(rules_by_vertices),
        WITH_SETTINGS(rules_hold_as_painted),
        WITH_SETTINGS(rules_by_color),
        WITH_SETTINGS(rules_by_color_without_colors),
        WITH_SETTINGS(rules_by_ball),
        WITH_SETTINGS(rules_combine),
        WITH_SETTINGS(layers_say_how_soft),
        WITH_SETTINGS(boneless_pieces_are_not_let_go),
        WITH_SETTINGS(anatomy_stiffens_skull_and_hands),
        WITH_SETTINGS(profiles_scale_what_shows),
        WITH_SETTINGS(a_callback_scales_it_too),
        WITH_SETTINGS(forces_push),
        WITH_SETTINGS(materials_change_for_one_character),
        WITH_SETTINGS(only_one_model_shares),
        WITH_SETTINGS(unknown_joints_are_named),
        WITH_SETTINGS(colliders_push_flesh),
        WITH_SETTINGS(colliders_remember_where_they_were),
        WITH_SETTINGS(limbs_press_into_the_trunk),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
