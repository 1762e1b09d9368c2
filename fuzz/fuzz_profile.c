#include <stdlib.h>
#include <string.h>

#include "settings_json.h"
#include "sinew/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static sniBytes print(const snVolumeProfile* profile, const snAllocator* memory) {
    sniBytes text = sni_bytes(memory);
    sniJsonValue* tree = sni_object_tree(&sni_profile_object, profile, true);
    if (tree == NULL) abort();
    sni_json_print(tree, true, &text);
    sni_json_free(tree);
    if (text.failed) abort();
    return text;
}

// Curves are finite and not negative everywhere, and their folds between none and all.
static void check_curves(const snVolumeProfile* profile) {
    static const float places[] = {-3e38f, -1.0f, -0.25f, 0.0f, 1e-30f, 0.4f, 1.0f, 99.0f, 3e38f};
    for (size_t i = 0; i < sizeof places / sizeof places[0] * 3; i++) {
        const snVolumeCurve* curve = &profile->axes[i % 3];
        float all = sn_volume_curve_at(curve, places[i / 3], 1.0f);
        float none = sn_volume_curve_at(curve, places[i / 3], 0.0f);
        if (!(all >= 0.0f && all <= none)) abort();
    }
}

// What is refused says why and changes nothing; what is taken is valid, and says the same when it is written
// and read again.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    snAllocator memory = sn_allocator_default();
    snVolumeProfile profile = *sn_volume_preset(2);
    snError error = sn_error_none();
    snResult result = sn_volume_profile_read_memory("fuzz.json", data, size, NULL, &profile, &error);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0') abort();
        if (memcmp(&profile, sn_volume_preset(2), sizeof profile) != 0) abort();
        return 0;
    }
    if (sn_volume_profile_validate(&profile, NULL) != SN_RESULT_OK) abort();
    check_curves(&profile);
    sniBytes text = print(&profile, &memory);
    snVolumeProfile second;
    if (sn_volume_profile_read_memory("again.json", text.data, text.size, NULL, &second, NULL) !=
        SN_RESULT_OK)
        abort();
    sniBytes again = print(&second, &memory);
    if (text.size != again.size || memcmp(text.data, again.data, text.size) != 0) abort();
    sni_bytes_free(&text);
    sni_bytes_free(&again);
    return 0;
}
