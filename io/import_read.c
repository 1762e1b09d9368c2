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

snResult sni_import_read(const sniSource* source, snModel** out) {
    if (source->size == 0) return fail_empty(source);
    char found[SNI_PATH_MAX];
    const char* program = source->def->importer;
    if (program == NULL && sni_importer_find(found)) program = found;
    if (program == NULL || !sni_file_exists(program)) return fail_absent(source);
    size_t memory = source->def->memory_limit;
    memory = memory > SIZE_MAX - program_size ? SIZE_MAX : memory + program_size;
    sniImporter importer = {program, SECONDS, memory};
    sniBytes answer = sni_bytes(&source->allocator);
    snResult result = sni_importer_run(&importer, source, &answer);
    if (result == SN_RESULT_OK) {
        sniSource stream = *source;
        stream.data = answer.data;
        stream.size = answer.size;
        result = sni_stream_read(&stream, out);
    }
    sni_bytes_free(&answer);
    return result;
}
