// Zip archives made byte by byte, also such as no program would write.
#ifndef SINEW_TEST_ZIP_SUPPORT_H
#define SINEW_TEST_ZIP_SUPPORT_H

#include "io_support.h"

typedef struct TestEntry {
    const char* name;
    const void* data;
    size_t size;
    uint16_t flags;   // 1: encrypted
    uint16_t method;  // 0: stored, 8: deflated
    uint32_t claimed; // size when unpacked; 0: the true one
    uint32_t damage;  // added to the check sum
} TestEntry;

TestFile test_zip(const TestEntry* entries, uint32_t count); // freed with test_file_free

#endif
