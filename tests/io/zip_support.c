#include "zip_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t check_sum(const uint8_t* data, size_t size) {
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~sum;
}

static void put(TestFile* file, uint32_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) file->data[file->size++] = (uint8_t)(value >> 8 * i);
}

static void put_bytes(TestFile* file, const void* data, size_t size) {
    if (size > 0) memcpy(file->data + file->size, data, size);
    file->size += size;
}

// What the header before the data and the one at the end have in common.
static void put_common(TestFile* file, const TestEntry* e) {
    put(file, 20, 2); // version that can unpack it
    put(file, e->flags, 2);
    put(file, e->method, 2);
    put(file, 0x21 << 16, 4); // time and date
    put(file, check_sum(e->data, e->size) + e->damage, 4);
    put(file, (uint32_t)e->size, 4);
    put(file, e->claimed != 0 ? e->claimed : (uint32_t)e->size, 4);
    put(file, (uint32_t)strlen(e->name), 2);
    put(file, 0, 2); // extra
}

TestFile test_zip(const TestEntry* entries, uint32_t count) {
    size_t capacity = 22;
    for (uint32_t i = 0; i < count; i++) capacity += 80 + 2 * strlen(entries[i].name) + entries[i].size;
    TestFile file = {malloc(capacity), 0};
    uint32_t* places = calloc(count + 1, sizeof *places);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (uint32_t)file.size;
        put(&file, 0x04034b50, 4);
        put_common(&file, &entries[i]);
        put_bytes(&file, entries[i].name, strlen(entries[i].name));
        put_bytes(&file, entries[i].data, entries[i].size);
    }
    uint32_t directory = (uint32_t)file.size;
    for (uint32_t i = 0; i < count; i++) {
        put(&file, 0x02014b50, 4);
        put(&file, 20, 2); // version that made it
        put_common(&file, &entries[i]);
        put(&file, 0, 4); // comment, disk
        put(&file, 0, 2); // attributes
        put(&file, 0, 4);
        put(&file, places[i], 4);
        put_bytes(&file, entries[i].name, strlen(entries[i].name));
    }
    uint32_t size = (uint32_t)file.size - directory;
    put(&file, 0x06054b50, 4);
    put(&file, 0, 4);
    put(&file, count, 2);
    put(&file, count, 2);
    put(&file, size, 4);
    put(&file, directory, 4);
    put(&file, 0, 2);
    free(places);
    return file;
}
