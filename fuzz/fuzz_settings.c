#include <stdlib.h>
#include <string.h>

#include "settings_json.h"
#include "sinew/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static snSettings* create(void) {
    snSettings* settings = NULL;
    if (sn_settings_create(NULL, &settings, NULL) != SN_RESULT_OK) abort();
    return settings;
}

static sniBytes print(const snSettings* settings) {
    sniBytes text = sni_bytes(&settings->allocator);
    sniJsonValue* tree = sni_settings_tree(settings);
    if (tree == NULL) abort();
    sni_json_print(tree, false, &text);
    sni_json_free(tree);
    if (text.failed) abort();
    return text;
}

static void expect_equal(const sniBytes* a, const sniBytes* b) {
    if (a->size != b->size || memcmp(a->data, b->data, a->size) != 0) abort();
}

// What is refused says why and changes nothing; what is taken is valid, and says the same when it is written
// and read again.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    snSettings* settings = create();
    sniBytes before = print(settings);
    snError error = sn_error_none();
    snResult result = sn_settings_read_memory("fuzz.json", data, size, settings, &error);
    sniBytes after = print(settings);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0') abort();
        expect_equal(&before, &after);
    } else {
        if (sn_settings_validate(settings, NULL) != SN_RESULT_OK) abort();
        snSettings* second = create();
        if (sn_settings_read_memory("again.json", after.data, after.size, second, NULL) != SN_RESULT_OK)
            abort();
        sniBytes again = print(second);
        expect_equal(&after, &again);
        sni_bytes_free(&again);
        sn_settings_destroy(second);
    }
    sni_bytes_free(&before);
    sni_bytes_free(&after);
    sn_settings_destroy(settings);
    return 0;
}
