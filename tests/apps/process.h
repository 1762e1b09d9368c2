// Runs the built program as a user would.
#ifndef SINEW_TEST_PROCESS_H
#define SINEW_TEST_PROCESS_H

#include <sys/types.h>

#include "io/json.h"
#include "support.h"

typedef struct TestRun {
    int exit_code;
    char* out; // what it wrote to stdout, terminated
    char* err; // and to stderr
} TestRun;

// Runs sinew with the given arguments (NULL after the last; the program's name is added). Fails the test when
// it dies by a signal. Free with test_run_free.
TestRun test_run(const char* const* arguments);
#define test_sinew(...) test_run((const char* const[]){__VA_ARGS__, NULL})
void test_run_free(TestRun* run);
// What it reads from standard input from now on; NULL: nothing.
void test_input(const char* path);
// Which program runs from now on; NULL: sinew.
void test_program(const char* path);
// The same with a terminal for stderr. What the program writes there must stay below a few kilobytes.
TestRun test_run_terminal(const char* const* arguments);

// Starts it and does not wait; what it says is thrown away.
pid_t test_start(const char* const* arguments);
// Sends a signal and waits; returns the status as waitpid gives it.
int test_stop(pid_t process, int signal);

// Runs it and expects this exit code; shows stderr when it differs.
TestRun test_expect(int exit_code, const char* const* arguments);
#define test_sinew_expect(code, ...) test_expect((code), (const char* const[]){__VA_ARGS__, NULL})

// Runs it, throws away what it says, and returns the most memory it had at once, in bytes as the kernel
// counts resident ones.
size_t test_peak(const char* const* arguments, int* out_exit);

// Parses stdout as JSON; fails the test when it is none.
sniJsonValue* test_json(const TestRun* run);
// Numbers, texts and truths under a key of an object; fail the test when missing.
double test_json_number(sniJsonValue* object, const char* key);
bool test_json_true(sniJsonValue* object, const char* key);
const char* test_json_text(sniJsonValue* object, const char* key);
size_t test_json_length(sniJsonValue* object, const char* key);

bool test_file_exists(const char* path);
// The file's bytes, to be freed; fails the test when it cannot be read.
uint8_t* test_file_bytes(const char* path, size_t* size);
// How many files of a folder have this in their name.
uint32_t test_files_like(const char* folder, const char* part);

// A path in the folder for outputs that stays valid; free it.
char* test_out_copy(const char* name);

#endif
