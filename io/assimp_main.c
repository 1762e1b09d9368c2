// sinew-import EXTENSION UNIT: reads a file with assimp and writes the model to standard output.
//
// assimp has bugs that a bad file can reach, so it lives in this program; Sinew starts it with limits on time
// and memory. The file comes on standard input; when it is read the program enters a sandbox, before assimp
// sees a byte. sinew-import --sandbox UNIT tries what that refuses and says so instead.
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assimp_import.h"
#include "import_process.h"
#include "import_stream.h"
#include "sandbox.h"

#if SNI_SANITIZED
// assimp leaks. What comes from C++ is its own, so our leaks still show.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) { return "leak:libassimp\nleak:libstdc++\n"; }
// The limit on memory would refuse the sanitizer its shadow. Without any, a file on which assimp never ends
// fills memory for a minute.
__attribute__((visibility("default"))) const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "hard_rss_limit_mb=2560"; }
#endif

// ------------------------------------------------------------------------------------------- in and out

static bool read_input(sniBytes* input) {
    enum { STEP = 1 << 20 };
    for (;;) {
        uint8_t* room = sni_bytes_extend(input, STEP);
        ssize_t part = room != NULL ? read(STDIN_FILENO, room, STEP) : -1;
        if (part < 0) return false;
        input->size -= STEP - (size_t)part;
        if (part == 0) return true;
    }
}

static bool write_output(const sniBytes* output) {
    for (size_t done = 0; done < output->size;) {
        ssize_t part = write(STDOUT_FILENO, output->data + done, output->size - done);
        if (part <= 0) return false;
        done += (size_t)part;
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- main

// A line for each: "refused", "possible", and what.
static bool print_probes(sniBytes* output) {
    const char* missing = SNI_SANITIZED ? "all, in a build with sanitizers" : sn_sandbox_enter();
    sniProbe probes[SNI_PROBE_COUNT];
    sni_sandbox_probe(probes);
    for (uint32_t i = 0; i < SNI_PROBE_COUNT; i++) {
        sni_bytes_text(output, probes[i].refused ? "refused " : "possible ");
        sni_bytes_text(output, probes[i].act);
        sni_bytes_text(output, "\n");
    }
    sni_bytes_text(output, "missing ");
    sni_bytes_text(output, missing);
    sni_bytes_text(output, "\n");
    bool written = !output->failed && write_output(output);
    sni_bytes_free(output);
    return written;
}

int main(int argc, char** argv) {
    float unit = argc == 3 ? strtof(argv[2], NULL) : 0.0f;
    if (argc != 3 || !(unit > 0.0f) || !sn_finite(unit)) {
        fprintf(stderr, "usage: sinew-import EXTENSION UNIT <FILE >MODEL\n");
        return 2;
    }
    snAllocator memory = sn_allocator_default();
    sniBytes input = sni_bytes(&memory), output = sni_bytes(&memory);
    if (!read_input(&input)) {
        sni_stream_write_error(SN_RESULT_LIMIT, "is too large for the importer", &output);
    } else if (strcmp(argv[1], "--sandbox") == 0) {
        sni_bytes_free(&input);
        return print_probes(&output) ? 0 : 1;
    } else {
        // Sanitizers open files of their own.
        if (!SNI_SANITIZED) sn_sandbox_enter();
        sni_assimp_import(&input, argv[1], unit, &output);
    }
    bool written = !output.failed && write_output(&output);
    sni_bytes_free(&input);
    sni_bytes_free(&output);
    return written ? 0 : 1;
}
