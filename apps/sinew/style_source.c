#include "style_source.h"

#include <string.h>
#include <unistd.h>

// Files have a dot or a slash in their name; a folder may have neither.
static bool is_path(const char* text) { return strpbrk(text, "./") != NULL || access(text, F_OK) == 0; }

cliExit style_open(const cliContext* context, const char* option, const char* text, snStyle** out) {
    snError error = sn_error_none();
    snResult result = sn_style_preset(text, &context->memory, out, &error);
    if (result == SN_RESULT_NOT_FOUND && is_path(text)) {
        error = sn_error_none();
        result = sn_style_read(text, &context->memory, out, &error);
    } else if (result == SN_RESULT_NOT_FOUND) {
        const char* words[32];
        uint32_t count = 0;
        for (; count < 32 && sn_style_preset_name(count) != NULL; count++)
            words[count] = sn_style_preset_name(count);
        return cli_usage(context->arguments->verb,
                         "%s%s: one of %s, a folder or a .snstyle file is expected%s", option, text,
                         CLI_STYLES, cli_hint(text, words, count).text);
    }
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}
