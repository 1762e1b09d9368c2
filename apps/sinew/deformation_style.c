// How sharply joints bend and which styles they have: --stiffness and --style.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "deformation.h"
#include "sinew/spline.h"
#include "style_source.h"

#define MAX_STRENGTH 4.0f
// Takes the style away from joints.
#define NO_STYLE "none"

static uint32_t count_of(const cliArguments* a, const char* option) {
    uint32_t count = 0;
    while (cli_repeated(a, option, count) != NULL) count++;
    return count;
}

// Parts [JOINT=]REST. `joint` is a copy to be freed, "*" where no joint is named; NULL and a complaint where
// one of both is empty.
static cliExit split(cliContext* context, const char* option, const char* example, const char* text,
                     char** joint, const char** rest) {
    size_t length = strcspn(text, "=");
    bool named = text[length] == '=';
    *joint = NULL;
    *rest = named ? text + length + 1 : text;
    if (named && (length == 0 || text[length + 1] == '\0'))
        return cli_usage(context->arguments->verb, "--%s %s: JOINT=%s is expected", option, text, example);
    *joint = SNI_NEW_ARRAY(&context->memory, char, length + 2);
    if (*joint == NULL) return context_fail_memory(context);
    memcpy(*joint, named ? text : "*", named ? length : 1);
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------------- stiffness

static cliExit read_stiffness(cliContext* context, const char* text, const char* number, float* out) {
    char* end = NULL;
    float value = strtof(number, &end);
    if (end == number || *end != '\0' ||
        !(value >= SN_SPLINE_STIFFNESS_MIN && value <= SN_SPLINE_STIFFNESS_MAX))
        return cli_usage(context->arguments->verb, "--stiffness %s: a number from %g to %g is expected", text,
                         (double)SN_SPLINE_STIFFNESS_MIN, (double)SN_SPLINE_STIFFNESS_MAX);
    *out = value;
    return CLI_DONE;
}

// A number alone is what joints have that no rule names.
static cliExit add_stiffness(cliContext* context, const char* text, snSettings* settings, snSplineRule* rules,
                             uint32_t* count) {
    if (strchr(text, '=') == NULL) return read_stiffness(context, text, text, &settings->spline_stiffness);
    const char* number = NULL;
    cliExit code = split(context, "stiffness", "NUMBER", text, &rules[*count].joint, &number);
    if (code != CLI_DONE) return code;
    return read_stiffness(context, text, number, &rules[(*count)++].stiffness);
}

static cliExit change_stiffness(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    uint32_t given = count_of(a, "stiffness"), count = 0;
    snSplineRule rules[CLI_MAX_REPEATED] = {{0}};
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < given && code == CLI_DONE; i++)
        code = add_stiffness(context, cli_repeated(a, "stiffness", i), settings, rules, &count);
    snError error = sn_error_none();
    if (code == CLI_DONE && sn_settings_add_spline_rules(settings, rules, count, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    for (uint32_t i = 0; i < given; i++) sni_free(&context->memory, rules[i].joint);
    return code;
}

// -------------------------------------------------------------------------------------------------- styles

// Cuts ":NUMBER" off the end, where there is one; paths may have a colon too.
static cliExit cut_strength(cliContext* context, const char* text, char* name, float* out) {
    *out = 1.0f;
    char* colon = strrchr(name, ':');
    if (colon == NULL || colon == name) return CLI_DONE;
    char* end = NULL;
    float value = strtof(colon + 1, &end);
    if (end == colon + 1 || *end != '\0') return CLI_DONE;
    if (!(value >= 0.0f && value <= MAX_STRENGTH))
        return cli_usage(context->arguments->verb, "--style %s: a strength from 0 to %g is expected", text,
                         (double)MAX_STRENGTH);
    *colon = '\0';
    *out = value;
    return CLI_DONE;
}

// One --style as it was given, taken apart.
typedef struct Words {
    char* joint;
    char* name;
} Words;

static cliExit read_request(cliContext* context, const char* text, Words* words, snStyleRequest* request) {
    const char* rest = NULL;
    cliExit code = split(context, "style", "STYLE[:STRENGTH]", text, &words->joint, &rest);
    if (code != CLI_DONE) return code;
    words->name = sni_copy_text(&context->memory, rest);
    if (words->name == NULL) return context_fail_memory(context);
    code = cut_strength(context, text, words->name, &request->strength);
    request->joint = words->joint;
    request->style = strcmp(words->name, NO_STYLE) != 0 ? words->name : NULL;
    return code;
}

static cliExit wear(cliContext* context, snSettings* settings, const snStyleRequest* requests,
                    uint32_t count) {
    uint32_t request = SN_NONE;
    snError error = sn_error_none();
    snResult result = sn_settings_add_styles(settings, requests, count, &request, &error);
    if (result == SN_RESULT_OK) return CLI_DONE;
    if (request == SN_NONE) return context_fail(context, &error);
    if (result != SN_RESULT_INVALID_ARGUMENT)
        return style_fail(context, "--style ", requests[request].style, &error);
    return cli_usage(context->arguments->verb, "--style %s: %s", requests[request].style, error.text);
}

static cliExit change_styles(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    Words words[CLI_MAX_REPEATED] = {{0}};
    snStyleRequest requests[CLI_MAX_REPEATED] = {{0}};
    uint32_t count = count_of(a, "style");
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < count && code == CLI_DONE; i++)
        code = read_request(context, cli_repeated(a, "style", i), &words[i], &requests[i]);
    if (code == CLI_DONE) code = wear(context, settings, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        sni_free(&context->memory, words[i].joint);
        sni_free(&context->memory, words[i].name);
    }
    return code;
}

// Was a skin asked for by name, as an option or through --set?
static bool names_skin(const cliArguments* a) {
    const char* pair = NULL;
    for (uint32_t i = 0; (pair = cli_repeated(a, "set", i)) != NULL; i++)
        if (strncmp(pair, "skin=", 5) == 0) return true;
    return cli_given(a, "skin");
}

cliExit deformation_splines(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    if (!cli_given(a, "style") && !cli_given(a, "stiffness")) return CLI_DONE;
    if (names_skin(a) && settings->skin != SN_SKIN_SPLINE)
        return cli_usage(a->verb, "--%s needs --skin spline, but another --skin is given",
                         cli_given(a, "style") ? "style" : "stiffness");
    settings->skin = SN_SKIN_SPLINE;
    cliExit code = change_stiffness(context, settings);
    return code == CLI_DONE ? change_styles(context, settings) : code;
}

// -------------------------------------------------------------------------------------------------- telling

// Adds a name to a list of some; after these, dots.
static void add_name(char* text, size_t capacity, uint32_t count, const char* name) {
    size_t length = strlen(text);
    if (count < 4)
        snprintf(text + length, capacity - length, "%s%s", count > 0 ? ", " : "", name);
    else if (count == 4)
        snprintf(text + length, capacity - length, " ...");
}

cliExit deformation_say_styles(cliContext* context, const snModel* model, const snCharacter* character) {
    const snSkeleton* skeleton = model->skeleton;
    snStyled* styled = SNI_NEW_ARRAY(&context->memory, snStyled, skeleton->joint_count);
    if (styled == NULL) return context_fail_memory(context);
    snError error = sn_error_none();
    char shown[512] = "", bare[512] = "";
    uint32_t shown_count = 0, bare_count = 0;
    snResult result = sn_character_styled(character, skeleton, &context->memory, styled, &error);
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        if (styled[j] == SN_STYLED_SHOWN) add_name(shown, sizeof shown, shown_count++, skeleton->names[j]);
        if (styled[j] == SN_STYLED_BARE) add_name(bare, sizeof bare, bare_count++, skeleton->names[j]);
    }
    sni_free(&context->memory, styled);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    if (shown_count > 0)
        context_say(context, "styles: at %u %s (%s)", shown_count, shown_count == 1 ? "joint" : "joints",
                    shown);
    if (bare_count > 0)
        context_say(context, "note: no limb to style at %u %s (%s)", bare_count,
                    bare_count == 1 ? "joint" : "joints", bare);
    return CLI_DONE;
}
