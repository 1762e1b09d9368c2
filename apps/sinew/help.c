// Help, made from the tables.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "io/import_process.h"
#include "sinew/base.h"

#define COLUMNS 100
#define INDENT 29

// Words up to the last column, the lines behind the first indented. The cursor stands at `column`.
static void wrap(const char* text, int column) {
    for (bool first = true; *text != '\0'; first = false) {
        int length = (int)strcspn(text, " ");
        if (!first && column + 1 + length > COLUMNS) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        while (*text == ' ') text++;
    }
}

static void option_line(const cliOption* o) {
    char left[64], right[1024], letter[8] = "    ";
    if (o->letter != 0) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value != NULL ? " " : "",
             o->value != NULL ? o->value : "");
    snprintf(right, sizeof right, "%s%s%s", o->help, o->kind == CLI_CHOICE ? ": " : "",
             o->kind == CLI_CHOICE ? o->choices : "");
    int written = printf("  %-26s ", left);
    wrap(right, written);
    putchar('\n');
}

static void verb_help(const cliVerb* verb) {
    printf("sinew %s%s%s [options]\n%s.\n", verb->name, verb->operands[0] != '\0' ? " " : "", verb->operands,
           verb->summary);
    for (uint32_t i = 0; cli_option_at(verb, i) != NULL; i++) {
        const char* heading = cli_heading_at(verb, i);
        if (heading != NULL) printf("\n%s:\n", heading);
        option_line(cli_option_at(verb, i));
    }
    if (verb->examples != NULL) puts("\nExamples:");
    for (const char* const* e = verb->examples; e != NULL && *e != NULL; e++) printf("  %s\n", *e);
    if (verb->notes != NULL) printf("\n%s\n", verb->notes);
}

void cli_topic_help(const cliTopic* topic) { printf("%s\n\n%s\n", topic->summary, topic->text); }

void cli_help(const cliVerb* verb) {
    if (verb != NULL) {
        verb_help(verb);
        return;
    }
    printf("sinew %s: skin that moves like flesh\n\nUsage: sinew VERB [operands] [options]\n\nVerbs:\n",
           SN_VERSION_STRING);
    for (const cliVerb* const* v = cli_verbs; *v != NULL; v++)
        printf("  %-12s %s\n", (*v)->name, (*v)->summary);
    char importer[SNI_PATH_MAX];
    if (!sni_importer_find(importer))
        printf("\nFBX, DAE and other formats of assimp are read by sinew-import, %s.\n",
               sni_importer_advice());
    puts("\nTopics, for sinew help TOPIC:");
    for (const cliTopic* t = cli_topics; t->name != NULL; t++) printf("  %-12s %s\n", t->name, t->summary);
    puts("\nEach verb has --help. Results go to stdout, everything else to stderr.\n"
         "Exit codes: 0 done, 1 check failed, 2 bad input, 3 usage, 4 memory or I/O.");
}
