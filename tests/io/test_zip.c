// Zip archives: what is written reads back, the bytes are those of every build, and archives that lie are
// refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zip_archive.h"
#include "zip_support.h"

#define MANY 1000u

static snAllocator memory;

static void open_refused(const void* data, size_t size, snResult result, const char* sentence) {
    snError error = sn_error_none();
    sniZip* zip = NULL;
    assert_int_equal(sni_zip_open(data, size, MANY, &memory, &zip, &error), result);
    assert_null(zip);
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
}

static sniZip* open_zip(const void* data, size_t size) {
    snError error = sn_error_none();
    sniZip* zip = NULL;
    if (sni_zip_open(data, size, MANY, &memory, &zip, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return zip;
}

static void expect_entry(const sniZip* zip, const char* name, const void* data, size_t size) {
    uint8_t* read = NULL;
    size_t read_size = 0;
    snError error = sn_error_none();
    if (sni_zip_read(zip, name, size, &memory, &read, &read_size, &error) != SN_RESULT_OK)
        fail_msg("%s: %s", name, error.text);
    assert_int_equal(read_size, size);
    if (size > 0) assert_memory_equal(read, data, size);
    assert_int_equal(read[size], 0);
    sni_free(&memory, read);
}

static void read_refused(const sniZip* zip, const char* name, size_t limit, snResult result,
                         const char* sentence) {
    uint8_t* data = NULL;
    size_t size = 0;
    snError error = sn_error_none();
    assert_int_equal(sni_zip_read(zip, name, limit, &memory, &data, &size, &error), result);
    assert_null(data);
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
}

// -------------------------------------------------------------------------------------------------- writing

// What libzip wrote for 0.1.0, byte for byte.
static void bytes_are_those_of_old_files(void** state) {
    (void)state;
    TestFile file = test_load(SINEW_OLD_FILES "/old.snstyle");
    sniZip* zip = open_zip(file.data, file.size);
    sniZipEntry entries[5] = {0};
    assert_int_equal(sni_zip_count(zip), 5);
    for (uint32_t i = 0; i < 5; i++) {
        uint8_t* data = NULL;
        entries[i] = (sniZipEntry){.name = sni_zip_name(zip, i)};
        assert_ok(sni_zip_read(zip, entries[i].name, 1 << 20, &memory, &data, &entries[i].size, NULL));
        assert_int_equal(sni_zip_size(zip, i), entries[i].size);
        entries[i].data = data;
    }
    sniBytes out = sni_bytes(&memory);
    assert_ok(sni_zip_write(entries, 5, &out, NULL));
    assert_int_equal(out.size, file.size);
    assert_memory_equal(out.data, file.data, file.size);
    for (uint32_t i = 0; i < 5; i++) sni_free(&memory, (void*)entries[i].data);
    sni_bytes_free(&out);
    sni_zip_close(zip);
    test_file_free(&file);
}

static void entries_read_back(void** state) {
    (void)state;
    char zeros[5000] = {0};
    uint8_t noise[300];
    uint32_t random = 7;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)(test_random(&random) >> 9);
    const sniZipEntry entries[] = {
        {"empty", NULL, 0, false},
        {"folder/", NULL, 0, true},
        {"folder/a b.bin", noise, 300, false},
        {"folder/zeros", zeros, 5000, true},
        {"folder/noise", noise, 300, true}, // stored: deflate makes it no shorter
        {"gr\xc3\xbc\xc3\x9f.json", "{}", 2, true},
        {"z", "z", 1, true},
    };
    sniBytes out = sni_bytes(&memory), again = sni_bytes(&memory);
    sni_bytes_text(&again, "before"); // it is appended
    assert_ok(sni_zip_write(entries, 7, &out, NULL));
    assert_ok(sni_zip_write(entries, 7, &again, NULL));
    assert_int_equal(again.size, out.size + 6);
    assert_memory_equal(again.data + 6, out.data, out.size);
    assert_true(out.size < 2000);
    sniZip* zip = open_zip(out.data, out.size);
    for (uint32_t i = 0; i < 7; i++) {
        assert_string_equal(sni_zip_name(zip, i), entries[i].name);
        expect_entry(zip, entries[i].name, entries[i].data, entries[i].size);
    }
    read_refused(zip, "folder/zeros", 4999, SN_RESULT_LIMIT, "it has 5000 bytes, more than 4999");
    read_refused(zip, "folder", 9, SN_RESULT_NOT_FOUND, "the file is missing");
    sni_zip_close(zip);
    sni_bytes_free(&out);
    sni_bytes_free(&again);
}

static void many_entries_are_found(void** state) {
    (void)state;
    sniZipEntry* entries = calloc(MANY + 1, sizeof *entries);
    char(*names)[16] = calloc(MANY + 1, sizeof *names);
    for (uint32_t i = 0; i <= MANY; i++) {
        snprintf(names[i], sizeof names[i], "f%u", (i * 7919u) % (MANY + 1));
        entries[i] = (sniZipEntry){names[i], names[i], strlen(names[i]), false};
    }
    sniBytes out = sni_bytes(&memory);
    assert_ok(sni_zip_write(entries, MANY, &out, NULL));
    sniZip* zip = open_zip(out.data, out.size);
    for (uint32_t i = 0; i < MANY; i++) expect_entry(zip, names[i], names[i], strlen(names[i]));
    sni_zip_close(zip);
    out.size = 0;
    assert_ok(sni_zip_write(entries, MANY + 1, &out, NULL));
    open_refused(out.data, out.size, SN_RESULT_LIMIT, "it has 1001 entries, more than 1000");
    sni_bytes_free(&out);
    free(entries);
    free(names);
}

static void wrong_names_are_not_written(void** state) {
    (void)state;
    static const char* const names[] = {"",   "/a",   "..",   "a/..", "../a", "a/../b", "a//b",
                                        "//", "a\\b", "a\nb", "C:a",  "c:/a", "a/b//"};
    sniBytes out = sni_bytes(&memory);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const sniZipEntry entry = {names[i], "a", 1, false};
        snError error = sn_error_none();
        assert_int_equal(sni_zip_write(&entry, 1, &out, &error), SN_RESULT_INVALID_ARGUMENT);
        assert_non_null(strstr(error.text, "is not the name of a file inside a folder"));
    }
    const sniZipEntry twice[] = {{"a", "a", 1, false}, {"b", "b", 1, false}, {"a", "c", 1, false}};
    assert_int_equal(sni_zip_write(twice, 3, &out, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sni_zip_write(NULL, UINT16_MAX, &out, NULL), SN_RESULT_LIMIT);
    sni_bytes_free(&out);
}

// -------------------------------------------------------------------------------------------------- reading

static void wrong_names_are_refused(void** state) {
    (void)state;
    static const char* const names[] = {"",     "/etc/passwd", "../a",  "a/../../b",
                                        "a\\b", "a\tb",        "C:\\a", "a//b"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const TestEntry entry = {.name = names[i], .data = "a", .size = 1};
        TestFile file = test_zip(&entry, 1);
        open_refused(file.data, file.size, SN_RESULT_BAD_DATA, "is not the name of a file inside a folder");
        test_file_free(&file);
    }
    static const char* const fine[] = {"..a", "a..", "...", "a.b/..c/d", ".hidden", "folder/", "a b", "1:2"};
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        assert_int_equal(sni_zip_is_name(fine[i], strlen(fine[i])), i < 7); // the last could be a drive
    }
    assert_false(sni_zip_is_name("a\0b", 3));
}

// The record at the end of an archive of one entry called "name", changed at `at`.
static void refuse_end(size_t at, uint32_t value, size_t bytes, snResult result, const char* sentence) {
    const TestEntry entry = {.name = "name", .data = "abc", .size = 3};
    TestFile file = test_zip(&entry, 1);
    for (size_t i = 0; i < bytes; i++) file.data[file.size - 22 + at + i] = (uint8_t)(value >> 8 * i);
    open_refused(file.data, file.size, result, sentence);
    test_file_free(&file);
}

static void wrong_ends_are_refused(void** state) {
    (void)state;
    refuse_end(0, 0, 4, SN_RESULT_BAD_DATA, "its end is missing");
    refuse_end(20, 1, 2, SN_RESULT_BAD_DATA, "its end is missing"); // a comment that is not there
    refuse_end(4, 1, 2, SN_RESULT_UNSUPPORTED, "several files");
    refuse_end(8, 2, 2, SN_RESULT_UNSUPPORTED, "several files");
    refuse_end(8, UINT32_MAX, 4, SN_RESULT_UNSUPPORTED, "zip64");
    refuse_end(12, UINT32_MAX, 4, SN_RESULT_UNSUPPORTED, "zip64");
    refuse_end(16, UINT32_MAX, 4, SN_RESULT_UNSUPPORTED, "zip64");
    refuse_end(12, 500, 4, SN_RESULT_BAD_DATA, "after its end");
    refuse_end(16, 500, 4, SN_RESULT_BAD_DATA, "after its end");
    refuse_end(16, 0, 4, SN_RESULT_BAD_DATA, "its directory is damaged");
    refuse_end(8, 2 | 2 << 16, 4, SN_RESULT_BAD_DATA, "its directory is damaged");
    open_refused("", 0, SN_RESULT_BAD_DATA, "its end is missing");
}

// The record of the directory, 50 bytes with the name, which lies 22 before the end.
static void refuse_record(size_t at, uint32_t value, size_t bytes, snResult result, const char* sentence) {
    const TestEntry entry = {.name = "name", .data = "abc", .size = 3};
    TestFile file = test_zip(&entry, 1);
    for (size_t i = 0; i < bytes; i++) file.data[file.size - 72 + at + i] = (uint8_t)(value >> 8 * i);
    open_refused(file.data, file.size, result, sentence);
    test_file_free(&file);
}

static void wrong_records_are_refused(void** state) {
    (void)state;
    refuse_record(0, 0, 4, SN_RESULT_BAD_DATA, "its directory is damaged");
    refuse_record(28, 5, 2, SN_RESULT_BAD_DATA, "its directory is damaged"); // a name that goes on behind it
    refuse_record(8, 1, 2, SN_RESULT_UNSUPPORTED, "name is encrypted");
    refuse_record(8, 64, 2, SN_RESULT_UNSUPPORTED, "name is encrypted");
    refuse_record(8, 1 << 13, 2, SN_RESULT_UNSUPPORTED, "name is encrypted");
    refuse_record(20, UINT32_MAX, 4, SN_RESULT_UNSUPPORTED, "zip64");
    refuse_record(24, UINT32_MAX, 4, SN_RESULT_UNSUPPORTED, "zip64");
    refuse_record(42, UINT32_MAX, 4, SN_RESULT_UNSUPPORTED, "zip64");
    refuse_record(20, 4, 4, SN_RESULT_BAD_DATA, "name has fewer bytes than it declares");
    refuse_record(42, 40, 4, SN_RESULT_BAD_DATA, "name is declared to be after the others");
    refuse_record(42, 1, 4, SN_RESULT_BAD_DATA, "the position of name contains something else");
    refuse_record(10, 8, 2, SN_RESULT_BAD_DATA, "the position of name contains something else");
    refuse_record(46, 'm', 1, SN_RESULT_BAD_DATA, "contains something else"); // the two names differ
}

static void claims_are_checked(void** state) {
    (void)state;
    const TestEntry entries[] = {
        {.name = "long", .data = "abc", .size = 3, .claimed = 4},
        {.name = "bomb", .data = "abc", .size = 3, .method = 8, .claimed = 5000},
        {.name = "noise", .data = "\xff\xff\xff", .size = 3, .method = 8},
        {.name = "odd", .data = "abc", .size = 3, .method = 9},
        {.name = "sum", .data = "abc", .size = 3, .damage = 1},
        {.name = "fine", .data = "abc", .size = 3},
    };
    TestFile file = test_zip(entries, 6);
    sniZip* zip = open_zip(file.data, file.size);
    read_refused(zip, "long", 9999, SN_RESULT_BAD_DATA, "it declares 4 bytes, but has 3");
    read_refused(zip, "bomb", 9999, SN_RESULT_BAD_DATA, "it declares 5000 bytes, but has 3");
    read_refused(zip, "noise", 9999, SN_RESULT_BAD_DATA, "its packed bytes are damaged: ");
    read_refused(zip, "odd", 9999, SN_RESULT_UNSUPPORTED, "packed by method 9");
    read_refused(zip, "sum", 9999, SN_RESULT_BAD_DATA, "CRC error");
    expect_entry(zip, "fine", "abc", 3);
    sni_zip_close(zip);
    test_file_free(&file);
}

// Two records that share the bytes of one entry: how small archives become endless.
static void shared_bytes_are_refused(void** state) {
    (void)state;
    const TestEntry inner = {.name = "b", .data = "abc", .size = 3};
    TestFile hidden = test_zip(&inner, 1); // whose header is data of the other
    const TestEntry entries[] = {{.name = "a", .data = hidden.data, .size = 34}, inner};
    TestFile file = test_zip(entries, 2);
    file.data[file.size - 22 - 47 + 42] = 31; // the place of b is inside a
    open_refused(file.data, file.size, SN_RESULT_BAD_DATA, "a and b overlap");
    test_file_free(&hidden);
    test_file_free(&file);
}

// As streams are packed: sizes come behind the data, and a comment ends the archive.
static void other_programs_archives_are_read(void** state) {
    (void)state;
    const TestEntry entry = {.name = "name", .data = "abc", .size = 3, .flags = 8};
    TestFile file = test_zip(&entry, 1);
    memset(file.data + 14, 0, 12); // the sum and the sizes before the data
    file.data = realloc(file.data, file.size + 5);
    memcpy(file.data + file.size, "words", 5);
    file.data[file.size - 2] = 5;
    file.size += 5;
    sniZip* zip = open_zip(file.data, file.size);
    expect_entry(zip, "name", "abc", 3);
    sni_zip_close(zip);
    test_file_free(&file);
}

// -------------------------------------------------------------------------------------------------- memory

static snResult write_once(const snAllocator* allocator, void* context) {
    char zeros[400] = {0};
    const sniZipEntry entries[] = {{"a", zeros, 400, true}, {"b", "bcd", 3, false}};
    (void)context;
    sniBytes out = sni_bytes(allocator);
    snResult result = sni_zip_write(entries, 2, &out, NULL);
    sni_bytes_free(&out);
    return result;
}

static snResult read_once(const snAllocator* allocator, void* context) {
    const sniBytes* file = context;
    sniZip* zip = NULL;
    uint8_t* data = NULL;
    size_t size = 0;
    snResult result = sni_zip_open(file->data, file->size, 2, allocator, &zip, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sni_zip_read(zip, "a", 400, allocator, &data, &size, NULL);
    if (result == SN_RESULT_OK) sni_free(allocator, data);
    sni_zip_close(zip);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    char zeros[400] = {0};
    const sniZipEntry entries[] = {{"a", zeros, 400, true}, {"b", "bcd", 3, false}};
    sniBytes file = sni_bytes(&memory);
    test_every_allocation(write_once, NULL);
    assert_ok(sni_zip_write(entries, 2, &file, NULL));
    test_every_allocation(read_once, &file);
    sni_bytes_free(&file);
}

int main(void) {
    memory = sn_allocator_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_old_files),
        cmocka_unit_test(entries_read_back),
        cmocka_unit_test(many_entries_are_found),
        cmocka_unit_test(wrong_names_are_not_written),
        cmocka_unit_test(wrong_names_are_refused),
        cmocka_unit_test(wrong_ends_are_refused),
        cmocka_unit_test(wrong_records_are_refused),
        cmocka_unit_test(claims_are_checked),
        cmocka_unit_test(shared_bytes_are_refused),
        cmocka_unit_test(other_programs_archives_are_read),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
