// sinew settings: every setting with its meaning, or those that a file carries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "deformation.h"
#include "verbs.h"

static cliExit print_file(cliContext* context, const char* path) {
    FILE* file = fopen(path, "rb");
    char block[4096];
    size_t size = 0;
    while (file != NULL && (size = fread(block, 1, sizeof block, file)) > 0) fwrite(block, 1, size, stdout);
    bool whole = file != NULL && ferror(file) == 0 && fflush(stdout) == 0;
    if (file != NULL) fclose(file);
    if (whole) return CLI_DONE;
    snError error = sn_error_none();
    error.code = SN_RESULT_IO;
    snprintf(error.text, sizeof error.text, "the settings cannot be printed");
    return context_fail(context, &error);
}

// A preset where --profile names one; else the file's settings, or, where `settings` is NULL, the commented
// defaults.
static cliExit write_settings(cliContext* context, const snSettings* settings, const char* path) {
    snError error = sn_error_none();
    const snVolumeProfile* preset = sn_volume_preset_find(cli_text(context->arguments, "profile"));
    snResult result = preset != NULL     ? sn_volume_profile_write(preset, path, &error)
                      : settings != NULL ? sn_settings_write(settings, path, &error)
                                         : sn_settings_write_reference(path, &error);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit show(cliContext* context, const snSettings* settings) {
    const char* output = cli_text(context->arguments, "output");
    if (output != NULL) {
        cliExit code = write_settings(context, settings, output);
        if (code == CLI_DONE) context_say(context, "wrote %s", output);
        return code;
    }
    const char* folder = getenv("TMPDIR");
    char path[1024];
    snprintf(path, sizeof path, "%.900s/sinew-settings-XXXXXX", folder != NULL ? folder : "/tmp");
    int handle = mkstemp(path);
    if (handle < 0) {
        snError error = sn_error_none();
        error.code = SN_RESULT_IO;
        snprintf(error.text, sizeof error.text, "no file can be made in %.200s; -o FILE names another place",
                 folder != NULL ? folder : "/tmp");
        return context_fail(context, &error);
    }
    close(handle);
    cliExit code = write_settings(context, settings, path);
    if (code == CLI_DONE) code = print_file(context, path);
    unlink(path);
    return code;
}

static cliExit show_model(cliContext* context) {
    const snSettings* settings = context_model(context)->settings;
    if (settings != NULL) return show(context, settings);
    fprintf(stderr, "%s: the file carries no settings; sinew settings shows the defaults\n",
            context->arguments->operands[0]);
    return CLI_BAD_INPUT;
}

static cliExit run(const cliArguments* arguments) {
    if (arguments->operand_count > 0 && cli_given(arguments, "profile"))
        return cli_usage(arguments->verb, "--profile prints a preset, which is in no FILE");
    if (arguments->operand_count > 0) return context_run(arguments, SN_IMAGES_NONE, show_model);
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    code = show(&context, NULL);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT", "settings.json instead of printing", NULL, 0, 0},
    {"profile", 0, CLI_CHOICE, "NAME", "print a profile of exact volume instead, to start one's own from",
     CLI_PRESETS, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew settings",
                                       "sinew settings -o soft.json",
                                       "sinew settings hero.glb -o hero.json",
                                       "sinew settings --profile muscle -o calf.json",
                                       "sinew animate hero.glb --settings soft.json -o out.glb",
                                       NULL};

const cliVerb verb_settings = {.name = "settings",
                               .summary = "Show every setting with its meaning, or those that a file carries",
                               .operands = "[FILE]",
                               .operand_min = 0,
                               .operand_max = 1,
                               .options = options,
                               .common =
                                   CLI_QUIET | CLI_MEMORY | CLI_WORKERS | CLI_SIMD | CLI_UNIT | CLI_JSON,
                               .examples = examples,
                               .notes = "Without FILE: the defaults as JSON with comments, which --settings "
                                        "reads. A file may name only what it\n"
                                        "changes.",
                               .run = run};
