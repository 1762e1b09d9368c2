#include "style_source.h"

#include <string.h>
#include <unistd.h>

// Files have a dot or a slash in their name; a folder may have neither.
static bool is_path(const char* text) { return strpbrk(text, "./") != NULL || access(text, F_OK) == 0; }

snResult style_find(const cliContext* context, const char* text, snStyle** out, snError* error) {
    snResult result = sn_style_preset(text, &context->memory, out, error);
    if (result != SN_RESULT_NOT_FOUND || !is_path(text)) return result;
    *error = sn_error_none();
    return sn_style_read(text, &context->memory, out, error);
}

cliExit style_open(const cliContext* context, const char* option, const char* text, snStyle** out) {
    snError error = sn_error_none();
    if (style_find(context, text, out, &error) == SN_RESULT_OK) return CLI_DONE;
    if (error.code != SN_RESULT_NOT_FOUND || is_path(text)) return context_fail(context, &error);
    const char* words[32];
    uint32_t count = 0;
    for (; count < 32 && sn_style_preset_name(count) != NULL; count++)
        words[count] = sn_style_preset_name(count);
    return cli_usage(context->arguments->verb, "%s%s: one of %s, a folder or a .snstyle file is expected%s",
                     option, text, CLI_STYLES, cli_hint(text, words, count).text);
}
