// Small files made in memory, and the common questions about what a reader makes of them.
#ifndef SINEW_TEST_IO_SUPPORT_H
#define SINEW_TEST_IO_SUPPORT_H

#include "sinew/io.h"
#include "support.h"

// A GLB of this JSON text and binary chunk (may be NULL); freed with test_file_free.
typedef struct TestFile {
    uint8_t* data;
    size_t size;
} TestFile;
TestFile test_glb(const char* json, const void* chunk, size_t chunk_size);
void test_file_free(TestFile* file);
// A file's bytes; fails the test when it cannot be read.
TestFile test_load(const char* path);

// Path of the buffer that a .gltf names; valid until the next call.
const char* test_bin_path(const char* gltf);

// Reads from memory and expects success.
snModel* test_read(const char* name, const void* data, size_t size, snNotes* notes);
// Reads a file and expects success.
snModel* test_read_file(const char* path, snNotes* notes);
// Writes a model below the test's own folder and says where; free it. Files in "clean" must satisfy the
// validator.
char* test_write(const snModel* model, const char* name, const snWriteDef* def);
// Reads what was written here: there is nothing to repair, not even a mesh that the extension or the lattice
// no longer fit.
snModel* test_read_clean(const char* path);
// The part of that name; a mesh that a joint carries itself comes back under the joint's.
uint32_t test_find_part(const snModel* model, const char* name, const char* joint);
// For test_every_allocation: read once from memory (a TestFile of a .glb) or from a file (its path).
snResult test_build_glb(const snAllocator* allocator, void* file);
snResult test_build_path(const snAllocator* allocator, void* path);
// Reads from memory and expects this result and this sentence somewhere in the formatted error.
void test_refuse(const char* name, const void* data, size_t size, snResult result, const char* sentence);

// A quad as two triangles with everything a character has: two joints, weights, one morph target, one clip, a
// group. JSON and chunk of a valid GLB.
extern const char* const test_quad_json;
TestFile test_quad_chunk(void);

// True when both models hold the same numbers (names, skeleton, skins, parts, clips).
void test_same_model(const snModel* a, const snModel* b);

#endif
