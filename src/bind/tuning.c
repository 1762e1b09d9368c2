// Numbers and rules from the environment; only in the build that measures what they are worth.
#include "bind/tuning.h"

#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "base/error.h"

static const char* const names[SNI_TUNE_COUNT] = {
#define SNI_TUNE_NAME(name) #name,
#define SNI_TUNE_RULE(name) "rule_" #name,
    SNI_TUNED_NAMES(SNI_TUNE_NAME) SNI_RULE_NAMES(SNI_TUNE_RULE)
#undef SNI_TUNE_NAME
#undef SNI_TUNE_RULE
};

static uint32_t find(const char* name, size_t length) {
    for (uint32_t i = 0; i < SNI_TUNE_COUNT; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) return i;
    }
    return SN_NONE;
}

snResult sni_tuning_parse(const char* text, sniTuning* out, snError* error) {
    sniTuning tuning = {0};
    while (*text != '\0') {
        size_t length = strcspn(text, "=,");
        uint32_t tune = find(text, length);
        if (tune == SN_NONE)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "SINEW_TUNE: there is no \"%.*s\"",
                            (int)length, text);
        const char* number = text + length + (text[length] == '=');
        char* end = NULL;
        double value = strtod(number, &end);
        if (text[length] != '=' || end == number || (*end != '\0' && *end != ',') || !(value - value == 0.0))
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "SINEW_TUNE: \"%s\" has no number",
                            names[tune]);
        tuning.set[tune] = true;
        tuning.values[tune] = value;
        text = *end == ',' ? end + 1 : end;
    }
    *out = tuning;
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------- environment

static once_flag once = ONCE_FLAG_INIT;
static sniTuning read;
static snResult read_result;
static snError read_error;

static void read_environment(void) {
    const char* text = getenv("SINEW_TUNE");
    if (text != NULL) read_result = sni_tuning_parse(text, &read, &read_error);
}

snResult sni_tuning_read(snError* error) {
    call_once(&once, read_environment);
    if (read_result != SN_RESULT_OK && error != NULL) *error = read_error;
    return read_result;
}

double sni_tuned(sniTune tune, double value) { return read.set[tune] ? read.values[tune] : value; }
