// sinew check: a character through its range of motion, or any clip, with a verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "verbs.h"

// ---------------------------------------------------------------------------------------------------- ways

// Name, skin, volume, flesh, and whether it needs a lattice: the parser and the help read the same list.
#define EACH_WAY(WAY)                                                                                        \
    WAY("linear", SN_SKIN_LINEAR, SN_VOLUME_NONE, false, false)                                              \
    WAY("dual", SN_SKIN_DUAL, SN_VOLUME_NONE, false, false)                                                  \
    WAY("spline", SN_SKIN_SPLINE, SN_VOLUME_NONE, false, false)                                              \
    WAY("lattice", SN_SKIN_LATTICE, SN_VOLUME_NONE, false, true)                                             \
    WAY("parts", SN_SKIN_DUAL, SN_VOLUME_PARTS, false, true)                                                 \
    WAY("exact", SN_SKIN_DUAL, SN_VOLUME_EXACT, false, false)                                                \
    WAY("parts+exact", SN_SKIN_DUAL, SN_VOLUME_PARTS_EXACT, false, true)                                     \
    WAY("flesh", SN_SKIN_DUAL, SN_VOLUME_PARTS, true, true)

#define WAY_ROW(name, skin, volume, flesh, lattice) {name, skin, volume, flesh, lattice},
#define WAY_NAME(name, skin, volume, flesh, lattice) " " name
static const struct {
    const char* name;
    snSkinMethod skin;
    snVolumeMethod volume;
    bool flesh;
    bool lattice;
} ways[] = {EACH_WAY(WAY_ROW)};
enum { WAYS = sizeof ways / sizeof ways[0] };
#define WAY_NAMES EACH_WAY(WAY_NAME)

static cliExit unknown_way(const checkJob* job, const char* name) {
    const char* words[WAYS];
    for (int i = 0; i < WAYS; i++) words[i] = ways[i].name;
    return cli_usage(job->context->arguments->verb, "--compare %s: there are" WAY_NAMES "%s", name,
                     cli_hint(name, words, WAYS).text);
}

static cliExit add_way(checkJob* job, const char* name, const snSettings* base) {
    int i = 0;
    while (i < WAYS && strcmp(ways[i].name, name) != 0) i++;
    if (i == WAYS) return unknown_way(job, name);
    if (job->way_count == CHECK_MAX_WAYS)
        return cli_usage(job->context->arguments->verb, "--compare: %d ways at most", CHECK_MAX_WAYS);
    if (ways[i].lattice) {
        cliExit code = deformation_lattice(job->context);
        if (code != CLI_DONE) return code;
    }
    checkWay* way = &job->ways[job->way_count];
    snError error = sn_error_none();
    if (sn_settings_copy(base, &job->context->memory, &way->settings, &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    job->way_count++;
    way->name = ways[i].name;
    way->settings->skin = ways[i].skin;
    way->settings->volume = ways[i].volume;
    way->settings->flesh = ways[i].flesh;
    return CLI_DONE;
}

// One way as the options have it, or those that --compare lists.
static cliExit choose_ways(checkJob* job) {
    snSettings* base = NULL;
    cliExit code = deformation_settings(job->context, &base);
    if (code != CLI_DONE) return code;
    const char* list = cli_text(job->context->arguments, "compare");
    if (list == NULL) {
        job->ways[job->way_count++] = (checkWay){.name = "", .settings = base};
        return CLI_DONE;
    }
    for (const char* at = list; code == CLI_DONE; at++) {
        char name[32];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), at);
        code = add_way(job, name, base);
        at += length;
        if (*at == '\0') break;
    }
    sn_settings_destroy(base);
    return code;
}

// All ways share the mesh: where one of them wants it finer, all get it.
static cliExit refine(checkJob* job) {
    for (uint32_t i = 0; i < job->way_count; i++) {
        snSettings* settings = job->ways[i].settings;
        if (settings->refine > 0 && sn_settings_keep_exactly(settings))
            return deformation_use(job->context, settings);
    }
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
        return cli_usage(verb, "--limit %s: percent from 0 on are expected, the warning below the failure",
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

// The range as a clip of the model, so that all that plays clips can play it.
static cliExit make_range(checkJob* job) {
    snError error = sn_error_none();
    snResult result = sn_range_create(job->model, &job->context->memory, &job->range, &error);
    if (result == SN_RESULT_OK) {
        const snClip* clip = job->range->clip;
        snClipDef def = sn_clip_def(clip);
        result = sn_document_add_clip(job->context->document, &def, &error);
        job->clip = job->model->clip_count - 1;
    }
    if (result == SN_RESULT_OK) return CLI_DONE;
    snprintf(error.file, sizeof error.file, "%s", job->title);
    return context_fail(job->context, &error);
}

static cliExit choose_motion(checkJob* job) {
    const cliArguments* a = job->context->arguments;
    cliExit code = CLI_DONE;
    if (job->source != NULL)
        code = motion_apply(job->context, job->source, &job->clip, &job->motion);
    else if (cli_given(a, "clip"))
        code = context_clip(job->context, job->model, &job->clip);
    else
        code = make_range(job);
    if (code == CLI_DONE && job->clip == SN_CLIP_REST) {
        fprintf(stderr, "%s: the model has no clip\n", job->title);
        return CLI_BAD_INPUT;
    }
    if (code != CLI_DONE) return code;
    job->fps = cli_number(a, "fps", 8);
    const snClip* clip = job->model->clips[job->clip];
    job->to = clip->duration;
    if (job->source == NULL) code = motion_range(job->context, clip, &job->from, &job->to);
    if (code != CLI_DONE) return code;
    uint32_t frames = 0;
    return context_frames(job->context, job->from, job->to, job->fps, true, &frames);
}

static cliExit save_range(checkJob* job) {
    const char* path = cli_text(job->context->arguments, "save-range");
    if (path == NULL) return CLI_DONE;
    snWriteDef def = sn_write_def();
    def.first_clip = job->clip;
    return context_write(job->context, path, &def, false);
}

// ------------------------------------------------------------------------------------------------------ run

typedef struct Progress {
    checkJob* job;
    const char* label;
} Progress;

static bool show_progress(void* user, const char* stage, float share) {
    const Progress* progress = user;
    (void)stage;
    context_progress(progress->job->context, progress->label, (uint32_t)(share * 1000.0f), 1000);
    return context_interrupted == 0;
}

static cliExit run_way(checkJob* job, checkWay* way) {
    Progress progress = {job, way->name[0] != '\0' ? way->name : "checking"};
    snCheckDef def = sn_check_def();
    def.model = job->model;
    def.settings = way->settings;
    def.clip = job->clip;
    def.from = job->from;
    def.to = job->to;
    def.fps = job->fps;
    def.limits = job->limits;
    def.near_only = job->range != NULL;
    def.progress = (snProgress){show_progress, &progress};
    def.tasks = job->context->tasks;
    def.level = job->context->level;
    snError error = sn_error_none();
    double start = context_clock();
    snResult result = sn_check_create(&def, &job->context->memory, &way->check, &error);
    context_progress(job->context, progress.label, 1, 1);
    way->seconds = context_clock() - start;
    if (result == SN_RESULT_OK) return CLI_DONE;
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", job->title);
    return context_fail(job->context, &error);
}

static cliExit tell(checkJob* job) {
    const char* html = cli_text(job->context->arguments, "html");
    cliExit code = CLI_DONE;
    if (html != NULL) code = check_write_html(job, html);
    if (code == CLI_DONE && job->context->json) code = check_print_json(job);
    if (code == CLI_DONE && !job->context->json) check_print_text(job);
    if (code == CLI_DONE && check_verdict(job) == SN_VERDICT_FAIL) code = CLI_CHECK_FAILED;
    return code;
}

static cliExit check(cliContext* context, const snSource* source, const cliBound* bound) {
    const snModel* model = context_model(context);
    checkJob job = {.context = context,
                    .model = model,
                    .source = source,
                    .bound = bound,
                    .title = context->arguments->operands[0],
                    .clip = SN_CLIP_REST};
    if (model->part_count == 0) {
        fprintf(stderr, "%s: there is no surface in this file, only a skeleton\n", job.title);
        return CLI_BAD_INPUT;
    }
    cliExit code = read_limits(&job);
    if (code == CLI_DONE) code = choose_ways(&job);
    if (code == CLI_DONE) code = refine(&job);
    if (code == CLI_DONE) code = choose_motion(&job);
    if (code == CLI_DONE) code = save_range(&job);
    for (uint32_t i = 0; i < job.way_count && code == CLI_DONE; i++) code = run_way(&job, &job.ways[i]);
    if (code == CLI_DONE) code = tell(&job);
    for (uint32_t i = 0; i < job.way_count; i++) {
        sn_check_destroy(job.ways[i].check);
        sn_settings_destroy(job.ways[i].settings);
    }
    sn_range_destroy(job.range);
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
        return cli_usage(a->verb, "--%s binds a mesh without a skeleton; sinew bind binds others anew", idle);
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
    if (idle != NULL) return cli_usage(arguments->verb, "--%s changes a MOTION, and none is given", idle);
    const char* html = cli_text(arguments, "html");
    if (html != NULL && !path_has_extension(html, ".html") && !path_has_extension(html, ".htm"))
        return cli_usage(arguments->verb, "--html %s: the name must end in .html", html);
    const char* save = cli_text(arguments, "save-range");
    bool ranged = arguments->operand_count < 2 && !cli_given(arguments, "clip");
    if (save != NULL && !ranged)
        return cli_usage(arguments->verb,
                         "--save-range writes the built-in range, and another motion is given");
    return context_run(arguments, SN_IMAGES_NONE, check_any);
}

static const cliOption options[] = {
    {"clip", 0, CLI_TEXT, "NAME", "a clip of the model, or of MOTION, instead of the range of motion", NULL,
     0, 0},
    CLI_DEFORM_OPTIONS,
    {"compare", 0, CLI_TEXT, "WAYS", "several ways side by side, with commas between them:" WAY_NAMES, NULL,
     0, 0},
    {"limit", 0, CLI_LIST, "NAME=PERCENT", "when a measure fails, or NAME=WARN:FAIL; may be repeated", NULL,
     0, 0},
    {"html", 0, CLI_FILE, "FILE", "write a report with plots and pictures into one file", NULL, 0, 0},
    {"save-range", 0, CLI_FILE, "FILE", "write the range of motion as .bvh, or into a copy as .glb", NULL, 0,
     0},
    {"fps", 0, CLI_NUMBER, "RATE", "frames a second that are measured (default 8)", NULL, 0.1f, CLI_MAX_FPS},
    CLI_STRETCH_OPTIONS,
    CLI_MOTION_OPTIONS,
    CLI_BIND_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew check hero.glb",
    "sinew check hero.glb dance.bvh --html report.html",
    "sinew check hero.glb --compare linear,dual,exact --html ways.html",
    "sinew check hero.glb --limit section=30 --limit crossing=10:25 --json",
    "sinew check builtin:body --save-range range.bvh",
    NULL};

const cliVerb verb_check = {
    .name = "check",
    .summary = "Put a character through its range of motion and say what breaks",
    .operands = "CHARACTER [MOTION]",
    .operand_min = 1,
    .operand_max = 2,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "Without a MOTION and --clip every joint is bent through its range, one after another.\n"
        "Measures: volume, joint-volume, section, stretch, flip, crossing, seam, bleed, dropped; each has a\n"
        "limit above which it warns and one above which it fails, in percent (docs/check.md).\n"
        "The exit code is 1 where a measure fails; with --compare, where one does in every way.",
    .run = run};
