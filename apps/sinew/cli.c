#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/likeness.h"
#include "io/number.h"

static const struct {
    uint32_t bit;
    cliOption option;
} shared[] = {
    {CLI_JSON, {"json", 0, CLI_FLAG, NULL, "print the result as JSON on stdout", NULL, 0, 0}},
    {CLI_QUIET, {"quiet", 'q', CLI_FLAG, NULL, "no notes and no progress on stderr", NULL, 0, 0}},
    {CLI_WORKERS,
     {"workers", 0, CLI_WHOLE, "N",
      "threads, 1 to 256; the result is the same for any number (default: one per core)", NULL, 1, 256}},
    {CLI_MEMORY,
     {"memory", 0, CLI_BYTES, "SIZE", "refuse input that needs more, such as 512M or 4G (default 2G)", NULL,
      0, 0}},
    {CLI_MEMORY,
     {"time-limit", 0, CLI_NUMBER, "SECONDS", "stop after this time, with exit code 4 (default: none)", NULL,
      0.01f, 1e6f}},
    {CLI_MEMORY,
     {"formats", 0, CLI_TEXT, "LIST",
      "accept only these formats, such as glb,gltf; - is read as the first (default: all)", NULL, 0, 0}},
    {CLI_MEMORY,
     {"limits", 0, CLI_TEXT, "LIST", "largest counts in a file (default joints=65536,clips=4096,parts=65536)",
      NULL, 0, 0}},
    {CLI_MEMORY,
     {"reads", 0, CLI_FILE, "FILE", "write a list of the files that were read, one per line", NULL, 0, 0}},
    {CLI_SIMD,
     {"simd", 0, CLI_CHOICE, "LEVEL", "instruction set; the result is the same for all",
      "auto|scalar|sse2|avx2|avx512|neon", 0, 0}},
    {CLI_UNIT,
     {"unit", 0, CLI_NUMBER, "METRES", "length of one unit of the file (default 1)", NULL, 1e-12f, 0}},
};
static const cliOption help_option = {"help", 'h', CLI_FLAG, NULL, "this text", NULL, 0, 0};

const cliOption* cli_option_at(const cliVerb* verb, uint32_t i) {
    uint32_t n = 0;
    for (const cliOption* o = verb->options; o != NULL && o->name != NULL; o++)
        if (o->kind != CLI_TITLE && n++ == i) return o;
    for (size_t k = 0; k < sizeof shared / sizeof shared[0]; k++)
        if ((verb->common & shared[k].bit) != 0 && n++ == i) return &shared[k].option;
    return n == i ? &help_option : NULL;
}

const char* cli_heading_at(const cliVerb* verb, uint32_t i) {
    uint32_t n = 0;
    bool headed = false;
    for (const cliOption* o = verb->options; o != NULL && o->name != NULL; o++) {
        if (o->kind == CLI_TITLE) {
            headed = true;
            continue;
        }
        if (n++ == i)
            return o > verb->options && o[-1].kind == CLI_TITLE ? o[-1].name : i == 0 ? "Options" : NULL;
    }
    if (i == 0) return "Options";
    return headed && n == i ? "Common to all verbs" : NULL;
}

cliExit cli_usage(const cliVerb* verb, const char* format, ...) {
    fprintf(stderr, "sinew%s%s: ", verb != NULL ? " " : "", verb != NULL ? verb->name : "");
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry: sinew %s%s--help\n", verb != NULL ? verb->name : "", verb != NULL ? " " : "");
    return CLI_USAGE;
}

// ------------------------------------------------------------------------------------------- suggestions

const char* cli_nearest(const char* text, const char* const* words, uint32_t count) {
    const char* best = NULL;
    uint32_t least = (uint32_t)strlen(text) / 3 + 2; // further away is no likeness
    for (uint32_t i = 0; i < count; i++) {
        uint32_t distance = sni_edit_distance(text, words[i]);
        if (distance >= least) continue;
        least = distance;
        best = words[i];
    }
    return best;
}

cliHint cli_hint(const char* text, const char* const* words, uint32_t count) {
    cliHint hint = {""};
    const char* nearest = cli_nearest(text, words, count);
    if (nearest != NULL) snprintf(hint.text, sizeof hint.text, "; did you mean %.60s?", nearest);
    return hint;
}

// ------------------------------------------------------------------------------------------------ values

static bool parse_number(const char* text, double* out) {
    char* end = NULL;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !isfinite(value)) return false;
    *out = value;
    return true;
}

static bool is_choice(const char* choices, const char* text) {
    size_t length = strlen(text);
    for (const char* at = choices; length > 0; at++) {
        size_t word = strcspn(at, "|");
        if (word == length && memcmp(at, text, length) == 0) return true;
        at += word;
        if (*at == '\0') break;
    }
    return false;
}

static double highest(const cliOption* o) {
    if (o->high > 0) return (double)o->high;
    return o->kind == CLI_WHOLE ? 1e6 : 1e30;
}

static bool check_value(const cliVerb* verb, const cliOption* o, const char* text) {
    double number = 0;
    uint64_t bytes = 0;
    switch (o->kind) {
    case CLI_NUMBER:
    case CLI_WHOLE:
        if (parse_number(text, &number) && number >= (double)o->low && number <= highest(o) &&
            (o->kind == CLI_NUMBER || number == floor(number)))
            return true;
        cli_usage(verb, "--%s %s: a %snumber from %.7g to %.7g is expected", o->name, text,
                  o->kind == CLI_WHOLE ? "whole " : "", (double)o->low, highest(o));
        return false;
    case CLI_BYTES:
        if (sni_parse_bytes(text, &bytes)) return true;
        cli_usage(verb, "--%s %s: a size such as 512M or 2G is expected", o->name, text);
        return false;
    case CLI_CHOICE:
        if (is_choice(o->choices, text)) return true;
        cli_usage(verb, "--%s %s: one of %s is expected", o->name, text, o->choices);
        return false;
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_FILE:
    case CLI_LIST:
        if (text[0] != '\0') return true;
        cli_usage(verb, "--%s: the value is empty", o->name);
        return false;
    case CLI_TITLE:
        break;
    }
    return false;
}

static uint32_t find_option(const cliVerb* verb, const char* name, size_t length, char letter) {
    for (uint32_t i = 0;; i++) {
        const cliOption* o = cli_option_at(verb, i);
        if (o == NULL) return UINT32_MAX;
        bool same = name != NULL ? strlen(o->name) == length && memcmp(o->name, name, length) == 0
                                 : o->letter != 0 && o->letter == letter;
        if (same) return i;
    }
}

static const char* value_of(const cliArguments* arguments, const char* name) {
    uint32_t i = find_option(arguments->verb, name, strlen(name), 0);
    return i < CLI_MAX_OPTIONS ? arguments->values[i] : NULL;
}

bool cli_has(const cliVerb* verb, const char* name) {
    return find_option(verb, name, strlen(name), 0) != UINT32_MAX;
}

const char* cli_text(const cliArguments* arguments, const char* name) { return value_of(arguments, name); }
bool cli_given(const cliArguments* arguments, const char* name) { return value_of(arguments, name) != NULL; }

const char* cli_repeated(const cliArguments* arguments, const char* name, uint32_t i) {
    for (uint32_t r = 0; r < arguments->repeated_count; r++) {
        if (strcmp(arguments->repeated[r].option->name, name) == 0 && i-- == 0)
            return arguments->repeated[r].text;
    }
    return NULL;
}

float cli_number(const cliArguments* arguments, const char* name, float fallback) {
    const char* text = value_of(arguments, name);
    return text != NULL ? strtof(text, NULL) : fallback;
}

uint32_t cli_whole(const cliArguments* arguments, const char* name, uint32_t fallback) {
    const char* text = value_of(arguments, name);
    return text != NULL ? (uint32_t)strtod(text, NULL) : fallback;
}

size_t cli_bytes(const cliArguments* arguments, const char* name, size_t fallback) {
    const char* text = value_of(arguments, name);
    uint64_t bytes = fallback;
    if (text != NULL) sni_parse_bytes(text, &bytes);
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

// ----------------------------------------------------------------------------------------------- parsing

static void unknown_option(const cliVerb* verb, const char* argument, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argument);
    const char* words[CLI_MAX_OPTIONS];
    uint32_t count = 0;
    for (const cliOption* o; count < CLI_MAX_OPTIONS && (o = cli_option_at(verb, count)) != NULL; count++)
        words[count] = o->name;
    const char* nearest = cli_nearest(name, words, count);
    if (nearest != NULL) {
        cli_usage(verb, "unknown option --%s; did you mean --%s?", name, nearest);
    } else {
        cli_usage(verb, "unknown option --%s", name);
    }
}

// Reads the option at argv[*i], moving on over a separate value.
static bool parse_option(const cliVerb* verb, int argc, char** argv, int* i, cliArguments* out) {
    const char* argument = argv[*i];
    bool is_long = argument[1] == '-';
    const char* name = argument + 2;
    const char* equals = is_long ? strchr(name, '=') : NULL;
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    uint32_t index = is_long ? find_option(verb, name, length, 0)
                             : (argument[2] == '\0' ? find_option(verb, NULL, 0, argument[1]) : UINT32_MAX);
    if (index >= CLI_MAX_OPTIONS) {
        if (is_long) {
            unknown_option(verb, name, length);
        } else {
            cli_usage(verb, "unknown option %s", argument);
        }
        return false;
    }
    const cliOption* o = cli_option_at(verb, index);
    if (o->kind == CLI_FLAG) {
        if (equals != NULL) {
            cli_usage(verb, "--%s takes no value", o->name);
            return false;
        }
        out->values[index] = "";
        // A flag may be followed by one of its words.
        if (o->choices != NULL && *i + 1 < argc && is_choice(o->choices, argv[*i + 1]))
            out->values[index] = argv[++*i];
        return true;
    }
    const char* value = equals != NULL ? equals + 1 : (*i + 1 < argc ? argv[++*i] : NULL);
    if (value == NULL) {
        cli_usage(verb, "--%s needs a value (%s)", o->name, o->value);
        return false;
    }
    out->values[index] = value;
    if (o->kind == CLI_LIST) {
        if (out->repeated_count == CLI_MAX_REPEATED) {
            cli_usage(verb, "--%s: more than %d values", o->name, CLI_MAX_REPEATED);
            return false;
        }
        out->repeated[out->repeated_count].option = o;
        out->repeated[out->repeated_count++].text = value;
    }
    return check_value(verb, o, value);
}

bool cli_parse(const cliVerb* verb, int argc, char** argv, cliArguments* out) {
    *out = (cliArguments){.verb = verb};
    bool options_over = false;
    for (int i = 0; i < argc; i++) {
        const char* argument = argv[i];
        if (!options_over && strcmp(argument, "--") == 0) {
            options_over = true;
        } else if (!options_over && argument[0] == '-' && argument[1] != '\0') {
            if (!parse_option(verb, argc, argv, &i, out)) return false;
        } else if (out->operand_count < verb->operand_max) {
            out->operands[out->operand_count++] = argument;
        } else {
            cli_usage(verb, "unexpected operand: %s", argument);
            return false;
        }
    }
    if (cli_given(out, "help") || out->operand_count >= verb->operand_min) return true;
    cli_usage(verb, "%s is missing", verb->operands);
    return false;
}
