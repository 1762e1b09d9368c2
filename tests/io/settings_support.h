// Settings with something in every place, and what makes two of them equal.
#ifndef SINEW_TEST_SETTINGS_SUPPORT_H
#define SINEW_TEST_SETTINGS_SUPPORT_H

#include "io_support.h"

snSettings* test_settings(void); // the defaults
// Every single value differs from its default, floats with digits that only the exact decimal gives back; all
// lists are filled. `seed` chooses other values.
void test_settings_change(snSettings* settings, uint32_t seed);
// A profile with digits that only the exact decimal gives back, and keys on every axis.
snVolumeProfile test_profile(uint32_t* random);
void test_profile_equal(const snVolumeProfile* a, const snVolumeProfile* b);
// A style with something of everything, digits as above, textures of both depths.
snStyle* test_style(const char* name, uint32_t* random);
void test_style_equal(const snStyle* a, const snStyle* b);
// Fails the test, with the key, when any bit of any setting differs.
void test_settings_equal(const snSettings* a, const snSettings* b);

#endif
