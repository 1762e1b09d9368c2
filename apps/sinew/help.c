// Help, made from the tables.
#include <stdio.h>

#include "cli.h"
#include "io/import_process.h"
#include "sinew/base.h"

static void option_line(const cliOption* o) {
    char left[64];
    char letter[8] = "    ";
    if (o->letter != 0) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value != NULL ? " " : "",
             o->value != NULL ? o->value : "");
    printf("  %-26s %s", left, o->help);
    if (o->kind == CLI_CHOICE) printf(": %s", o->choices);
    putchar('\n');
}

static void verb_help(const cliVerb* verb) {
    printf("sinew %s%s%s [options]\n%s.\n\nOptions:\n", verb->name, verb->operands[0] != '\0' ? " " : "",
           verb->operands, verb->summary);
    for (uint32_t i = 0; cli_option_at(verb, i) != NULL; i++) option_line(cli_option_at(verb, i));
    if (verb->examples != NULL) puts("\nExamples:");
    for (const char* const* e = verb->examples; e != NULL && *e != NULL; e++) printf("  %s\n", *e);
    if (verb->notes != NULL) printf("\n%s\n", verb->notes);
}

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
    puts("\nEach verb has --help. Results go to stdout, everything else to stderr.\n"
         "Exit codes: 0 done, 1 check failed, 2 bad input, 3 usage, 4 memory or I/O.");
}
