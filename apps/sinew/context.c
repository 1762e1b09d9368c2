#include "context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "io/import_process.h"
#include "io/save.h"

#define DEFAULT_MEMORY ((size_t)2 << 30)

static snCpuLevel level_of(const char* name) {
    for (int level = 0; level < SN_CPU_LEVEL_COUNT; level++)
        if (strcmp(sn_cpu_level_name((snCpuLevel)level), name) == 0) return (snCpuLevel)level;
    return SN_CPU_AUTO;
}

// Beside what the program has when it starts to work: blocks have heads, and heaps have holes.
#define MEMORY_MARGIN ((rlim_t)32 << 20)

// What a graphics driver takes is not bounded, because drivers crash where it is refused.
static bool may_draw(const cliArguments* arguments) {
    const char* verb = arguments->verb->name;
    const char* output = cli_has(arguments->verb, "output") ? cli_text(arguments, "output") : NULL;
    if (output != NULL && (path_has_extension(output, ".png") || path_has_extension(output, ".gif") ||
                           path_has_extension(output, ".mp4")))
        return true;
    if (strcmp(verb, "check") == 0) return cli_given(arguments, "html");
    return strcmp(verb, "render") == 0 || strcmp(verb, "style") == 0 || strcmp(verb, "demo") == 0;
}

// The budget counts what we ask for; the kernel counts what libraries do, too.
static void bound_memory(const cliContext* context) {
    long pages[6] = {0};
    FILE* file = fopen("/proc/self/statm", "r");
    if (file == NULL) return;
    bool known = fscanf(file, "%ld %ld %ld %ld %ld %ld", &pages[0], &pages[1], &pages[2], &pages[3],
                        &pages[4], &pages[5]) == 6;
    fclose(file);
    struct rlimit limit;
    if (!known || SNI_SANITIZED || may_draw(context->arguments) || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    rlim_t used = (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE);
    rlim_t wanted = used + context->budget.limit + MEMORY_MARGIN;
    if (wanted < context->budget.limit || (limit.rlim_max != RLIM_INFINITY && wanted > limit.rlim_max))
        return;
    limit.rlim_cur = wanted;
    setrlimit(RLIMIT_DATA, &limit);
}

// "joints=200000,clips=10": those that are named change.
static bool parse_limits(const char* text, snReadLimits* out) {
    for (const char* at = text; *at != '\0';) {
        char word[16] = "";
        unsigned long count = 0;
        int length = 0;
        if (sscanf(at, "%15[a-z]=%lu%n", word, &count, &length) != 2 || count > UINT32_MAX) return false;
        uint32_t* limit = strcmp(word, "joints") == 0  ? &out->joints
                          : strcmp(word, "clips") == 0 ? &out->clips
                          : strcmp(word, "parts") == 0 ? &out->parts
                                                       : NULL;
        at += length;
        if (limit == NULL || (*at != ',' && *at != '\0')) return false;
        *limit = (uint32_t)count;
        if (*at == ',') at++;
    }
    return true;
}

cliExit context_open(cliContext* context, const cliArguments* arguments) {
    *context = (cliContext){.arguments = arguments};
    context->quiet = cli_given(arguments, "quiet");
    context->json = cli_given(arguments, "json");
    context->budget = sn_budget(NULL, cli_bytes(arguments, "memory", DEFAULT_MEMORY));
    context->memory = sn_budget_allocator(&context->budget);
    context->reads = sni_bytes(&context->memory);
    const char* level = cli_text(arguments, "simd");
    context->level = level != NULL ? level_of(level) : SN_CPU_AUTO;
    if (!sn_cpu_level_available(context->level)) {
        context_say(context, "note: this machine or build has no %s; using %s", level,
                    sn_cpu_level_name(sn_cpu_level_best()));
        context->level = SN_CPU_AUTO;
    }
    if (sn_pool_create(cli_whole(arguments, "workers", 0), &context->pool) != SN_RESULT_OK) {
        fputs("sinew: cannot start the threads\n", stderr);
        return CLI_SYSTEM;
    }
    context->tasks = sn_pool_tasks(context->pool);
    snDocumentDef def = sn_document_def();
    def.history_limit = 0;
    // Only a project holds the files as they came.
    const char* output = cli_has(arguments->verb, "output") ? cli_text(arguments, "output") : NULL;
    def.keep_sources = output != NULL && path_has_extension(output, ".snproject");
    def.memory_limit = context->budget.limit;
    def.formats = cli_text(arguments, "formats");
    const char* limits = cli_text(arguments, "limits");
    if (limits != NULL && !parse_limits(limits, &def.limits)) {
        context_close(context);
        return cli_usage(arguments->verb, "--limits %s: joints=N, clips=N and parts=N are expected", limits);
    }
    def.tasks = context->tasks;
    def.level = context->level;
#ifdef SINEW_HAVE_SPARSE
    def.sparse = sn_sparse_cholmod();
#endif
    snError error = sn_error_none();
    bound_memory(context);
    if (sn_document_create(&def, &context->memory, &context->document, &error) == SN_RESULT_OK)
        return CLI_DONE;
    cliExit code = context_fail(context, &error);
    context_close(context);
    return code;
}

void context_close(cliContext* context) {
    sn_document_destroy(context->document);
    context->document = NULL;
    sn_pool_destroy(context->pool);
    context->pool = NULL;
    sni_bytes_free(&context->reads);
}

// --------------------------------------------------------------------------------------------- speaking

void context_say(const cliContext* context, const char* format, ...) {
    if (context->quiet) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

cliExit context_exit(snResult result) {
    switch (result) {
    case SN_RESULT_OK:
        return CLI_DONE;
    case SN_RESULT_INVALID_ARGUMENT:
        return CLI_USAGE;
    case SN_RESULT_OUT_OF_MEMORY:
    case SN_RESULT_LIMIT:
    case SN_RESULT_IO:
    case SN_RESULT_CANCELLED:
    case SN_RESULT_TIME:
        return CLI_SYSTEM;
    case SN_RESULT_BAD_DATA:
    case SN_RESULT_UNSUPPORTED:
    case SN_RESULT_NOT_FOUND:
        return CLI_BAD_INPUT;
    }
    return CLI_SYSTEM;
}

cliExit context_fail(const cliContext* context, const snError* error) {
    if (context->drawing) fputs("\r\033[K", stderr);
    if (error->code == SN_RESULT_CANCELLED && context_late != 0) {
        snError late = sn_error_none();
        sni_fail(&late, SN_RESULT_TIME, "%s: the limit is %s seconds; --time-limit raises it", error->text,
                 cli_text(context->arguments, "time-limit"));
        return context_fail(context, &late);
    }
    char text[1024];
    sn_error_format(error, text, sizeof text);
    fprintf(stderr, "%s%s\n", error->file[0] != '\0' ? "" : "sinew: ", text);
    if (error->code == SN_RESULT_OUT_OF_MEMORY)
        fprintf(stderr, "sinew: the limit is %.0f MiB; --memory raises it\n",
                (double)context->budget.limit / (1024.0 * 1024.0));
    return context_exit(error->code);
}

cliExit context_fail_memory(const cliContext* context) {
    snError error = sn_error_none();
    sni_fail_memory(&error);
    return context_fail(context, &error);
}

void context_progress(cliContext* context, const char* label, uint32_t done, uint32_t total) {
    enum { WIDTH = 32 };
    if (context->quiet || !isatty(STDERR_FILENO) || total == 0) return;
    if (done >= total) {
        fputs("\r\033[K", stderr);
        context->drawing = false;
        return;
    }
    char bar[WIDTH + 1];
    uint32_t filled = (uint32_t)((uint64_t)WIDTH * done / total);
    for (uint32_t i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%-10s [%s] %u/%u", label, bar, done, total);
    fflush(stderr);
    context->drawing = true;
}

volatile int context_interrupted = 0;
volatile int context_late = 0;

static bool tell(void* user, const char* stage, float share) {
    context_progress(user, stage, (uint32_t)(share * 1000.0f), 1000);
    return context_interrupted == 0 && context_late == 0;
}

snProgress context_listen(cliContext* context) { return (snProgress){tell, context}; }

double context_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool path_has_extension(const char* path, const char* extension) {
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, extension) == 0;
}

// ------------------------------------------------------------------------------------------------ models

void context_say_notes(const cliContext* context, const char* path, const char* word, const snNotes* notes) {
    const uint32_t kept = sizeof notes->text / sizeof notes->text[0];
    for (uint32_t i = 0; i < notes->count && i < kept; i++)
        context_say(context, "%s: %s%s", path, word, notes->text[i]);
}

// Standard input has no name to tell its format: it is the first of --formats, or .glb. What it names beside
// itself is not there.
static snResult open_stream(cliContext* context, snOpenDef* def, snSource** out, snError* error) {
    static const snFiles nothing = {0, NULL};
    char name[40];
    const char* formats = cli_text(context->arguments, "formats");
    if (formats == NULL) formats = "glb";
    snprintf(name, sizeof name, "stdin.%.*s", (int)strcspn(formats, ", "), formats);
    uint8_t* data = NULL;
    size_t size = 0;
    SNI_TRY(sni_stream_read_all(STDIN_FILENO, name, context->budget.limit, &context->memory, &data, &size,
                                error));
    def->files = &nothing;
    snResult result = sn_source_open_memory(context->document, name, data, size, def, out, error);
    sni_free(&context->memory, data);
    return result;
}

// A file that a reader opened beside the one at `path`.
typedef struct Reads {
    cliContext* context;
    const char* path;
} Reads;

static void add_read(void* user, const char* name, const void* data, size_t size) {
    const Reads* reads = user;
    sniBytes* list = &reads->context->reads;
    (void)data, (void)size;
    sni_bytes_add(list, reads->path, name[0] != '/' ? sni_path_folder(reads->path) : 0);
    sni_bytes_text(list, name);
    sni_bytes_text(list, "\n");
}

// What was read so far, so that it is known also where the verb fails later.
static cliExit write_reads(cliContext* context, const char* path) {
    const char* file = cli_text(context->arguments, "reads");
    snError error = sn_error_none();
    sni_bytes_text(&context->reads, path);
    sni_bytes_text(&context->reads, "\n");
    if (context->reads.failed) return context_fail_memory(context);
    if (sni_save_quickly(file, context->reads.data, context->reads.size, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return context_fail(context, &error);
}

cliExit context_source(cliContext* context, const char* path, snReadImages images, snSource** out) {
    bool listing = cli_has(context->arguments->verb, "reads") && cli_given(context->arguments, "reads");
    Reads reads = {context, path};
    snOpenDef def = sn_open_def();
    def.unit = cli_number(context->arguments, "unit", 1.0f);
    def.images = images;
    def.notes = &context->notes;
    def.new_weights =
        cli_has(context->arguments->verb, "weights") && cli_given(context->arguments, "weights");
    def.progress = context_listen(context);
    if (cli_has(context->arguments->verb, "companion"))
        def.companion = cli_text(context->arguments, "companion");
    if (listing) def.opened = (snOpened){add_read, &reads};
    context->notes.count = 0;
    snError error = sn_error_none();
    snResult result = strcmp(path, "-") == 0 ? open_stream(context, &def, out, &error)
                                             : sn_source_open(context->document, path, &def, out, &error);
    if (result != SN_RESULT_OK) {
        cliExit code = context_fail(context, &error);
        if (strstr(error.text, "must be bound again") != NULL)
            fprintf(stderr, "sinew: sinew bind %s --weights auto -o OUT.glb does that\n", path);
        return code;
    }
    context_say_notes(context, path, "note: ", &context->notes);
    return listing ? write_reads(context, path) : CLI_DONE;
}

cliExit context_character(cliContext* context, const char* path, snReadImages images) {
    snSource* source = NULL;
    snError error = sn_error_none();
    if (path_has_extension(path, ".snproject")) {
        snOpenDef def = sn_open_def();
        def.progress = context_listen(context);
        context->notes.count = 0;
        if (sn_document_open(context->document, path, &def, &error) == SN_RESULT_OK) return CLI_DONE;
        return context_fail(context, &error);
    }
    cliExit code = context_source(context, path, images, &source);
    if (code == CLI_DONE && sn_document_set_character(context->document, source, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    sn_source_close(source);
    return code;
}

const snModel* context_model(const cliContext* context) { return sn_document_model(context->document); }

cliExit context_run(const cliArguments* arguments, snReadImages images, cliModelFn* work) {
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    code = context_character(&context, arguments->operands[0], images);
    if (code == CLI_DONE) code = work(&context);
    context_close(&context);
    return code;
}

cliExit context_output(const cliArguments* arguments, const char* extensions) {
    const char* path = cli_text(arguments, "output");
    if (path == NULL) return cli_usage(arguments->verb, "-o OUT is missing");
    for (const char* at = extensions; *at != '\0';) {
        char extension[16];
        size_t length = strcspn(at, " ");
        snprintf(extension, sizeof extension, "%.*s", (int)length, at);
        if (path_has_extension(path, extension)) return CLI_DONE;
        at += length + (at[length] == ' ');
    }
    bool several = strchr(extensions, ' ') != NULL;
    return cli_usage(arguments->verb, "%s: the name must end in %s%s", path, several ? "one of " : "",
                     extensions);
}

cliExit context_no_rig(const cliArguments* arguments) {
    const char* path = arguments->operands[0];
    bool rig = path_has_extension(path, ".snrig");
    if (!rig && !path_has_extension(path, ".snpose")) return CLI_DONE;
    return cli_usage(arguments->verb, "%s is a %s, not a MODEL; sinew info %s lists its contents", path,
                     rig ? "rig" : "pose", path);
}

cliExit context_write(cliContext* context, const char* path, const snWriteDef* def, bool settings) {
    snWriteDef noted = *def;
    snNotes notes = {0};
    noted.notes = &notes;
    snError error = sn_error_none();
    if (path_has_extension(path, ".snproject")) {
        if (sn_document_save(context->document, path, &error) == SN_RESULT_OK) return CLI_DONE;
        return context_fail(context, &error);
    }
    if (sn_document_write(context->document, path, &noted, settings, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    context_say_notes(context, path, "note: ", &notes);
    return CLI_DONE;
}

// ------------------------------------------------------------------------------------------------- clips

cliExit context_frames(const cliContext* context, float from, float to, float fps, bool both_ends,
                       uint32_t* out) {
    snError error = sn_error_none();
    if (sn_take_count(from, to, fps, both_ends, out, &error) == SN_RESULT_OK) return CLI_DONE;
    return cli_usage(context->arguments->verb,
                     "%s; a shorter stretch (--from, --to) or a lower --fps has fewer", error.text);
}

static cliExit unknown_clip(const cliContext* context, const snModel* model, const char* name) {
    char list[512] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < model->clip_count && length + 80 < sizeof list; i++) {
        int wrote = snprintf(list + length, sizeof list - length, "%s%.60s", i > 0 ? ", " : "",
                             model->clips[i]->name);
        if (wrote > 0) length += (size_t)wrote;
    }
    if (model->clip_count == 0)
        return cli_usage(context->arguments->verb, "--clip %s: the model has no clips", name);
    return cli_usage(context->arguments->verb, "--clip %s: there is no such clip; there are %u: %s", name,
                     model->clip_count, list);
}

cliExit context_clip(const cliContext* context, const snModel* model, uint32_t* out) {
    const char* name = cli_text(context->arguments, "clip");
    if (name == NULL) {
        *out = model->clip_count > 0 ? 0 : SN_CLIP_REST;
        return CLI_DONE;
    }
    uint32_t clip = sn_model_find_clip(model, name);
    if (clip == SN_NONE) {
        char* end = NULL;
        unsigned long index = strtoul(name, &end, 10);
        if (*name < '0' || *name > '9' || *end != '\0' || index >= model->clip_count)
            return unknown_clip(context, model, name);
        clip = (uint32_t)index;
    }
    *out = clip;
    return CLI_DONE;
}

cliHint context_joint_hint(const snJointNames* names, const char* name) {
    const char* nearest = sn_joint_names_nearest(names, name);
    return cli_hint(name, &nearest, nearest != NULL ? 1 : 0);
}

cliExit context_find_joint(const cliContext* context, const snModel* model, const char* option,
                           const char* name, uint32_t* out) {
    snJointNames* names = NULL;
    snError error = sn_error_none();
    if (sn_joint_names_create(model->skeleton, &context->memory, &names, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    uint32_t joint = sn_joint_names_find(names, name);
    cliExit code = CLI_DONE;
    if (joint != SN_NONE)
        *out = joint;
    else
        code = cli_usage(context->arguments->verb, "%s%s: there is no such joint%s", option, name,
                         context_joint_hint(names, name).text);
    sn_joint_names_destroy(names);
    return code;
}
