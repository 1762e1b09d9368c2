// The command line's grammar: verbs and their options as tables. Parsing, help and shell completion are all
// made from the same tables, so they agree.
#ifndef SINEW_CLI_H
#define SINEW_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the process returns.
typedef enum cliExit {
    CLI_DONE = 0,
    CLI_CHECK_FAILED = 1,
    CLI_BAD_INPUT = 2, // a file says something impossible
    CLI_USAGE = 3,     // the command line makes no sense
    CLI_SYSTEM = 4     // memory, time, files, drivers
} cliExit;

typedef enum cliKind {
    CLI_FLAG,   // takes no value, or one of `choices` as the next word
    CLI_TEXT,   // anything
    CLI_FILE,   // a path; completed as one, or as one of `choices`
    CLI_NUMBER, // a finite number, `low` to `high`
    CLI_WHOLE,  // a whole number, `low` to `high`
    CLI_BYTES,  // 512M, 2G, 1000000
    CLI_CHOICE, // one of `choices`
    CLI_LIST,   // anything, as often as wanted; cli_repeated has all, cli_text the last
    CLI_TITLE   // no option: what the help calls those that follow
} cliKind;

typedef struct cliOption {
    const char* name; // without the dashes; NULL ends a table
    char letter;      // for "-o"; 0: none
    cliKind kind;
    const char* value;   // what help calls the value; NULL for flags
    const char* help;    // one line, no full stop
    const char* choices; // "linear|dual"; also completed when kind is CLI_TEXT
    float low;           // smallest allowed number
    float high;          // largest; 0: far more than anybody needs
} cliOption;

// In a table, in front of the options that belong together.
#define CLI_HEADING(title)                                                                                   \
    { title, 0, CLI_TITLE, NULL, NULL, NULL, 0, 0 }

// Options that many verbs share.
enum {
    CLI_JSON = 1u << 0,
    CLI_QUIET = 1u << 1,
    CLI_WORKERS = 1u << 2,
    CLI_MEMORY = 1u << 3,
    CLI_SIMD = 1u << 4,
    CLI_UNIT = 1u << 5,
    CLI_COMMON_ALL = (1u << 6) - 1
};

// Frames a second: what the library takes, and more than any film shows.
#define CLI_MAX_FPS 1000

#define CLI_MAX_OPTIONS 96
#define CLI_MAX_OPERANDS 64
#define CLI_MAX_REPEATED 64

struct cliArguments;

typedef struct cliVerb {
    const char* name;
    const char* summary;  // one line for the list of verbs
    const char* operands; // "FILE", "" when there are none
    uint32_t operand_min, operand_max;
    const char* operand_choices; // words to complete the first with, "bash|zsh"; NULL: files
    const char* more_choices;    // the same for those behind it, beside files; NULL: files alone
    const cliOption* options;    // the verb's own; NULL-terminated
    uint32_t common;             // bits of the shared ones
    const char* const* examples; // NULL-terminated command lines
    const char* notes;           // paragraphs for the end of the help, or NULL
    cliExit (*run)(const struct cliArguments* arguments);
    // Instead of `run`: gets the words after the verb as they are and reads its own options, --help included.
    int (*run_words)(int argc, char** argv);
} cliVerb;

// A parsed and checked command line. Strings belong to argv.
typedef struct cliArguments {
    const cliVerb* verb;
    uint32_t operand_count;
    const char* operands[CLI_MAX_OPERANDS];
    const char* values[CLI_MAX_OPTIONS]; // per option as cli_option_at counts; NULL: not given
    uint32_t repeated_count;             // values of options that may be repeated, in order
    struct {
        const cliOption* option;
        const char* text;
    } repeated[CLI_MAX_REPEATED];
} cliArguments;

// Every verb, NULL after the last.
extern const cliVerb* const cli_verbs[];

// The i-th option of a verb: its own, then the shared ones it takes, then --help; NULL after the last.
const cliOption* cli_option_at(const cliVerb* verb, uint32_t i);
// What the help calls the options that begin with this one; NULL: it goes on as before.
const char* cli_heading_at(const cliVerb* verb, uint32_t i);

// Parses everything after the verb. False: the reason went to stderr and the exit code is CLI_USAGE.
bool cli_parse(const cliVerb* verb, int argc, char** argv, cliArguments* out);

// Is there an option of this name in the verb's tables?
bool cli_has(const cliVerb* verb, const char* name);

// Values by option name. cli_text is NULL and cli_given false when it was not given; the numbers then are
// `fallback`. The name must be in the verb's tables.
const char* cli_text(const cliArguments* arguments, const char* name);
bool cli_given(const cliArguments* arguments, const char* name);
// The i-th value of a CLI_LIST; NULL after the last.
const char* cli_repeated(const cliArguments* arguments, const char* name, uint32_t i);
float cli_number(const cliArguments* arguments, const char* name, float fallback);
uint32_t cli_whole(const cliArguments* arguments, const char* name, uint32_t fallback);
size_t cli_bytes(const cliArguments* arguments, const char* name, size_t fallback);

// The word that is most like `text`; NULL when none is near.
const char* cli_nearest(const char* text, const char* const* words, uint32_t count);
// The same as the end of a complaint: "; did you mean WORD?", or nothing.
typedef struct cliHint {
    char text[96];
} cliHint;
cliHint cli_hint(const char* text, const char* const* words, uint32_t count);

// A complaint about the command line: "sinew VERB: ..." and where help is. Returns CLI_USAGE.
cliExit cli_usage(const cliVerb* verb, const char* format, ...) __attribute__((format(printf, 2, 3)));

// The help of one verb, or of the program when `verb` is NULL, on stdout.
void cli_help(const cliVerb* verb);

// Pages of help that are about no verb alone.
typedef struct cliTopic {
    const char* name;
    const char* summary;
    const char* text;
} cliTopic;
extern const cliTopic cli_topics[]; // the last has no name
void cli_topic_help(const cliTopic* topic);

// Writes sinew.1 and a page for each verb into a folder that is there, from the same tables.
cliExit cli_write_manual(const char* folder);

#endif
