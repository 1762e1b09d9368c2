// The settings of pushes: flesh that is moved by hands for some time.
#include "base/error.h"
#include "base/memory.h"
#include "settings/settings.h"

snResult sni_pushes_check(const snPush* pushes, uint32_t count, snError* error) {
    SNI_TRY(sni_settings_check_length("pushes", count, error));
    for (uint32_t i = 0; i < count; i++) {
        const snPush* push = &pushes[i];
        if (push->joint == NULL)
            return sni_settings_bad(error, "push", i, "it needs a joint, or an empty name and a place");
        if (!sn_vec3_finite(push->place) || !sn_vec3_finite(push->move))
            return sni_settings_bad(error, "push", i, "place and move must be finite");
        if (!(push->radius >= 0.0f && sn_finite(push->radius)))
            return sni_settings_bad(error, "push", i, "its radius must be 0 or more");
        if (!(sn_finite(push->from) && sn_finite(push->to) && push->to > push->from))
            return sni_settings_bad(error, "push", i, "it must end after it begins");
    }
    return SN_RESULT_OK;
}

void sni_pushes_free(const snAllocator* memory, snPush* pushes, uint32_t count) {
    for (uint32_t i = 0; i < count && pushes != NULL; i++) sni_free(memory, pushes[i].joint);
    sni_free(memory, pushes);
}

static bool copy_all(const snAllocator* memory, const snPush* pushes, uint32_t count, snPush* out) {
    bool enough = true;
    for (uint32_t i = 0; i < count && enough; i++) {
        out[i] = pushes[i];
        enough = sni_settings_copy_name(memory, pushes[i].joint, &out[i].joint);
    }
    return enough;
}

// Those that are there up to `kept`, then the new ones.
static snResult replace(snSettings* settings, uint32_t kept, const snPush* pushes, uint32_t count,
                        snError* error) {
    const snAllocator* memory = &settings->allocator;
    SNI_TRY(sni_pushes_check(pushes, count, error));
    SNI_TRY(sni_settings_check_length("pushes", kept + count, error));
    snPush* copy = SNI_NEW_ARRAY(memory, snPush, (size_t)kept + count);
    if (copy == NULL || !copy_all(memory, settings->pushes, kept, copy) ||
        !copy_all(memory, pushes, count, copy + kept)) {
        sni_pushes_free(memory, copy, kept + count);
        return sni_fail_memory(error);
    }
    sni_pushes_free(memory, settings->pushes, settings->push_count);
    settings->pushes = copy;
    settings->push_count = kept + count;
    return SN_RESULT_OK;
}

snResult sn_settings_set_pushes(snSettings* settings, const snPush* pushes, uint32_t count, snError* error) {
    return replace(settings, 0, pushes, count, error);
}

snResult sn_settings_add_push(snSettings* settings, const snPush* push, snError* error) {
    return replace(settings, settings->push_count, push, 1, error);
}
