// A worker of a web service: a stranger's model on standard input, a GLB on standard output.
//
// worker [FORMATS] <upload >answer.glb: of the formats ("glb", "glb,obj") the first is what the upload is
// taken for. Exit codes are those of the command line: 2 for a bad file, 4 for memory, time or input and
// output. One process serves one upload and ends; sinew-worker.socket and sinew-worker@.service let systemd
// start it.
#include <signal.h>
#include <sinew/io.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BAD_FILE = 2, USAGE = 3, LIMIT = 4 };
enum { SECONDS = 20 };                        // of the clock; half of that of the processor
#define UPLOAD_LIMIT ((size_t)32 << 20)       // bytes
#define MEMORY_LIMIT ((size_t)256 << 20)      // what reading may hold
#define PROCESS_LIMIT ((rlim_t)(512ul << 20)) // all of it, whoever asks for it

// The alarm's only way out that needs nothing of what it interrupts.
static void give_up(int number) {
    (void)number;
    _exit(LIMIT);
}

static void bound(unsigned what, rlim_t most) {
    const struct rlimit limit = {most, most};
    setrlimit(what, &limit);
}

// The whole upload; more than the limit is nothing.
static uint8_t* take(size_t* out_size) {
    uint8_t* data = malloc(UPLOAD_LIMIT + 1);
    size_t size = 0;
    while (data != NULL && size <= UPLOAD_LIMIT) {
        ssize_t part = read(STDIN_FILENO, data + size, UPLOAD_LIMIT + 1 - size);
        if (part < 0) break;
        if (part == 0) {
            *out_size = size;
            return data;
        }
        size += (size_t)part;
    }
    free(data);
    return NULL;
}

static bool give(const snBytes* bytes) {
    for (size_t done = 0; done < bytes->size;) {
        ssize_t part = write(STDOUT_FILENO, bytes->data + done, bytes->size - done);
        if (part <= 0) return false;
        done += (size_t)part;
    }
    return true;
}

// What the service does: here the model is bound where it has a skeleton and no skin, and leaves as GLB.
static snResult serve(const char* formats, const uint8_t* data, size_t size, snBytes* out, snError* error) {
    char name[32];
    snprintf(name, sizeof name, "upload.%.*s", (int)strcspn(formats, ","), formats);
    // Nothing lies beside an upload: buffers and pictures are in it.
    const snFiles nothing = {0, NULL};
    snReadDef def = sn_read_def();
    def.memory_limit = MEMORY_LIMIT;
    def.limits = (snReadLimits){.joints = 2000, .clips = 500, .parts = 2000};
    def.formats = formats;
    def.files = &nothing;
    snModel* model = NULL;
    snResult result = sn_model_read_memory(name, data, size, &def, &model, error);
    if (result == SN_RESULT_OK && model->skin_count == 0 && model->skeleton->joint_count > 1) {
        snBindDef bind = sn_bind_def();
        bind.memory_limit = MEMORY_LIMIT;
        snError why; // a model that cannot be bound leaves as it came
        sn_model_bind(model, &bind, NULL, &why);
    }
    if (result == SN_RESULT_OK) result = sn_model_write_memory(model, "answer.glb", NULL, NULL, out, error);
    sn_model_destroy(model);
    return result;
}

static int exit_code(snResult result) {
    switch (result) {
    case SN_RESULT_OK:
        return 0;
    case SN_RESULT_OUT_OF_MEMORY:
    case SN_RESULT_LIMIT:
    case SN_RESULT_TIME:
    case SN_RESULT_IO:
        return LIMIT;
    default:
        return BAD_FILE;
    }
}

int main(int argc, char** argv) {
    const char* formats = argc > 1 ? argv[1] : "glb";
    if (argc > 2 || formats[0] == '\0') {
        fputs("usage: worker [FORMATS] <upload >answer.glb\n", stderr);
        return USAGE;
    }
    signal(SIGALRM, give_up);
    signal(SIGXCPU, give_up);
    alarm(SECONDS);
    bound(RLIMIT_CPU, SECONDS / 2);
    bound(RLIMIT_AS, PROCESS_LIMIT);
    bound(RLIMIT_CORE, 0);
    size_t size = 0;
    uint8_t* data = take(&size);
    if (data == NULL) {
        fputs("the upload is too large\n", stderr);
        return LIMIT;
    }
    // From here on a stranger's bytes are looked at, and nothing but the three streams can be reached.
    const char* missing = sn_sandbox_enter();
    if (missing[0] != '\0') fprintf(stderr, "this kernel has no %s\n", missing);
    snBytes answer = {0};
    snError error = sn_error_none();
    snResult result = serve(formats, data, size, &answer, &error);
    free(data);
    if (result != SN_RESULT_OK) fprintf(stderr, "%s\n", error.text);
    if (result == SN_RESULT_OK && !give(&answer)) result = SN_RESULT_IO;
    sn_bytes_free(&answer);
    return exit_code(result);
}
