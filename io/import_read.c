// Formats that assimp reads for us, in the program sinew-import.
#include "file.h"
#include "gltf.h"
#include "import_process.h"
#include "import_stream.h"

enum { SECONDS = 60 };
// What the program and its libraries take before they read anything.
static const size_t program_size = (size_t)512 << 20;

static snResult fail_empty(const sniSource* source) {
    sni_fail(source->error, SN_RESULT_BAD_DATA, "is empty");
    if (source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return SN_RESULT_BAD_DATA;
}

static snResult fail_absent(const sniSource* source) {
    sni_fail(source->error, SN_RESULT_UNSUPPORTED, "\"%.16s\" files are read by sinew-import, %s",
             sni_path_extension(source->name), sni_importer_advice());
    if (source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return SN_RESULT_UNSUPPORTED;
}

// NULL: there is none.
static const char* find_program(const char* given, char found[SNI_PATH_MAX]) {
    const char* program = given != NULL ? given : sni_importer_find(found) ? found : NULL;
    return program != NULL && sni_file_exists(program) ? program : NULL;
}

static sniImporter importer_of(const char* program, size_t memory_limit) {
    size_t memory = memory_limit > SIZE_MAX - program_size ? SIZE_MAX : memory_limit + program_size;
    return (sniImporter){.program = program, .seconds = SECONDS, .memory = memory};
}

static snResult read_stream(const sniSource* source, uint8_t* data, size_t size, snModel** out) {
    sniSource stream = *source;
    stream.data = data;
    stream.size = size;
    return sni_stream_read(&stream, out);
}

// By the caller's function instead of the program.
static snResult read_by(const snImport* import, const sniSource* source, snModel** out) {
    snBytes answer = {0};
    snResult result = import->run(import->user, source->name, source->data, source->size, source->def->unit,
                                  &answer, source->error);
    if (result == SN_RESULT_OK) {
        result = read_stream(source, answer.data, answer.size, out);
        sn_bytes_free(&answer);
    } else if (source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return result;
}

snResult sni_import_read(const sniSource* source, snModel** out) {
    if (source->size == 0) return fail_empty(source);
    if (source->def->import.run != NULL) return read_by(&source->def->import, source, out);
    char found[SNI_PATH_MAX];
    const char* program = find_program(source->def->importer, found);
    if (program == NULL) return fail_absent(source);
    sniImporter importer = importer_of(program, source->def->memory_limit);
    sniBytes answer = sni_bytes(&source->allocator);
    snResult result = sni_importer_run(&importer, source, &answer);
    if (result == SN_RESULT_OK) result = read_stream(source, answer.data, answer.size, out);
    sni_bytes_free(&answer);
    return result;
}

// ------------------------------------------------------------------------------------------------ sandbox

// "refused ACT", "possible ACT", and at last "missing WORDS".
static bool read_line(const char* line, size_t length, snSandbox* out) {
    static const char refused[] = "refused ", possible[] = "possible ", missing[] = "missing ";
    bool first = length >= 8 && memcmp(line, refused, 8) == 0;
    bool second = length >= 9 && memcmp(line, possible, 9) == 0;
    if (length >= 8 && memcmp(line, missing, 8) == 0) {
        snprintf(out->missing, sizeof out->missing, "%.*s", (int)(length - 8), line + 8);
        return true;
    }
    if ((!first && !second) || out->count == sizeof out->acts / sizeof out->acts[0]) return false;
    size_t word = first ? 8 : 9;
    snSandboxAct* act = &out->acts[out->count++];
    act->refused = first;
    snprintf(act->act, sizeof act->act, "%.*s", (int)(length - word), line + word);
    return true;
}

static snResult read_probes(const sniBytes* answer, snSandbox* out, snError* error) {
    const char* text = (const char*)answer->data;
    *out = (snSandbox){0};
    for (size_t at = 0; at < answer->size;) {
        const char* end = memchr(text + at, '\n', answer->size - at);
        if (end == NULL || !read_line(text + at, (size_t)(end - text) - at, out))
            return sni_fail(error, SN_RESULT_BAD_DATA, "the importer has no sandbox");
        at = (size_t)(end - text) + 1;
    }
    if (out->count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "the importer has no sandbox");
    return SN_RESULT_OK;
}

snResult sn_importer_sandbox(const char* importer, const snAllocator* allocator, snSandbox* out,
                             snError* error) {
    char found[SNI_PATH_MAX];
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    const char* program = find_program(importer, found);
    if (program == NULL)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "there is no sinew-import, %s", sni_importer_advice());
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    sniLimit* limit = sni_limit_create(allocator, def.memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    sniSource source = sni_source(program, false, &def, limit, error);
    sniImporter asked = importer_of(program, def.memory_limit);
    asked.word = "--sandbox";
    sniBytes answer = sni_bytes(&source.allocator);
    snSandbox sandbox = {0};
    snResult result = sni_importer_run(&asked, &source, &answer);
    if (result == SN_RESULT_OK) result = read_probes(&answer, &sandbox, error);
    if (result == SN_RESULT_OK) *out = sandbox;
    sni_bytes_free(&answer);
    sni_limit_close(limit);
    return result;
}
