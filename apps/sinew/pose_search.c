// The search of `sinew pose`: targets, the objective, and what was found.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pose.h"

const char* pose_search_option_given(const cliArguments* arguments) {
    static const char* const names[] = {"target", "anchor", "search", "objective", "order", "trace"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (cli_given(arguments, names[i])) return names[i];
    return NULL;
}

// -------------------------------------------------------------------------------------------------- options

static bool parse_numbers(const char* text, float out[3]) {
    for (int i = 0; i < 3; i++) {
        char* end = NULL;
        errno = 0;
        out[i] = strtof(text, &end);
        if (end == text || errno != 0 || !sn_finite(out[i]) || *end != (i < 2 ? ',' : '\0')) return false;
        text = end + 1;
    }
    return true;
}

static cliExit read_target(poseJob* job, const char* text) {
    const char* equals = strrchr(text, '=');
    char name[256];
    float place[3];
    if (equals == NULL || equals - text >= (ptrdiff_t)sizeof name || !parse_numbers(equals + 1, place))
        return cli_usage(job->context->arguments->verb, "--target %s: HANDLE=X,Y,Z is expected", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    uint32_t handle = SN_NONE;
    cliExit code =
        handled_find_handle(job->context->arguments, job->handled.handles, "target", name, &handle);
    if (code != CLI_DONE) return code;
    const snHandles* handles = job->handled.handles;
    snPoseTarget target = {handle, handles->handles[handle].position, sn_vec3(place[0], place[1], place[2]),
                           1.0f};
    snError error = sn_error_none();
    if (sn_pose_target_validate(&target, handles, &error) != SN_RESULT_OK)
        return cli_usage(job->context->arguments->verb, "--target %s: %s", text, error.text);
    for (uint32_t t = 0; t < job->target_count; t++)
        if (job->targets[t].handle == handle)
            return cli_usage(job->context->arguments->verb,
                             "--target %s: the handle already has a target, expected one for each handle",
                             text);
    job->targets[job->target_count++] = target;
    return CLI_DONE;
}

// What may be asked for; the threshold of what is in use is for path files.
static float* term_of(snObjective* objective, const char* name, size_t length) {
    char word[16];
    if (length >= sizeof word) return NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    return strcmp(word, "threshold") != 0 ? sn_objective_term(objective, word) : NULL;
}

// "one=0.2,examples=0.3"
static cliExit read_objective(const poseJob* job, snObjective* objective) {
    const char* text = cli_text(job->context->arguments, "objective");
    for (const char* at = text; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "=,");
        float* term = at[length] == '=' ? term_of(objective, at, length) : NULL;
        char* end = NULL;
        float value = term != NULL ? strtof(at + length + 1, &end) : 0.0f;
        bool right = term != NULL && end != at + length + 1 && (*end == ',' || *end == '\0') &&
                     value >= 0.0f && sn_finite(value) && (term != &objective->radius || value >= 1e-6f);
        if (!right)
            return cli_usage(job->context->arguments->verb,
                             "--objective %s: TERM=K,... is expected, of target, in_use, last, weights, one, "
                             "spread, examples and radius",
                             text);
        *term = value;
        at = *end == ',' ? end + 1 : end;
    }
    return CLI_DONE;
}

static cliExit read_anchor(const poseJob* job, uint32_t* out) {
    const char* name = cli_text(job->context->arguments, "anchor");
    uint32_t handle = SN_NONE;
    *out = SN_NONE;
    if (name == NULL) return CLI_DONE;
    cliExit code =
        handled_find_handle(job->context->arguments, job->handled.handles, "anchor", name, &handle);
    if (code != CLI_DONE) return code;
    for (uint32_t t = 0; t < job->target_count && *out == SN_NONE; t++)
        if (job->targets[t].handle == handle) *out = t;
    if (*out != SN_NONE) return CLI_DONE;
    return cli_usage(job->context->arguments->verb, "--anchor %s: it has no --target", name);
}

static void read_choices(const poseJob* job, snPoseFindDef* search) {
    const char* name = cli_text(job->context->arguments, "search");
    const char* order = cli_text(job->context->arguments, "order");
    for (uint32_t i = 0; name != NULL && i < SN_SEARCH_COUNT; i++)
        if (strcmp(sn_search_name((snSearch)i), name) == 0) search->search = (snSearch)i;
    for (uint32_t i = 0; order != NULL && i < SN_POSE_ORDER_COUNT; i++)
        if (strcmp(sn_pose_order_name((snPoseOrder)i), order) == 0) search->order = (snPoseOrder)i;
}

// --------------------------------------------------------------------------------------------------- search

static snResult search(poseJob* job, const snPoseFindDef* def, const char* path, snError* error) {
    if (path == NULL) return sn_document_search_pose(job->context->document, def, &job->blend, error);
    snPoseTrace trace = {0};
    snResult result = sn_document_trace_pose(job->context->document, def, &job->blend, &trace, error);
    if (result == SN_RESULT_OK) result = pose_trace_write(job, &trace, path, error);
    sn_pose_trace_free(&trace);
    return result;
}

cliExit pose_search(poseJob* job) {
    const cliArguments* a = job->context->arguments;
    cliExit code = CLI_DONE;
    const char* text = NULL;
    for (uint32_t i = 0; code == CLI_DONE && (text = cli_repeated(a, "target", i)) != NULL; i++)
        code = read_target(job, text);
    if (code != CLI_DONE) return code;
    snPoseFindDef def = sn_pose_find_def();
    def.target_count = job->target_count;
    def.targets = job->targets;
    def.clock = context_clock;
    read_choices(job, &def);
    code = read_objective(job, &def.objective);
    if (code == CLI_DONE) code = read_anchor(job, &def.anchor);
    if (code != CLI_DONE) return code;
    job->search = def.search;
    snError error = sn_error_none();
    snResult result = search(job, &def, cli_text(a, "trace"), &error);
    if (result == SN_RESULT_UNSUPPORTED)
        return cli_usage(a->verb, "--search grid is for 4 examples at most, not %u", job->handled.pose_count);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(job->context, &error);
}
