#include "deformation.h"

#include <stdio.h>
#include <string.h>

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

static cliExit change(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    const char* path = cli_text(a, "settings");
    snError error = sn_error_none();
    if (path != NULL && sn_settings_read(path, settings, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; code == CLI_DONE && cli_repeated(a, "set", i) != NULL; i++)
        code = set_pair(context, settings, cli_repeated(a, "set", i));
    if (code == CLI_DONE) code = set_option(context, settings, "skin", "skin");
    if (code == CLI_DONE) code = set_option(context, settings, "volume", "volume.method");
    if (code == CLI_DONE) code = set_option(context, settings, "flesh", "flesh.on");
    return code;
}

// Is something of the lattice asked for by name?
static bool asks_for_lattice(const cliArguments* a, const snSettings* settings) {
    const char* skin = cli_text(a, "skin");
    const char* volume = cli_text(a, "volume");
    const char* flesh = cli_text(a, "flesh");
    return (skin != NULL && strcmp(skin, "lattice") == 0) ||
           (volume != NULL && strcmp(volume, "none") != 0) || (flesh != NULL && strcmp(flesh, "on") == 0) ||
           settings->skin == SN_SKIN_LATTICE || cli_given(a, "settings") || cli_given(a, "set") ||
           (cli_has(a->verb, "show") && cli_given(a, "show") && strcmp(cli_text(a, "show"), "moves") == 0);
}

static cliExit bind_to_own_weights(cliContext* context, snModel* model) {
    if (model->skin_count == 0) {
        fprintf(stderr, "%s: there is no skin for flesh to follow; sinew bind makes one\n",
                context->arguments->operands[0]);
        return CLI_BAD_INPUT;
    }
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    def.tasks = context->tasks;
    def.level = context->level;
    def.memory_limit = cli_bytes(context->arguments, "memory", 0);
    snError error = sn_error_none();
    if (sn_model_bind(model, &def, NULL, &error) != SN_RESULT_OK) return context_fail(context, &error);
    context_say(context, "note: %s has no lattice yet: one was made for its own weights",
                context->arguments->operands[0]);
    return CLI_DONE;
}

cliExit deformation_settings(cliContext* context, snModel* model, snSettings** out) {
    snError error = sn_error_none();
    snSettings* settings = NULL;
    snResult result = model->settings != NULL
                          ? sn_settings_copy(model->settings, &context->memory, &settings, &error)
                          : sn_settings_create(&context->memory, &settings, &error);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    cliExit code = change(context, settings);
    if (code == CLI_DONE && model->binding == NULL && asks_for_lattice(context->arguments, settings))
        code = bind_to_own_weights(context, model);
    if (code != CLI_DONE) {
        sn_settings_destroy(settings);
        return code;
    }
    *out = settings;
    return CLI_DONE;
}

cliExit deformation_plain(cliContext* context, snSkinMethod skin, snSettings** out) {
    snError error = sn_error_none();
    if (sn_settings_create(&context->memory, out, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    (*out)->skin = skin;
    (*out)->volume = SN_VOLUME_NONE;
    (*out)->flesh = false;
    return CLI_DONE;
}

snSkinMethod deformation_skin(const snModel* model, const snSettings* settings) {
    if (settings->skin != SN_SKIN_AUTO) return settings->skin;
    return model->binding != NULL ? SN_SKIN_DUAL : SN_SKIN_LINEAR;
}

const char* deformation_skin_name(snSkinMethod skin) { return sn_setting_find("skin")->names[skin]; }

bool deformation_beyond_skin(const snModel* model, const snSettings* settings) {
    if (deformation_skin(model, settings) != SN_SKIN_LINEAR) return true;
    return model->binding != NULL && (settings->volume != SN_VOLUME_NONE || settings->flesh);
}
