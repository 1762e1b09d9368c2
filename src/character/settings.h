// Settings inside: the lists of exact volume, which have a file of their own.
#ifndef SNI_CHARACTER_SETTINGS_H
#define SNI_CHARACTER_SETTINGS_H

#include "sinew/settings.h"

// "LIST 3: reason", counted from 1.
snResult sni_settings_bad(snError* error, const char* list, uint32_t index, const char* reason);
snResult sni_settings_check_length(const char* list, uint32_t count, snError* error);
// A copy of a text that may be NULL; false when out of memory.
bool sni_settings_copy_name(const snAllocator* memory, const char* name, char** out);

snResult sni_volume_rules_check(const snVolumeRule* rules, uint32_t count, snError* error);
snResult sni_volume_targets_check(const snVolumeTarget* targets, uint32_t count, snError* error);
void sni_volume_rules_free(const snAllocator* memory, snVolumeRule* rules, uint32_t count);
void sni_volume_targets_free(const snAllocator* memory, snVolumeTarget* targets, uint32_t count);

#endif
