#include "steps.h"

// -------------------------------------------------------------------------------------------------- steps

static snResult open_bar(snDocument* document, const snProgress* progress, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = *progress;
    return sn_document_open(document, "builtin:bar", &def, error);
}

static snResult set_delta(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_set(document, "flesh.delta", "0.31", error);
}

// A list of every kind.
static snResult fill_settings(snSettings* s, snError* error) {
    static char elbow[] = "*", muscle[] = "muscle", part[] = "*";
    uint32_t vertices[] = {3, 5, 8};
    float amounts[] = {0.25f, 1.0f, 0.5f};
    snFleshLayer layers[] = {{0.1f, 0.2f}, {0.3f, 0.9f}};
    snFleshRule rule = sn_flesh_rule_def();
    rule.part = part;
    rule.vertices = vertices;
    rule.vertex_count = 3;
    rule.amounts = amounts;
    rule.softness = 0.5f;
    snProfileKey keys[] = {{0.0f, 1.0f}, {1.0f, 0.5f}};
    snColliderDef collider = {elbow + 1, {0, 0, 0}, {0, 1, 0}, 0.1f};
    snVolumeRule volume = {elbow, *sn_volume_preset(2), 0.75f};
    snVolumeKey volume_keys[] = {{0.0f, 1.0f}, {2.0f, 1.2f}};
    snVolumeTarget target = {elbow, false, 2, volume_keys};
    snSplineRule spline = {elbow, 6.0f};
    snStyleRule style_rule = {elbow, muscle, 0.8f};
    snStyle* style = NULL;
    snResult result = sn_style_preset("muscle", &s->allocator, &style, error);
    const snStyle* styles[] = {style};
    if (result == SN_RESULT_OK) result = sn_settings_set_layers(s, layers, 2, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_rules(s, &rule, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_profile(s, keys, 2, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_colliders(s, &collider, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_volume_rules(s, &volume, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_volume_targets(s, &target, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_spline_rules(s, &spline, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_styles(s, styles, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_style_rules(s, &style_rule, 1, error);
    sn_style_destroy(style);
    return result;
}

static snResult set_lists(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    const snSettings* old = sn_document_settings(document);
    snSettings* settings = NULL;
    snResult result = sn_settings_copy(old, &old->allocator, &settings, error);
    if (result != SN_RESULT_OK) return result;
    result = fill_settings(settings, error);
    if (result == SN_RESULT_OK) result = sn_document_set_settings(document, settings, error);
    sn_settings_destroy(settings);
    return result;
}

static snResult bind(snDocument* document, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.cells = 9;
    snBindReport report = {0};
    snResult result = sn_document_bind(document, &def, progress, &report, error);
    sn_bind_report_free(&report);
    return result;
}

static snResult bind_heat(snDocument* document, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_HEAT;
    def.cells = 8;
    return sn_document_bind(document, &def, progress, NULL, error);
}

static snResult join_tube(snDocument* document, const snProgress* progress, snError* error) {
    snSource* source = NULL;
    snResult result = sn_source_open(document, "builtin:tube", NULL, &source, error);
    if (result == SN_RESULT_OK) result = sn_document_join(document, source, NULL, progress, NULL, error);
    sn_source_close(source);
    return result;
}

static snResult refit(snDocument* document, const snProgress* progress, snError* error) {
    snFitReport report = {0};
    snResult result = sn_document_refit(document, progress, &report, error);
    sn_fit_report_free(&report);
    return result;
}

static snResult add_motion(snDocument* document, const snProgress* progress, snError* error) {
    snSource* source = NULL;
    snJointOverride none = {"joint2", NULL};
    snMotionDef def = sn_motion_def();
    def.progress = *progress;
    def.overrides = &none;
    def.override_count = 1;
    def.to = 0.2f;
    snResult result = sn_source_open(document, "builtin:bar", NULL, &source, error);
    if (result == SN_RESULT_OK) {
        none.target = sn_source_model(source)->skeleton->names[2];
        result = sn_document_add_motion(document, source, &def, NULL, error);
    }
    sn_source_close(source);
    return result;
}

static snResult make_rig(snDocument* document, const snProgress* progress, snError* error) {
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = SN_HANDLES_FROM_SKELETON;
    def.progress = *progress;
    return sn_document_make_handles(document, &def, NULL, error);
}

static snResult move_joint(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_move_joint(document, 1, sn_vec3(0.05f, 1.1f, 0.02f), false, error);
}

static snResult remove_first(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_remove_clip(document, 0, error);
}

// Several edits that are one entry.
static snResult drag(snDocument* document, const snProgress* progress, snError* error) {
    snResult result = sn_document_begin(document, "Drag", error);
    if (result != SN_RESULT_OK) return result;
    result = sn_document_set(document, "flesh.delta", "0.5", error);
    if (result == SN_RESULT_OK) result = add_motion(document, progress, error);
    if (result == SN_RESULT_OK) result = bind(document, progress, error);
    if (result == SN_RESULT_OK) result = sn_document_set(document, "flesh.delta", "0.6", error);
    if (result == SN_RESULT_OK) return sn_document_end(document, error);
    sn_document_cancel(document);
    return result;
}

const Step test_steps[TEST_STEPS] = {{"open", open_bar},    {"delta", set_delta},     {"lists", set_lists},
                                     {"bind", bind},        {"motion", add_motion},   {"refit", refit},
                                     {"heat", bind_heat},   {"drag", drag},           {"rig", make_rig},
                                     {"joint", move_joint}, {"remove", remove_first}, {"join", join_tube},
                                     {"bind again", bind},  {"open again", open_bar}};
