#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { return fuzz_model("fuzz.bvh", data, size); }
