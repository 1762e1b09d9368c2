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

// Behind the rules that the settings have, so that the command line has the last word.
static cliExit change_stiffness(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    uint32_t old = settings->spline_rule_count, given = count_of(a, "stiffness"), count = old;
    if (given == 0) return CLI_DONE;
    snSplineRule* rules = SNI_NEW_ARRAY(&context->memory, snSplineRule, (size_t)old + given);
    if (rules == NULL) return context_fail_memory(context);
    if (old > 0) memcpy(rules, settings->spline_rules, old * sizeof *rules);
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < given && code == CLI_DONE; i++)
        code = add_stiffness(context, cli_repeated(a, "stiffness", i), settings, rules, &count);
    snError error = sn_error_none();
    if (code == CLI_DONE && sn_settings_set_spline_rules(settings, rules, count, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    for (uint32_t i = old; i < old + given; i++) sni_free(&context->memory, rules[i].joint);
    sni_free(&context->memory, rules);
    return code;
}

// -------------------------------------------------------------------------------------------------- styles

// The settings' styles and, behind them or in their place, those that the command line names.
typedef struct Styles {
    uint32_t count, opened_count;
    const snStyle* styles[SN_SETTINGS_MAX_STYLES];
    const char* sources[SN_SETTINGS_MAX_STYLES]; // what the command line calls it; NULL: from the settings
    snStyle* opened[CLI_MAX_REPEATED];           // to be freed
} Styles;

static uint32_t find_named(const Styles* list, const char* name) {
    uint32_t i = 0;
    while (i < list->count && strcmp(list->styles[i]->name, name) != 0) i++;
    return i;
}

// What the words mean: a style that they meant before, one that the character carries, else one that ships or
// a file. A file takes the place of a style of its name that the character carries, and may be newer.
static cliExit choose(cliContext* context, Styles* list, const char* text, uint32_t* out) {
    for (uint32_t i = 0; i < list->count; i++) {
        const char* known = list->sources[i] != NULL ? list->sources[i] : list->styles[i]->name;
        if (strcmp(known, text) != 0) continue;
        *out = i;
        return CLI_DONE;
    }
    snStyle* style = NULL;
    cliExit code = style_open(context, "--style ", text, &style);
    if (code != CLI_DONE) return code;
    list->opened[list->opened_count++] = style;
    uint32_t at = find_named(list, style->name);
    if (at < list->count && list->sources[at] != NULL)
        return cli_usage(context->arguments->verb, "--style %s: %s is called %s too; one needs another name",
                         text, list->sources[at], style->name);
    if (at == SN_SETTINGS_MAX_STYLES)
        return cli_usage(context->arguments->verb, "--style %s: %u styles at most", text,
                         SN_SETTINGS_MAX_STYLES);
    if (at == list->count) list->count++;
    list->styles[at] = style;
    list->sources[at] = text;
    *out = at;
    return CLI_DONE;
}

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
typedef struct Wish {
    char* joint;
    char* name;
    float strength;
    uint32_t style; // of the settings', once they are there; SN_NONE: none
} Wish;

static cliExit read_wish(cliContext* context, const char* text, Wish* wish) {
    const char* rest = NULL;
    wish->style = SN_NONE;
    cliExit code = split(context, "style", "STYLE[:STRENGTH]", text, &wish->joint, &rest);
    if (code != CLI_DONE) return code;
    wish->name = sni_copy_text(&context->memory, rest);
    return wish->name != NULL ? cut_strength(context, text, wish->name, &wish->strength)
                              : context_fail_memory(context);
}

// All styles that are wished for, beside those that the settings have; each wish learns which is its own.
static cliExit add_styles(cliContext* context, snSettings* settings, Wish* wishes, uint32_t wish_count) {
    Styles list = {.count = settings->style_count};
    for (uint32_t i = 0; i < list.count; i++) list.styles[i] = settings->styles[i];
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < wish_count && code == CLI_DONE; i++) {
        if (strcmp(wishes[i].name, NO_STYLE) != 0)
            code = choose(context, &list, wishes[i].name, &wishes[i].style);
    }
    snError error = sn_error_none();
    if (code == CLI_DONE && sn_settings_set_styles(settings, list.styles, list.count, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    for (uint32_t i = 0; i < list.opened_count; i++) sn_style_destroy(list.opened[i]);
    return code;
}

// Behind the rules that the settings have, so that the command line has the last word.
static cliExit add_rules(cliContext* context, snSettings* settings, const Wish* wishes, uint32_t wish_count) {
    static char none[] = "";
    uint32_t old = settings->style_rule_count;
    snStyleRule* rules = SNI_NEW_ARRAY(&context->memory, snStyleRule, (size_t)old + wish_count);
    if (rules == NULL) return context_fail_memory(context);
    if (old > 0) memcpy(rules, settings->style_rules, old * sizeof *rules);
    for (uint32_t i = 0; i < wish_count; i++) {
        char* style = wishes[i].style != SN_NONE ? settings->styles[wishes[i].style]->name : none;
        rules[old + i] = (snStyleRule){wishes[i].joint, style, wishes[i].strength};
    }
    snError error = sn_error_none();
    snResult result = sn_settings_set_style_rules(settings, rules, old + wish_count, &error);
    sni_free(&context->memory, rules);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit change_styles(cliContext* context, snSettings* settings) {
    const cliArguments* a = context->arguments;
    Wish wishes[CLI_MAX_REPEATED] = {{0}};
    uint32_t count = count_of(a, "style");
    if (count == 0) return CLI_DONE;
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < count && code == CLI_DONE; i++)
        code = read_wish(context, cli_repeated(a, "style", i), &wishes[i]);
    if (code == CLI_DONE) code = add_styles(context, settings, wishes, count);
    if (code == CLI_DONE) code = add_rules(context, settings, wishes, count);
    for (uint32_t i = 0; i < count; i++) {
        sni_free(&context->memory, wishes[i].joint);
        sni_free(&context->memory, wishes[i].name);
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
        return cli_usage(a->verb, "--%s is for --skin spline, and another skin was asked for",
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
    const snSplines* splines = sn_character_splines(character);
    const snSkeleton* skeleton = model->skeleton;
    if (splines == NULL || sn_character_settings(character)->style_rule_count == 0) return CLI_DONE;
    snStyleChoice* choices = SNI_NEW_ARRAY(&context->memory, snStyleChoice, skeleton->joint_count);
    if (choices == NULL) return context_fail_memory(context);
    snError error = sn_error_none();
    char shown[512] = "", bare[512] = "";
    uint32_t shown_count = 0, bare_count = 0;
    snResult result = sn_settings_resolve_styles(sn_character_settings(character), skeleton, &context->memory,
                                                 choices, &error);
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        if (choices[j].style == NULL) continue;
        uint32_t spline = sn_splines_of_joint(splines, j);
        bool limb = spline != SN_NONE && !sn_splines_get(splines, spline).pivot;
        add_name(limb ? shown : bare, sizeof shown, limb ? shown_count++ : bare_count++, skeleton->names[j]);
    }
    sni_free(&context->memory, choices);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    if (shown_count > 0)
        context_say(context, "styles: at %u %s (%s)", shown_count, shown_count == 1 ? "joint" : "joints",
                    shown);
    if (bare_count > 0)
        context_say(context, "note: no limb to style at %u %s (%s)", bare_count,
                    bare_count == 1 ? "joint" : "joints", bare);
    return CLI_DONE;
}
