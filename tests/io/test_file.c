// Writing under a temporary name.
#define _GNU_SOURCE

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "io_support.h"

static uint32_t count_temporaries(void) {
    DIR* folder = opendir(test_out_path("."));
    assert_non_null(folder);
    uint32_t count = 0;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        count += strstr(entry->d_name, "file_test") != NULL && strstr(entry->d_name, ".tmp") != NULL;
    }
    closedir(folder);
    return count;
}

static void replaces_whole_files(void** state) {
    (void)state;
    assert_ok(sn_file_write(test_out_path("file_test.bin"), "first", 5, NULL));
    assert_ok(sn_file_write(test_out_path("file_test.bin"), "2nd", 3, NULL));
    TestFile file = test_load(test_out_path("file_test.bin"));
    assert_int_equal(file.size, 3);
    assert_memory_equal(file.data, "2nd", 3);
    test_file_free(&file);
    assert_int_equal(count_temporaries(), 0);
}

static void fails_without_a_trace(void** state) {
    (void)state;
    snError error;
    assert_int_equal(sn_file_write(test_out_path("no/such/folder.bin"), "x", 1, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.text, "cannot create"));
    // A folder in the way lets the write succeed and the rename fail.
    char path[1100];
    snprintf(path, sizeof path, "%s", SINEW_TEST_OUT);
    assert_int_equal(sn_file_write(path, "x", 1, &error), SN_RESULT_IO);
    assert_int_equal(count_temporaries(), 0);
    assert_int_equal(sn_file_write(NULL, "x", 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_file_write("x", NULL, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    char long_path[5000];
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(sn_file_write(long_path, "x", 1, &error), SN_RESULT_IO);
}

// What a writer holds stays; what was left goes, behind others too; what is no file of ours is let alone.
static void left_temporaries_go(void** state) {
    (void)state;
    static const char* const names[] = {"file_test.x.0.tmp", "file_test.x.1.tmp", "file_test.x.2.tmp"};
    char paths[3][1100], target[1100];
    snprintf(target, sizeof target, "%s", test_out_path("file_test.x"));
    for (int i = 0; i < 3; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", test_out_path(names[i]));
        unlink(paths[i]);
    }
    int held = open(paths[0], O_RDWR | O_CREAT, 0600);
    assert_true(held >= 0);
    assert_int_equal(flock(held, LOCK_EX), 0);
    int left = open(paths[2], O_RDWR | O_CREAT, 0600);
    close(left);
    assert_ok(sn_file_write(target, "1", 1, NULL));
    assert_true(sni_file_exists(paths[0]));
    assert_int_equal(count_temporaries(), 1);
    left = open(paths[1], O_RDWR | O_CREAT, 0600);
    close(left);
    assert_ok(sn_file_write(target, "2", 1, NULL));
    assert_true(sni_file_exists(paths[0]));
    assert_int_equal(count_temporaries(), 1);
    close(held);
    assert_ok(sn_file_write(target, "3", 1, NULL));
    assert_int_equal(count_temporaries(), 0);
    // A link to a file of somebody else's is neither followed nor removed.
    assert_int_equal(symlink(target, paths[0]), 0);
    assert_ok(sn_file_write(target, "4", 1, NULL));
    TestFile file = test_load(target);
    assert_memory_equal(file.data, "4", 1);
    test_file_free(&file);
    assert_int_equal(count_temporaries(), 1);
    unlink(paths[0]);
}

static void reads_within_the_limit(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    uint8_t* data = NULL;
    size_t size = 0;
    snError error;
    assert_ok(sn_file_write(test_out_path("file_test.bin"), "12345678", 8, NULL));
    assert_int_equal(sni_file_read(test_out_path("file_test.bin"), 8, &memory, &data, &size, &error),
                     SN_RESULT_LIMIT);
    assert_int_equal(sni_file_read(SINEW_TEST_OUT, 8, &memory, &data, &size, &error), SN_RESULT_IO);
    assert_null(data);
    assert_ok(sni_file_read(test_out_path("file_test.bin"), 9, &memory, &data, &size, &error));
    assert_int_equal(size, 8);
    assert_int_equal(data[8], 0);
    memory.free(memory.user, data);
}

static snResult list_once(const snAllocator* allocator, void* context) {
    snNameList list = {0};
    snResult result = sn_folder_list(context, ".list", allocator, &list, NULL);
    sn_name_list_free(&list);
    return result;
}

// By bytes, and by extension in any case.
static void folders_are_listed(void** state) {
    (void)state;
    static const char* const names[] = {"b.list", "B.LIST", "a.list", "c.other", "list"};
    char* folder = strdup(test_out_path("file_list"));
    mkdir(folder, 0777);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_ok(sn_file_write(path, "x", 1, NULL));
    }
    snNameList list = {0};
    snError error = sn_error_none();
    assert_ok(sn_folder_list(folder, ".list", NULL, &list, &error));
    assert_int_equal(list.count, 3);
    assert_string_equal(list.names[0], "B.LIST");
    assert_string_equal(list.names[1], "a.list");
    assert_string_equal(list.names[2], "b.list");
    sn_name_list_free(&list);
    assert_int_equal(list.count, 0);
    assert_ok(sn_folder_list(folder, ".none", NULL, &list, &error));
    assert_int_equal(list.count, 0);
    sn_name_list_free(&list);
    assert_int_equal(sn_folder_list("/no/such", ".list", NULL, &list, &error), SN_RESULT_IO);
    assert_string_equal(error.file, "/no/such");
    assert_int_equal(sn_folder_list(NULL, ".list", NULL, &list, &error), SN_RESULT_INVALID_ARGUMENT);
    test_every_allocation(list_once, folder);
    free(folder);
}

static void takes_paths_apart(void** state) {
    (void)state;
    assert_int_equal(sni_path_folder("a/b.c/d"), 6);
    assert_int_equal(sni_path_folder("d"), 0);
    assert_string_equal(sni_path_extension("a.b/c"), "");
    assert_string_equal(sni_path_extension("a.b/c.tar.GLB"), ".GLB");
    assert_true(sni_extension_is(".GlB", ".glb"));
    assert_false(sni_extension_is(".glbx", ".glb"));
    assert_false(sni_extension_is(".gl", ".glb"));
    assert_true(sni_file_same_folder(SINEW_TEST_OUT "/a", SINEW_TEST_OUT "/../out/b"));
    assert_false(sni_file_same_folder(SINEW_TEST_OUT "/a", "/b"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_whole_files), cmocka_unit_test(fails_without_a_trace),
        cmocka_unit_test(left_temporaries_go),  cmocka_unit_test(reads_within_the_limit),
        cmocka_unit_test(folders_are_listed),   cmocka_unit_test(takes_paths_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
