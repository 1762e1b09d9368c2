// Manual pages, made from the tables that the help is made from.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/bytes.h"
#include "sinew/io.h"
#include "verbs.h"

// Text of a page: what roff would read as a request or an escape is none.
static void add_text(sniBytes* out, const char* text) {
    bool begin = true;
    for (; *text != '\0'; text++) {
        if (begin && (*text == '.' || *text == '\'')) sni_bytes_text(out, "\\&");
        if (*text == '\\')
            sni_bytes_text(out, "\\e");
        else if (*text == '-')
            sni_bytes_text(out, "\\-");
        else
            sni_bytes_add(out, text, 1);
        begin = *text == '\n';
    }
}

static void add_section(sniBytes* out, const char* title) {
    sni_bytes_text(out, ".SH ");
    for (; *title != '\0'; title++) {
        char letter = (char)toupper((unsigned char)*title);
        sni_bytes_add(out, &letter, 1);
    }
    sni_bytes_text(out, "\n");
}

static void add_block(sniBytes* out, const char* text) {
    sni_bytes_text(out, ".nf\n");
    add_text(out, text);
    sni_bytes_text(out, "\n.fi\n");
}

static void add_head(sniBytes* out, const char* name, const char* summary) {
    sni_bytes_format(out, ".TH %s 1 \"\" \"Sinew %s\"\n", name, SN_VERSION_STRING);
    add_section(out, "name");
    add_text(out, name);
    sni_bytes_text(out, " \\- ");
    add_text(out, summary);
    sni_bytes_text(out, "\n");
}

static void add_option(sniBytes* out, const cliOption* o) {
    sni_bytes_text(out, ".TP\n.B ");
    if (o->letter != 0) sni_bytes_format(out, "\\-%c, ", o->letter);
    sni_bytes_text(out, "\\-\\-");
    add_text(out, o->name);
    if (o->value != NULL) {
        sni_bytes_text(out, " ");
        add_text(out, o->value);
    }
    sni_bytes_text(out, "\n");
    add_text(out, o->help);
    if (o->kind == CLI_CHOICE) {
        sni_bytes_text(out, ": ");
        add_text(out, o->choices);
    }
    sni_bytes_text(out, "\n");
}

static void add_verb(sniBytes* out, const cliVerb* verb) {
    char name[64];
    snprintf(name, sizeof name, "sinew-%s", verb->name);
    add_head(out, name, verb->summary);
    add_section(out, "synopsis");
    sni_bytes_format(out, ".B sinew %s\n", verb->name);
    add_text(out, verb->operands);
    sni_bytes_text(out, " [options]\n");
    for (uint32_t i = 0; cli_option_at(verb, i) != NULL; i++) {
        const char* heading = cli_heading_at(verb, i);
        if (heading != NULL) add_section(out, heading);
        add_option(out, cli_option_at(verb, i));
    }
    if (verb->notes != NULL) {
        add_section(out, "notes");
        add_block(out, verb->notes);
    }
    if (verb->examples == NULL) return;
    add_section(out, "examples");
    sni_bytes_text(out, ".nf\n");
    for (const char* const* e = verb->examples; *e != NULL; e++) {
        add_text(out, *e);
        sni_bytes_text(out, "\n");
    }
    sni_bytes_text(out, ".fi\n");
}

static void add_program(sniBytes* out) {
    add_head(out, "sinew", "skin that moves like flesh");
    add_section(out, "synopsis");
    sni_bytes_text(out, ".B sinew\nVERB [operands] [options]\n");
    add_section(out, "verbs");
    for (const cliVerb* const* v = cli_verbs; *v != NULL; v++) {
        sni_bytes_format(out, ".TP\n.BR sinew\\-%s (1)\n", (*v)->name);
        add_text(out, (*v)->summary);
        sni_bytes_text(out, "\n");
    }
    for (const cliTopic* t = cli_topics; t->name != NULL; t++) {
        add_section(out, t->name);
        add_text(out, t->summary);
        sni_bytes_text(out, "\n.PP\n");
        add_block(out, t->text);
    }
}

static bool write_page(const char* folder, const char* name, sniBytes* page) {
    char path[4096];
    snError error = sn_error_none();
    int length = snprintf(path, sizeof path, "%s/%s.1", folder, name);
    snResult result = length > 0 && (size_t)length < sizeof path ? SN_RESULT_OK : SN_RESULT_LIMIT;
    if (sni_bytes_save(page, result, path, &error) == SN_RESULT_OK) return true;
    fprintf(stderr, "sinew help: %s\n", error.text[0] != '\0' ? error.text : "the folder's name is too long");
    return false;
}

cliExit cli_write_manual(const char* folder) {
    snAllocator memory = sni_allocator(NULL);
    sniBytes page = sni_bytes(&memory);
    add_program(&page);
    if (!write_page(folder, "sinew", &page)) return CLI_SYSTEM;
    for (const cliVerb* const* v = cli_verbs; *v != NULL; v++) {
        if ((*v)->run_words != NULL) continue; // reads its own options, and has help of its own
        char name[64];
        snprintf(name, sizeof name, "sinew-%s", (*v)->name);
        page = sni_bytes(&memory);
        add_verb(&page, *v);
        if (!write_page(folder, name, &page)) return CLI_SYSTEM;
    }
    return CLI_DONE;
}
