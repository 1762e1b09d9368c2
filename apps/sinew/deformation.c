#include "deformation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static cliExit set_option(cliContext* context, snSettings* settings, const char* option, const char* key) {
    const char* text = cli_text(context->arguments, option);
    if (text == NULL) return CLI_DONE;
    snError error = sn_error_none();
    snResult result = sn_settings_set(settings, key, text, &error);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit set_pair(cliContext* context, snSettings* settings, const char* pair) {
    const cliArguments* a = context->arguments;
    char key[96];
    size_t length = strcspn(pair, "=");
    if (pair[length] == '\0' || length == 0 || length >= sizeof key)
        return cli_usage(a->verb, "--set %s: KEY=VALUE is expected, as in flesh.delta=0.7", pair);
    snprintf(key, sizeof key, "%.*s", (int)length, pair);
    snError error = sn_error_none();
    if (sn_settings_set(settings, key, pair + length + 1, &error) == SN_RESULT_OK) return CLI_DONE;
    return cli_usage(a->verb, "--set %s: %s", pair, error.text);
}

// ------------------------------------------------------------------------------------------------- volume

static cliExit read_profile(cliContext* context, const char* text, const char* name, snVolumeProfile* out) {
    snError error = sn_error_none();
    snResult result = sn_volume_profile_open(name, &context->memory, out, &error);
    if (result == SN_RESULT_NOT_FOUND)
        return cli_usage(context->arguments->verb, "--profile %s: one of %s or a FILE.json is expected", text,
                         CLI_PRESETS);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

// [JOINT=]PROFILE; all joints when none is named.
static cliExit read_rule(cliContext* context, const char* text, snVolumeRule* out) {
    size_t length = strcspn(text, "=");
    bool named = text[length] == '=';
    if (named && (length == 0 || text[length + 1] == '\0'))
        return cli_usage(context->arguments->verb,
                         "--profile %s: JOINT=PROFILE is expected, as in '*Elbow=muscle'", text);
    char* joint = SNI_NEW_ARRAY(&context->memory, char, length + 2);
    if (joint == NULL) return context_fail_memory(context);
    memcpy(joint, named ? text : "*", named ? length : 1);
    out->joint = joint;
    out->amount = 1.0f;
    return read_profile(context, text, named ? text + length + 1 : text, &out->profile);
}

static cliExit add_rules(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    snVolumeRule rules[CLI_MAX_REPEATED] = {{0}};
    uint32_t count = 0;
    cliExit code = CLI_DONE;
    for (; cli_repeated(a, "profile", count) != NULL && code == CLI_DONE; count++)
        code = read_rule(context, cli_repeated(a, "profile", count), &rules[count]);
    snError error = sn_error_none();
    if (code == CLI_DONE && sn_settings_add_volume_rules(settings, rules, count, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    for (uint32_t i = 0; i < count; i++) sni_free(&context->memory, rules[i].joint);
    return code;
}

static cliExit change_volume(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    cliExit code = set_option(context, settings, "volume", "volume.method");
    if (code == CLI_DONE) code = set_option(context, settings, "refine", "volume.refine");
    if (code != CLI_DONE) return code;
    const char* path = cli_text(a, "target-volume");
    const char* idle = path != NULL              ? "target-volume"
                       : cli_given(a, "profile") ? "profile"
                       : cli_given(a, "refine")  ? "refine"
                                                 : NULL;
    if (idle != NULL && !sn_settings_exact_volume(settings))
        return cli_usage(a->verb, "--%s is for --volume exact or parts+exact", idle);
    code = add_rules(context, settings);
    snError error = sn_error_none();
    if (code == CLI_DONE && path != NULL && sn_volume_targets_read(path, settings, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    return code;
}

// ------------------------------------------------------------------------------------------------ settings

static cliExit change(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    const char* path = cli_text(a, "settings");
    snError error = sn_error_none();
    if (path != NULL && sn_settings_read(path, settings, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; code == CLI_DONE && cli_repeated(a, "set", i) != NULL; i++)
        code = set_pair(context, settings, cli_repeated(a, "set", i));
    for (uint32_t i = 0; code == CLI_DONE && cli_repeated(a, "push", i) != NULL; i++)
        if (sn_settings_add_push_text(settings, cli_repeated(a, "push", i), &error) != SN_RESULT_OK)
            code = cli_usage(a->verb, "--push %s: %s", cli_repeated(a, "push", i), error.text);
    if (code == CLI_DONE) code = set_option(context, settings, "skin", "skin");
    if (code == CLI_DONE) code = deformation_splines(context, settings);
    if (code == CLI_DONE) code = change_volume(context, settings);
    if (code == CLI_DONE) code = set_option(context, settings, "contact", "contact.skin");
    if (code == CLI_DONE) code = set_option(context, settings, "flesh", "flesh.on");
    return code;
}

static bool begins_with(const char* text, const char* start) {
    return strncmp(text, start, strlen(start)) == 0;
}

// Does --set say more than how splines, exact volume and contact work?
static bool sets_more(const cliArguments* a, const snSettings* settings) {
    const char* pair = NULL;
    for (uint32_t i = 0; (pair = cli_repeated(a, "set", i)) != NULL; i++) {
        bool splines =
            settings->skin == SN_SKIN_SPLINE &&
            (begins_with(pair, "skin=") || begins_with(pair, "spline.") || begins_with(pair, "style."));
        bool exact = settings->volume == SN_VOLUME_EXACT && begins_with(pair, "volume.");
        if (!splines && !exact && !begins_with(pair, "contact.skin=")) return true;
    }
    return false;
}

// Is something of the lattice asked for by name? Splines and exact volume are of the surface, which needs
// none.
static bool asks_for_lattice(const cliArguments* a, const snSettings* settings) {
    const char* skin = cli_text(a, "skin");
    const char* volume = cli_text(a, "volume");
    const char* flesh = cli_text(a, "flesh");
    return (skin != NULL && strcmp(skin, "lattice") == 0) ||
           (volume != NULL && strncmp(volume, "parts", 5) == 0) ||
           (flesh != NULL && strcmp(flesh, "on") == 0) || settings->skin == SN_SKIN_LATTICE ||
           cli_given(a, "settings") || cli_given(a, "push") || sets_more(a, settings) ||
           (settings->volume != SN_VOLUME_EXACT && !sn_settings_have_styles(settings) &&
            cli_has(a->verb, "show") && cli_given(a, "show") && strcmp(cli_text(a, "show"), "moves") == 0);
}

void deformation_say_lattice(const cliContext* context) {
    context_say(context, "note: %s has no lattice yet: one was made for its own weights",
                context->arguments->operands[0]);
}

static cliExit make_lattice(cliContext* context) {
    snError error = sn_error_none();
    bool made = false;
    snProgress progress = context_listen(context);
    if (sn_document_make_lattice(context->document, &progress, &made, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    if (made) deformation_say_lattice(context);
    return CLI_DONE;
}

cliExit deformation_settings(cliContext* context, snSettings** out) {
    snError error = sn_error_none();
    snSettings* settings = NULL;
    const snSkeleton* skeleton = context_model(context)->skeleton;
    if (sn_settings_copy(sn_document_settings(context->document), &context->memory, &settings, &error) !=
        SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = change(context, settings);
    // Names that no joint has are found before the long work begins.
    if (code == CLI_DONE &&
        sn_settings_validate_joints(settings, skeleton, &context->memory, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    if (code == CLI_DONE && asks_for_lattice(context->arguments, settings)) code = make_lattice(context);
    if (code != CLI_DONE) {
        sn_settings_destroy(settings);
        return code;
    }
    *out = settings;
    return CLI_DONE;
}

uint64_t deformation_vertices(const snModel* model) {
    uint64_t count = 0;
    for (uint32_t p = 0; p < model->part_count; p++) count += model->parts[p].mesh->vertex_count;
    return count;
}

cliExit deformation_use(cliContext* context, snSettings* settings) {
    uint64_t before = deformation_vertices(context_model(context));
    bool refines = settings->refine > 0 && sn_settings_exact_volume(settings);
    snError error = sn_error_none();
    if (sn_document_set_settings(context->document, settings, &error) != SN_RESULT_OK ||
        sn_document_refine(context->document, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    settings->refine = sn_document_settings(context->document)->refine;
    if (refines) deformation_say_refined(context, before);
    return CLI_DONE;
}

void deformation_say_refined(const cliContext* context, uint64_t before) {
    uint64_t after = deformation_vertices(context_model(context));
    if (after == before)
        context_say(context, "note: exact volume shapes nothing here, so no face was split");
    else
        context_say(context,
                    "note: faces were split where exact volume shapes the surface: %" PRIu64
                    " vertices became %" PRIu64,
                    before, after);
}

const char* deformation_skin_name(const cliContext* context, const snSettings* settings) {
    return sn_setting_find("skin")->names[sn_settings_skin(settings, context_model(context))];
}
