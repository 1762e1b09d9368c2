// sinew completion: scripts for bash and zsh, made from the verbs' own tables.
#include <stdio.h>
#include <string.h>

#include "verbs.h"

static void print_words(const char* choices) {
    for (; *choices != '\0'; choices++) putchar(*choices == '|' ? ' ' : *choices);
}

static void print_verbs(void) {
    for (uint32_t v = 0; cli_verbs[v] != NULL; v++) printf("%s%s", v > 0 ? " " : "", cli_verbs[v]->name);
}

static void print_option_names(const cliVerb* verb) {
    const cliOption* o;
    for (uint32_t i = 0; (o = cli_option_at(verb, i)) != NULL; i++) {
        printf("%s--%s", i > 0 ? " " : "", o->name);
        if (o->letter != 0) printf(" -%c", o->letter);
    }
}

// The pattern of a case branch: --name or -n.
static void print_pattern(const cliOption* o) {
    printf("--%s", o->name);
    if (o->letter != 0) printf("|-%c", o->letter);
}

// Beside its words.
static bool may_be_file(const cliOption* o) { return o->kind == CLI_LIST || o->kind == CLI_FILE; }

// ------------------------------------------------------------------------------------------------- bash

static void bash_values(const cliVerb* verb) {
    const cliOption* o;
    for (uint32_t i = 0; (o = cli_option_at(verb, i)) != NULL; i++) {
        if (o->kind == CLI_FLAG) continue;
        printf("                ");
        print_pattern(o);
        if (o->choices != NULL) {
            printf(") COMPREPLY=($(compgen %s-W \"", may_be_file(o) ? "-f " : "");
            print_words(o->choices);
            fputs("\" -- \"$cur\")) ;;\n", stdout);
        } else if (o->kind == CLI_FILE) {
            fputs(") COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n", stdout);
        } else {
            fputs(") COMPREPLY=() ;;\n", stdout);
        }
    }
}

// Words for the first operand; for those behind it, files too.
static void bash_operands(const cliVerb* verb) {
    if (verb->operand_max > 1) {
        fputs("                    elif ((COMP_CWORD > 2)); then COMPREPLY=($(compgen -f -W \"", stdout);
        if (verb->more_choices != NULL) print_words(verb->more_choices);
        fputs("\" -- \"$cur\"))\n", stdout);
    }
    fputs("                    else COMPREPLY=($(compgen -W \"", stdout);
    print_words(verb->operand_choices);
    fputs("\" -- \"$cur\")); fi ;;\n", stdout);
}

static void bash_verb(const cliVerb* verb) {
    printf("        %s)\n            case \"$prev\" in\n", verb->name);
    bash_values(verb);
    fputs("                *)\n                    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"",
          stdout);
    print_option_names(verb);
    fputs("\" -- \"$cur\"))\n", stdout);
    if (verb->operand_choices != NULL) {
        bash_operands(verb);
    } else if (verb->operand_max > 0) {
        fputs("                    else COMPREPLY=($(compgen -f -- \"$cur\")); fi ;;\n", stdout);
    } else {
        fputs("                    fi ;;\n", stdout);
    }
    fputs("            esac ;;\n", stdout);
}

static void print_bash(void) {
    fputs("# bash completion for sinew, made by: sinew completion bash\n"
          "_sinew() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W \"",
          stdout);
    print_verbs();
    fputs(" --help --version\" -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n",
          stdout);
    for (uint32_t v = 0; cli_verbs[v] != NULL; v++) bash_verb(cli_verbs[v]);
    fputs("    esac\n}\ncomplete -o filenames -F _sinew sinew\n", stdout);
}

// -------------------------------------------------------------------------------------------------- zsh

// Text inside a single-quoted _arguments specification.
static void zsh_text(const char* text) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else {
            if (strchr("[]:\\", *text) != NULL) putchar('\\');
            putchar(*text);
        }
    }
}

static void zsh_spec(const cliOption* o, const char* dashes, const char* name) {
    printf(" \\\n                '%s%s[", dashes, name);
    zsh_text(o->help);
    putchar(']');
    if (o->kind != CLI_FLAG) {
        printf(":%s:", o->value);
        if (o->choices != NULL && may_be_file(o)) {
            fputs("{_alternative \"words:word:(", stdout);
            print_words(o->choices);
            fputs(")\" \"files:file:_files\"}", stdout);
        } else if (o->choices != NULL) {
            putchar('(');
            print_words(o->choices);
            putchar(')');
        } else if (o->kind == CLI_FILE) {
            fputs("_files", stdout);
        }
    }
    putchar('\'');
}

static void zsh_operands(const cliVerb* verb) {
    fputs(" \\\n                '1:operand:(", stdout);
    print_words(verb->operand_choices);
    fputs(")'", stdout);
    if (verb->operand_max <= 1) return;
    fputs(" \\\n                '*:operand:{_alternative \"words:word:(", stdout);
    if (verb->more_choices != NULL) print_words(verb->more_choices);
    fputs(")\" \"files:file:_files\"}'", stdout);
}

static void zsh_verb(const cliVerb* verb) {
    printf("        %s)\n            _arguments", verb->name);
    const cliOption* o;
    for (uint32_t i = 0; (o = cli_option_at(verb, i)) != NULL; i++) {
        zsh_spec(o, "--", o->name);
        if (o->letter != 0) zsh_spec(o, "-", (const char[]){o->letter, '\0'});
    }
    if (verb->operand_choices != NULL) {
        zsh_operands(verb);
    } else if (verb->operand_max > 0) {
        fputs(" \\\n                '*:file:_files'", stdout);
    }
    fputs(" ;;\n", stdout);
}

static void print_zsh(void) {
    fputs("#compdef sinew\n# zsh completion for sinew, made by: sinew completion zsh\n_sinew() {\n"
          "    local -a verbs\n    verbs=(",
          stdout);
    for (uint32_t v = 0; cli_verbs[v] != NULL; v++) {
        printf("\n        '%s:", cli_verbs[v]->name);
        zsh_text(cli_verbs[v]->summary);
        putchar('\'');
    }
    fputs(")\n    if ((CURRENT == 2)); then _describe verb verbs; return; fi\n"
          "    local verb=$words[2]\n    shift words; ((CURRENT--))\n    case $verb in\n",
          stdout);
    for (uint32_t v = 0; cli_verbs[v] != NULL; v++) zsh_verb(cli_verbs[v]);
    fputs(
        "    esac\n}\nif [[ $funcstack[1] == _sinew ]]; then _sinew \"$@\"; else compdef _sinew sinew; fi\n",
        stdout);
}

static cliExit run(const cliArguments* arguments) {
    const char* shell = arguments->operands[0];
    if (strcmp(shell, "bash") == 0) {
        print_bash();
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh();
    } else {
        return cli_usage(arguments->verb, "%s: bash or zsh is expected", shell);
    }
    return CLI_DONE;
}

static const char* const examples[] = {"source <(sinew completion bash)",
                                       "sinew completion zsh > ~/.zfunc/_sinew", NULL};

const cliVerb verb_completion = {.name = "completion",
                                 .summary = "Print the completion script for bash or zsh",
                                 .operands = "SHELL",
                                 .operand_min = 1,
                                 .operand_max = 1,
                                 .operand_choices = "bash|zsh",
                                 .examples = examples,
                                 .run = run};
