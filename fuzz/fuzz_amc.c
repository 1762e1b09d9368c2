// A skeleton, a line of "----", and its motion.
#include "asf.h"
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint8_t* pieces[2];
    size_t sizes[2];
    uint8_t* copy = malloc(size + 1);
    sniLimit* limit = sni_limit_create(NULL, (size_t)64 << 20);
    if (copy != NULL && limit != NULL && fuzz_split(data, size, copy, 2, pieces, sizes) == 2) {
        snReadDef def = sn_read_def();
        snError error = sn_error_none();
        sniSource skeleton = fuzz_source("fuzz.asf", pieces[0], sizes[0], &def, limit, &error);
        sniSource motion = fuzz_source("fuzz.amc", pieces[1], sizes[1], &def, limit, &error);
        snModel* model = NULL;
        snResult result = sni_amc_read_with(&motion, &skeleton, &model);
        if ((result == SN_RESULT_OK) != (model != NULL)) abort();
        if (result != SN_RESULT_OK && error.text[0] == '\0') abort();
        sn_model_destroy(model);
    }
    if (limit != NULL) sni_limit_close(limit);
    free(copy);
    return 0;
}
