// sinew settings: every setting with its meaning, or those that a file carries.
#include <stdio.h>

#include "deformation.h"
#include "verbs.h"

// A preset where --profile names one; else the file's settings, or, where `settings` is NULL, the commented
// defaults.
static snResult write_settings(const cliContext* context, const snSettings* settings, snBytes* out,
                               snError* error) {
    const snVolumeProfile* preset = sn_volume_preset_find(cli_text(context->arguments, "profile"));
    if (preset != NULL) return sn_volume_profile_write_memory(preset, &context->memory, out, error);
    return settings != NULL ? sn_settings_write_memory(settings, &context->memory, out, error)
                            : sn_settings_write_reference_memory(&context->memory, out, error);
}

static snResult print(const snBytes* bytes, snError* error) {
    if (fwrite(bytes->data, 1, bytes->size, stdout) == bytes->size && fflush(stdout) == 0)
        return SN_RESULT_OK;
    *error = sn_error_none();
    error->code = SN_RESULT_IO;
    snprintf(error->text, sizeof error->text, "the settings cannot be printed");
    return SN_RESULT_IO;
}

static cliExit show(cliContext* context, const snSettings* settings) {
    const char* output = cli_text(context->arguments, "output");
    snBytes bytes = {0};
    snError error = sn_error_none();
    snResult result = write_settings(context, settings, &bytes, &error);
    if (result == SN_RESULT_OK)
        result =
            output != NULL ? sn_file_write(output, bytes.data, bytes.size, &error) : print(&bytes, &error);
    sn_bytes_free(&bytes);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    if (output != NULL) context_say(context, "wrote %s", output);
    return CLI_DONE;
}

static cliExit show_model(cliContext* context) {
    // A project always has some; a model file only where they were written into it.
    const char* path = context->arguments->operands[0];
    const snSettings* settings = path_has_extension(path, ".snproject")
                                     ? sn_document_settings(context->document)
                                     : context_model(context)->settings;
    if (settings != NULL) return show(context, settings);
    fprintf(stderr, "%s: the file carries no settings; sinew settings shows the defaults\n", path);
    return CLI_BAD_INPUT;
}

static cliExit run(const cliArguments* arguments) {
    if (arguments->operand_count > 0 && cli_given(arguments, "profile"))
        return cli_usage(arguments->verb, "--profile prints a built-in preset; FILE is not possible");
    if (arguments->operand_count > 0) return context_run(arguments, SN_IMAGES_NONE, show_model);
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    code = show(&context, NULL);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT", "write settings.json instead of printing", NULL, 0, 0},
    {"profile", 0, CLI_CHOICE, "NAME", "print a profile of exact volume, as a start for your own",
     CLI_PRESETS, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew settings",
                                       "sinew settings -o soft.json",
                                       "sinew settings hero.glb -o hero.json",
                                       "sinew settings --profile muscle -o calf.json",
                                       "sinew animate hero.glb --settings soft.json -o out.glb",
                                       NULL};

const cliVerb verb_settings = {
    .name = "settings",
    .summary = "Print every setting with its meaning, or the settings stored in a file",
    .operands = "[FILE]",
    .operand_min = 0,
    .operand_max = 1,
    .options = options,
    .common = CLI_QUIET | CLI_MEMORY | CLI_WORKERS | CLI_SIMD | CLI_UNIT | CLI_JSON,
    .examples = examples,
    .notes = "Without FILE: the defaults as JSON with comments, which --settings "
             "reads. A file needs only the settings\n"
             "that it changes.",
    .run = run};
