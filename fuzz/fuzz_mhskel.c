// A skeleton, a line of "----", its weights, another such line, and the mesh.
#include "fuzz_files.h"
#include "mhskel.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint8_t* pieces[3];
    size_t sizes[3];
    uint8_t* copy = malloc(size + 1);
    sniLimit* limit = sni_limit_create(NULL, (size_t)64 << 20);
    if (copy != NULL && limit != NULL && fuzz_split(data, size, copy, 3, pieces, sizes) == 3) {
        snReadDef def = sn_read_def();
        snError error = sn_error_none();
        sniSource skeleton = fuzz_source("fuzz.mhskel", pieces[0], sizes[0], &def, limit, &error);
        sniSource weights = fuzz_source("fuzz.mhw", pieces[1], sizes[1], &def, limit, &error);
        sniSource mesh = fuzz_source("fuzz.obj", pieces[2], sizes[2], &def, limit, &error);
        snModel* model = NULL;
        snResult result = sni_mhskel_read_with(&skeleton, &mesh, &weights, true, &model);
        if ((result == SN_RESULT_OK) != (model != NULL)) abort();
        if (result != SN_RESULT_OK && error.text[0] == '\0') abort();
        sn_model_destroy(model);
    }
    if (limit != NULL) sni_limit_close(limit);
    free(copy);
    return 0;
}
