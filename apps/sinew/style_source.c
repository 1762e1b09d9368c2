#include "style_source.h"

cliExit style_open(const cliContext* context, const char* option, const char* text, snStyle** out) {
    snError error = sn_error_none();
    if (sn_style_open(text, &context->memory, out, &error) == SN_RESULT_OK) return CLI_DONE;
    return style_fail(context, option, text, &error);
}

cliExit style_fail(const cliContext* context, const char* option, const char* text, const snError* error) {
    if (error->code != SN_RESULT_NOT_FOUND || error->file[0] != '\0') return context_fail(context, error);
    const char* words[32];
    uint32_t count = 0;
    for (; count < 32 && sn_style_preset_name(count) != NULL; count++)
        words[count] = sn_style_preset_name(count);
    return cli_usage(context->arguments->verb, "%s%s: one of %s, a folder or a .snstyle file is expected%s",
                     option, text, CLI_STYLES, cli_hint(text, words, count).text);
}
