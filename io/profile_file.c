// Files of exact volume that name no character: a profile, or targets over time.
#include "base/error.h"
#include "base/memory.h"
#include "settings_json.h"
#include "sinew/io.h"

// ------------------------------------------------------------------------------------------------ profiles

typedef struct Profile {
    snVolumeProfile read;
    const snAllocator* memory;
} Profile;

static snResult apply_profile(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    Profile* profile = user;
    sniReading reading = {profile->memory, *root, SN_RESULT_OK, error};
    sni_object_read(&reading, root, &sni_profile_object, &profile->read);
    if (sni_json_find(root->value, "profile") == NULL) sni_fault(&reading, root, "lacks \"profile\": 1");
    snError detail = sn_error_none();
    if (reading.result == SN_RESULT_OK && sn_volume_profile_validate(&profile->read, &detail) != SN_RESULT_OK)
        sni_fault(&reading, root, "cannot be used: %s", detail.text);
    *out_where = reading.where;
    return reading.result;
}

snResult sn_volume_profile_read_memory(const char* name, const void* data, size_t size,
                                       const snAllocator* allocator, snVolumeProfile* out, snError* error) {
    if (name == NULL || out == NULL || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and a profile are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    Profile profile = {.memory = &memory};
    snResult result = sni_settings_parse_copy(name, data, size, &memory, apply_profile, &profile, error);
    if (result == SN_RESULT_OK) *out = profile.read;
    return result;
}

snResult sn_volume_profile_read(const char* path, const snAllocator* allocator, snVolumeProfile* out,
                                snError* error) {
    if (path == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and a profile are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    Profile profile = {.memory = &memory};
    snResult result = sni_settings_parse_file(path, &memory, apply_profile, &profile, error);
    if (result == SN_RESULT_OK) *out = profile.read;
    return result;
}

static snResult print_profile(const snVolumeProfile* profile, sniBytes* out, snError* error) {
    SNI_TRY(sn_volume_profile_validate(profile, error));
    sniJsonValue* tree = sni_object_tree(&sni_profile_object, profile, true);
    if (tree == NULL) return sni_fail_memory(error);
    sni_json_print(tree, true, out);
    sni_bytes_text(out, "\n");
    sni_json_free(tree);
    return SN_RESULT_OK;
}

snResult sn_volume_profile_write(const snVolumeProfile* profile, const char* path, snError* error) {
    if (profile == NULL || path == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a profile and a path are needed");
    }
    snAllocator memory = sn_allocator_default();
    sniBytes out = sni_bytes(&memory);
    return sni_bytes_save(&out, print_profile(profile, &out, error), path, error);
}

snResult sn_volume_profile_write_memory(const snVolumeProfile* profile, const snAllocator* allocator,
                                        snBytes* out, snError* error) {
    if (profile == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a profile and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, print_profile(profile, &bytes, error), out, error);
}

// ------------------------------------------------------------------------------------------------- targets

typedef struct Targets {
    sniReading* reading;
    const sniJson* root;
    snSettings* settings;
} Targets;

static void read_targets(void* user, const char* key, sniJsonValue* value) {
    const Targets* targets = user;
    (void)value;
    sniJson json = sni_json_get(targets->root, key);
    if (targets->reading->result != SN_RESULT_OK) return;
    if (strcmp(key, "targets") == 0)
        sni_settings_read_list(targets->reading, &json, sni_settings_find_list("volume.targets"),
                               targets->settings);
    else
        sni_fault(targets->reading, &json, "is unknown; did you mean \"targets\"?");
}

// Unknown keys may come after the list, so it is read into a copy first.
static snResult apply_targets(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    snSettings *settings = user, *copy = NULL;
    snResult result = sn_settings_copy(settings, &settings->allocator, &copy, error);
    if (result != SN_RESULT_OK) return result;
    sniReading reading = {&copy->allocator, *root, SN_RESULT_OK, error};
    Targets targets = {&reading, root, copy};
    if (!sni_json_is_object(root))
        sni_fault_kind(&reading, root, "an object");
    else
        sni_json_each(root->value, read_targets, &targets);
    if (sni_json_find(root->value, "targets") == NULL) sni_fault(&reading, root, "lacks \"targets\"");
    if (reading.result == SN_RESULT_OK) {
        snSettings old = *settings;
        *settings = *copy;
        *copy = old;
    }
    sn_settings_destroy(copy);
    *out_where = reading.where;
    return reading.result;
}

snResult sn_volume_targets_read(const char* path, snSettings* settings, snError* error) {
    if (path == NULL || settings == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and settings are needed");
    }
    return sni_settings_parse_file(path, &settings->allocator, apply_targets, settings, error);
}

snResult sn_volume_targets_read_memory(const char* name, const void* data, size_t size, snSettings* settings,
                                       snError* error) {
    if (name == NULL || settings == NULL || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and settings are needed");
    }
    return sni_settings_parse_copy(name, data, size, &settings->allocator, apply_targets, settings, error);
}

snResult sn_volume_profile_open(const char* name, const snAllocator* allocator, snVolumeProfile* out,
                                snError* error) {
    if (name == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name and an output are needed");
    const snVolumeProfile* preset = sn_volume_preset_find(name);
    if (preset == NULL && strpbrk(name, "./") == NULL)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no profile %.60s", name);
    if (preset == NULL) return sn_volume_profile_read(name, allocator, out, error);
    *out = *preset;
    return SN_RESULT_OK;
}
