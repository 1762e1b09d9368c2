// sinew check: a character through its range of motion, or any clip, with a verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "verbs.h"

// ----------------------------------------------------------------------------------------------------
// methods

// What there is to compare, for the help; tests hold it equal to the library's list.
#define METHOD_NAMES " linear dual spline lattice parts exact parts+exact flesh"

static cliExit unknown_method(const checkJob* job, const char* name) {
    const char* words[32];
    uint32_t count = 0;
    for (; count < 32 && sn_deform_method(count) != NULL; count++)
        words[count] = sn_deform_method(count)->name;
    return cli_usage(job->context->arguments->verb, "--compare %s: there are" METHOD_NAMES "%s", name,
                     cli_hint(name, words, count).text);
}

// Those that --compare lists; none where it is not given.
static cliExit read_methods(const checkJob* job, const snDeformMethod** methods, uint32_t* count) {
    const char* list = cli_text(job->context->arguments, "compare");
    for (const char* at = list; at != NULL; at++) {
        char name[32];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), at);
        const snDeformMethod* method = sn_deform_method_find(name);
        if (method == NULL) return unknown_method(job, name);
        if (*count == SN_CHECKUP_MAX_METHODS)
            return cli_usage(job->context->arguments->verb, "--compare: %d methods at most",
                             SN_CHECKUP_MAX_METHODS);
        methods[(*count)++] = method;
        at += length;
        if (*at == '\0') break;
    }
    return CLI_DONE;
}

static cliExit prepare(checkJob* job) {
    cliContext* context = job->context;
    const snDeformMethod* methods[SN_CHECKUP_MAX_METHODS];
    snSettings* settings = NULL;
    snCheckupDef def = sn_checkup_def();
    snError error = sn_error_none();
    cliExit code = deformation_settings(context, &settings);
    if (code == CLI_DONE) code = read_methods(job, methods, &def.method_count);
    if (code == CLI_DONE) {
        def.settings = settings;
        def.methods = methods;
        def.fps = cli_number(context->arguments, "fps", def.fps);
        def.limits = job->limits;
        def.clock = context_clock;
        def.progress = context_listen(context);
        if (sn_checkup_create(context->document, &def, &job->checkup, &error) != SN_RESULT_OK)
            code = context_fail(context, &error);
    }
    sn_settings_destroy(settings);
    if (code != CLI_DONE) return code;
    if (job->checkup->lattice_made) deformation_say_lattice(context);
    if (job->checkup->refined) deformation_say_refined(context, job->checkup->vertices_before);
    return CLI_DONE;
}

// --------------------------------------------------------------------------------------------------- limits

// NAME=FAIL moves both limits, NAME=WARN:FAIL sets each.
static cliExit set_limit(const checkJob* job, const char* pair, snLimits* limits) {
    const cliVerb* verb = job->context->arguments->verb;
    char name[32];
    size_t length = strcspn(pair, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), pair);
    snMeasure measure = sn_measure_find(name);
    if (measure == SN_MEASURE_COUNT) {
        const char* words[SN_MEASURE_COUNT];
        for (int i = 0; i < SN_MEASURE_COUNT; i++) words[i] = sn_measure_info((snMeasure)i)->name;
        return cli_usage(verb, "--limit %s: there is no such measure%s", pair,
                         cli_hint(name, words, SN_MEASURE_COUNT).text);
    }
    if (pair[length] == '\0')
        return cli_usage(verb, "--limit %s: NAME=FAIL or NAME=WARN:FAIL is expected, in percent", pair);
    char* rest = NULL;
    float first = strtof(pair + length + 1, &rest), second = first;
    bool both = rest != pair + length + 1 && *rest == ':';
    if (both) {
        const char* text = rest + 1;
        second = strtof(text, &rest);
        if (rest == text) rest = "?";
    }
    const snMeasureInfo* info = sn_measure_info(measure);
    float warn = both ? first : second * (info->warn / info->fail);
    if (rest == pair + length + 1 || *rest != '\0' || !(warn >= 0.0f) || !(second >= warn) ||
        !sn_finite(second))
        return cli_usage(
            verb, "--limit %s: percentages of 0 or more are expected, the warning not above the failure",
            pair);
    limits->warn[measure] = 0.01f * warn;
    limits->fail[measure] = 0.01f * second;
    return CLI_DONE;
}

static cliExit read_limits(checkJob* job) {
    job->limits = sn_limits();
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; code == CLI_DONE && cli_repeated(job->context->arguments, "limit", i) != NULL; i++)
        code = set_limit(job, cli_repeated(job->context->arguments, "limit", i), &job->limits);
    return code;
}

// --------------------------------------------------------------------------------------------------- motion

// The range becomes a clip of the model, so that all that plays clips can play it.
static cliExit make_range(checkJob* job) {
    snError error = sn_error_none();
    if (sn_checkup_set_range(job->checkup, &error) == SN_RESULT_OK) return CLI_DONE;
    snprintf(error.file, sizeof error.file, "%s", job->title);
    return context_fail(job->context, &error);
}

static cliExit choose_motion(checkJob* job) {
    const cliArguments* a = job->context->arguments;
    snCheckup* checkup = job->checkup;
    cliExit code = CLI_DONE;
    uint32_t clip = SN_NONE;
    if (job->source != NULL)
        code = motion_apply(job->context, job->source, NULL, &clip, &job->motion);
    else if (cli_given(a, "clip"))
        code = context_clip(job->context, context_model(job->context), &clip);
    else
        code = make_range(job);
    if (code == CLI_DONE && clip == SN_CLIP_REST) {
        fprintf(stderr, "%s: the model has no clip\n", job->title);
        return CLI_BAD_INPUT;
    }
    if (code != CLI_DONE) return code;
    if (clip == SN_NONE) clip = checkup->clip;
    const snClip* chosen = context_model(job->context)->clips[clip];
    float from = 0.0f, to = chosen->duration;
    uint32_t frames = 0;
    // A foreign clip has been cut already.
    if (job->source == NULL) code = motion_range(job->context, chosen, &from, &to);
    if (code == CLI_DONE) code = context_frames(job->context, from, to, checkup->fps, true, &frames);
    if (code != CLI_DONE) return code;
    snError error = sn_error_none();
    if (sn_checkup_set_clip(checkup, clip, from, to, &error) == SN_RESULT_OK) return CLI_DONE;
    return context_fail(job->context, &error);
}

static cliExit save_range(checkJob* job) {
    const char* path = cli_text(job->context->arguments, "save-range");
    if (path == NULL) return CLI_DONE;
    snWriteDef def = sn_write_def();
    def.first_clip = job->checkup->clip;
    return context_write(job->context, path, &def, false);
}

// ------------------------------------------------------------------------------------------------------ run

static cliExit measure(checkJob* job) {
    snError error = sn_error_none();
    if (sn_checkup_run(job->checkup, &error) == SN_RESULT_OK) return CLI_DONE;
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", job->title);
    return context_fail(job->context, &error);
}

static cliExit tell(const checkJob* job) {
    const char* html = cli_text(job->context->arguments, "html");
    cliExit code = CLI_DONE;
    if (html != NULL) code = check_write_html(job, html);
    if (code == CLI_DONE && job->context->json) code = check_print_json(job);
    if (code == CLI_DONE && !job->context->json) check_print_text(job);
    if (code == CLI_DONE && check_verdict(job) == SN_VERDICT_FAIL) code = CLI_CHECK_FAILED;
    return code;
}

static cliExit check(cliContext* context, const snSource* source, const cliBound* bound) {
    checkJob job = {
        .context = context, .source = source, .bound = bound, .title = context->arguments->operands[0]};
    if (context_model(context)->part_count == 0) {
        fprintf(stderr, "%s: there is no surface in this file, only a skeleton\n", job.title);
        return CLI_BAD_INPUT;
    }
    cliExit code = read_limits(&job);
    if (code == CLI_DONE) code = prepare(&job);
    if (code == CLI_DONE) code = choose_motion(&job);
    if (code == CLI_DONE) code = save_range(&job);
    if (code == CLI_DONE) code = measure(&job);
    if (code == CLI_DONE) code = tell(&job);
    sn_checkup_destroy(job.checkup);
    motion_free(&job.motion);
    return code;
}

// A mesh without a skeleton takes that of the motion, as sinew animate does.
static cliExit check_any(cliContext* context) {
    const cliArguments* a = context->arguments;
    const char* motion_path = a->operand_count > 1 ? a->operands[1] : NULL;
    bool bare = context_model(context)->part_count > 0 && !sn_document_has_skeleton(context->document);
    const char* idle = bare ? NULL : binding_option_given(a);
    if (idle != NULL)
        return cli_usage(a->verb, "--%s is for a mesh without a skeleton; use sinew bind for others", idle);
    if (bare && motion_path == NULL) {
        fprintf(stderr, "%s: there is no skeleton in this file; a MOTION lends one, sinew bind another\n",
                a->operands[0]);
        return CLI_BAD_INPUT;
    }
    snSource* motion = NULL;
    cliBound bound = {0};
    cliExit code =
        motion_path != NULL ? context_source(context, motion_path, SN_IMAGES_NONE, &motion) : CLI_DONE;
    if (code == CLI_DONE && bare) code = binding_bare(context, motion, &bound);
    if (code == CLI_DONE) code = check(context, motion, bare ? &bound : NULL);
    binding_free(&bound);
    sn_source_close(motion);
    return code;
}

static cliExit run(const cliArguments* arguments) {
    cliExit code = binding_check(arguments);
    if (code != CLI_DONE) return code;
    const char* idle = arguments->operand_count < 2 ? motion_option_given(arguments) : NULL;
    if (idle != NULL) return cli_usage(arguments->verb, "--%s needs a MOTION, but none is given", idle);
    const char* html = cli_text(arguments, "html");
    if (html != NULL && !path_has_extension(html, ".html") && !path_has_extension(html, ".htm"))
        return cli_usage(arguments->verb, "--html %s: the name must end in .html", html);
    const char* save = cli_text(arguments, "save-range");
    bool ranged = arguments->operand_count < 2 && !cli_given(arguments, "clip");
    if (save != NULL && !ranged)
        return cli_usage(arguments->verb,
                         "--save-range writes the range of motion, but another motion is given");
    return context_run(arguments, SN_IMAGES_NONE, check_any);
}

static const cliOption options[] = {
    CLI_HEADING("What is measured"),
    {"clip", 0, CLI_TEXT, "NAME", "a clip of the model, or of MOTION, instead of the range of motion", NULL,
     0, 0},
    {"compare", 0, CLI_TEXT, "METHODS", "several methods side by side, separated by commas:" METHOD_NAMES,
     NULL, 0, 0},
    {"limit", 0, CLI_LIST, "NAME=PERCENT",
     "limit at which a measure fails, or NAME=WARN:FAIL; may be repeated", NULL, 0, 0},
    {"html", 0, CLI_FILE, "FILE", "write a report with plots and pictures into one file", NULL, 0, 0},
    {"save-range", 0, CLI_FILE, "FILE", "write the range of motion as .bvh, or into a copy as .glb", NULL, 0,
     0},
    {"fps", 0, CLI_NUMBER, "RATE", "frames per second that are measured (default 8)", NULL, 0.1f,
     CLI_MAX_FPS},
    CLI_STRETCH_OPTIONS,
    CLI_HEADING("How the surface deforms"),
    CLI_DEFORM_OPTIONS,
    CLI_HEADING("How a motion is retargeted to the character"),
    CLI_MOTION_OPTIONS,
    CLI_HEADING("A mesh without a skeleton"),
    CLI_BIND_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew check hero.glb",
    "sinew check hero.glb dance.bvh --html report.html",
    "sinew check hero.glb --compare linear,dual,exact --html methods.html",
    "sinew check hero.glb --limit section=30 --limit crossing=10:25 --json",
    "sinew check builtin:body --save-range range.bvh",
    NULL};

const cliVerb verb_check = {
    .name = "check",
    .summary = "Move a character through its range of motion and measure what breaks",
    .operands = "CHARACTER [MOTION]",
    .operand_min = 1,
    .operand_max = 2,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "Without MOTION and --clip, every joint is bent through its range, one after another.\n"
        "Measures: volume, joint-volume, section, stretch, flip, crossing, seam, bleed, dropped; each has a\n"
        "limit above which it warns and one above which it fails, in percent (docs/check.md).\n"
        "The exit code is 1 if a measure fails; with --compare, if every method has a measure that fails.",
    .run = run};
