#include "handled.h"

#include <stdio.h>
#include <string.h>

static const char* const names[] = {"rig",       "examples", "method", "iterations",
                                    "laplacian", "squared",  "band"};

const char* handled_option_given(const cliArguments* arguments) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (cli_given(arguments, names[i])) return names[i];
    return NULL;
}

// --------------------------------------------------------------------------------------------------- opening

static cliExit fail_about(const cliHandled* handled, const char* path, snError* error) {
    if (error->file[0] == '\0') snprintf(error->file, sizeof error->file, "%s", path);
    return context_fail(handled->context, error);
}

void handled_look(cliHandled* handled) {
    const snDocument* document = handled->context->document;
    handled->handles = sn_document_handles(document);
    handled->pose_count = sn_document_pose_count(document);
    handled->poses = sn_document_poses(document);
}

cliExit handled_open(cliHandled* handled, cliContext* context, const snModel* model) {
    const char* rig = cli_text(context->arguments, "rig");
    *handled = (cliHandled){.context = context, .model = model};
    snError error = sn_error_none();
    if (sn_document_mesh(context->document, &handled->mesh, &error) != SN_RESULT_OK)
        return fail_about(handled, context->arguments->operands[0], &error);
    if (sn_document_read_handles(context->document, rig, NULL, 0, NULL, &error) != SN_RESULT_OK ||
        sn_document_ground(context->document, &handled->ground, &error) != SN_RESULT_OK)
        return fail_about(handled, rig, &error);
    handled_look(handled);
    return CLI_DONE;
}

void handled_close(cliHandled* handled) {
    if (handled->context == NULL) return;
    sn_handle_poser_destroy(handled->poser);
    *handled = (cliHandled){0};
}

// ----------------------------------------------------------------------------------------------------- poses

cliExit handled_read_pose(cliHandled* handled, const char* path, uint32_t* out) {
    snNotes notes = {0};
    snError error = sn_error_none();
    if (sn_document_read_pose(handled->context->document, path, NULL, 0, out, &notes, &error) != SN_RESULT_OK)
        return fail_about(handled, path, &error);
    context_say_notes(handled->context, path, "note: ", &notes);
    handled_look(handled);
    return CLI_DONE;
}

cliExit handled_read_examples(cliHandled* handled) {
    const char* folder = cli_text(handled->context->arguments, "examples");
    snNameList files = {0};
    snError error = sn_error_none();
    if (sn_folder_list(folder, ".snpose", &handled->context->memory, &files, &error) != SN_RESULT_OK)
        return context_fail(handled->context, &error);
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < files.count && code == CLI_DONE; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", folder, files.names[i]);
        if (length > 0 && (size_t)length < sizeof path) code = handled_read_pose(handled, path, NULL);
    }
    if (code == CLI_DONE && files.count == 0) {
        fprintf(stderr, "%s: there is no example pose (.snpose) in this folder\n", folder);
        code = CLI_BAD_INPUT;
    }
    sn_name_list_free(&files);
    return code;
}

cliExit handled_find_handle(const cliArguments* arguments, const snHandles* handles, const char* option,
                            const char* name, uint32_t* out) {
    *out = sn_handles_find(handles, name);
    if (*out != SN_NONE) return CLI_DONE;
    const char* words[SN_HANDLES_MAX];
    for (uint32_t h = 0; h < handles->handle_count; h++) words[h] = handles->handles[h].name;
    cliHint hint = cli_hint(name, words, handles->handle_count);
    const char* help = hint.text[0] != '\0' ? hint.text : "; sinew rig --info RIG lists them";
    return cli_usage(arguments->verb, "--%s %s: there is no such handle%s", option, name, help);
}

// --------------------------------------------------------------------------------------------------- surface

static uint32_t choice_of(const cliArguments* a, const char* option, uint32_t fallback, uint32_t count,
                          const char* (*name)(uint32_t i)) {
    const char* text = cli_text(a, option);
    for (uint32_t i = 0; text != NULL && i < count; i++)
        if (strcmp(name(i), text) == 0) return i;
    return fallback;
}
static const char* laplacian_name(uint32_t i) { return sn_laplacian_name((snLaplacian)i); }
static const char* method_name(uint32_t i) { return sn_handle_method_name((snHandleMethod)i); }

cliExit handled_options(const cliContext* context, snPuppetDef* out) {
    const cliArguments* a = context->arguments;
    snPuppetDef def = sn_puppet_def();
    def.laplacian =
        (snLaplacian)choice_of(a, "laplacian", (uint32_t)def.laplacian, SN_LAPLACIAN_COUNT, laplacian_name);
    def.squared = cli_given(a, "squared");
    def.band = cli_whole(a, "band", def.band);
    def.memory_limit = context->budget.limit;
    def.method =
        (snHandleMethod)choice_of(a, "method", (uint32_t)def.method, SN_HANDLES_METHOD_COUNT, method_name);
    def.iterations = cli_whole(a, "iterations", 0);
    def.level = context->level;
    if (def.iterations > 0 && def.method != SN_HANDLES_RIGID)
        return cli_usage(a->verb, "--iterations is for --method rigid");
#ifdef SINEW_HAVE_SPARSE
    def.sparse = sn_sparse_cholmod();
#else
    fprintf(stderr, "sinew: this program was built without CHOLMOD, which posing by handles needs "
                    "(libsuitesparse-dev)\n");
    return CLI_BAD_INPUT;
#endif
    *out = def;
    return CLI_DONE;
}

cliExit handled_build(cliHandled* handled) {
    snPuppetDef def;
    snError error = sn_error_none();
    cliExit code = handled_options(handled->context, &def);
    if (code != CLI_DONE) return code;
    if (sn_handle_poser_create(handled->context->document, &def, &handled->poser, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return fail_about(handled, cli_text(handled->context->arguments, "rig"), &error);
}
