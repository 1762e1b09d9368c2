// The body of an importer's answer. The head is made here: its length would only be in the fuzzer's way.
#include "fuzz_files.h"
#include "import_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sniLimit* limit = sni_limit_create(NULL, (size_t)64 << 20);
    if (limit == NULL) return 0;
    snAllocator memory = sni_limit_allocator(limit);
    sniBytes answer = sni_bytes(&memory);
    uint32_t words[4] = {SNI_STREAM_VERSION, SNI_STREAM_MODEL, SN_RESULT_OK, 0};
    uint64_t length = size;
    sni_bytes_add(&answer, sni_stream_magic, sizeof sni_stream_magic);
    sni_bytes_add(&answer, words, sizeof words);
    sni_bytes_add(&answer, &length, sizeof length);
    sni_bytes_add(&answer, data, size);
    if (!answer.failed) {
        snReadDef def = sn_read_def();
        snError error = sn_error_none();
        snModel* model = NULL;
        sniSource source = fuzz_source("fuzz.fbx", answer.data, answer.size, &def, limit, &error);
        snResult result = sni_stream_read(&source, &model);
        if ((result == SN_RESULT_OK) != (model != NULL)) abort();
        if (result != SN_RESULT_OK && error.text[0] == '\0') abort();
        sn_model_destroy(model);
    }
    sni_bytes_free(&answer);
    sni_limit_close(limit);
    return 0;
}
