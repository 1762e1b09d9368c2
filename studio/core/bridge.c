// What JavaScript needs of C beside the library itself: addresses of functions, progress that reaches a
// function of JavaScript, and any call of the library as a job on a stack of its own.
//
// A job may pause only where nothing of JavaScript is on its stack, so the call is made from here, by
// address.
#include <emscripten.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/io.h"
#include "sinew/job.h"

#define API EMSCRIPTEN_KEEPALIVE

extern const void* const sinew_functions[]; // addresses.c
API const void* const* sinew_function_table(void);
const void* const* sinew_function_table(void) { return sinew_functions; }

API double sinew_clock(void);
double sinew_clock(void) { return emscripten_get_now() / 1000.0; }
typedef double ClockFn(void);
API ClockFn* sinew_clock_address(void);
ClockFn* sinew_clock_address(void) { return sinew_clock; }

// ------------------------------------------------------------------------------------------------ progress

// clang-format off
EM_JS(int, sinew_tell, (int listener, const char* stage, float share), {
    return Module["sinewTell"](listener, stage, share);
});
// clang-format on

typedef struct Call {
    const void* function;
    uint32_t count;
    int32_t error; // which argument the error is; -1: none
    int32_t listener;
    double deadline; // milliseconds of emscripten_get_now
    const snProgress* progress;
    int32_t arguments[16];
} Call;
_Static_assert(offsetof(Call, arguments) == 28 && sizeof(Call) == 96, "src/job.js writes it");

// The job whose stack is in use; NULL: none.
static Call* running;

// The progress of every call from JavaScript, kept by takes and checkups too: in a job it is the job's, else
// that of the listener whose number `user` is; 0 is nobody.
static bool progress(void* user, const char* stage, float share) {
    if (running != NULL) return running->progress->run(running->progress->user, stage, share);
    return user == NULL || sinew_tell((int)(intptr_t)user, stage, share) != 0;
}
API snProgressFn* sinew_progress_address(void);
snProgressFn* sinew_progress_address(void) { return progress; }

// ---------------------------------------------------------------------------------------------- other
// formats

enum { IMPORTER_ABSENT = -1, IMPORTER_CRASHED = -2 };

// clang-format off
EM_JS(int, sinew_import_begin, (const void* data, size_t size, float unit), {
    return Module["sinewImport"](data, size, unit);
});
EM_JS(void, sinew_import_take, (void* out), {
    Module["sinewImportTake"](out);
});
// clang-format on

// FBX is read by a module of its own, which has its memory for itself.
static snResult import_file(void* user, const char* name, const void* data, size_t size, float unit,
                            snBytes* out, snError* error) {
    (void)user;
    const char* extension = strrchr(name, '.');
    if (extension == NULL || strcasecmp(extension, ".fbx") != 0)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "\"%.16s\" files are not read in a page: convert them to .glb first",
                        extension != NULL ? extension : "");
    int length = sinew_import_begin(data, size, unit);
    if (length == IMPORTER_ABSENT)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "FBX is read by a module that is not loaded yet");
    if (length < 0) return sni_fail(error, SN_RESULT_BAD_DATA, "the importer crashed");
    snBytes bytes = {.size = (size_t)length, .allocator = sn_allocator_default()};
    bytes.data = SNI_NEW_ARRAY(&bytes.allocator, uint8_t, bytes.size);
    if (bytes.data == NULL) return sni_fail_memory(error);
    sinew_import_take(bytes.data);
    *out = bytes;
    return SN_RESULT_OK;
}
API snImportFn* sinew_import_address(void);
snImportFn* sinew_import_address(void) { return import_file; }

// ---------------------------------------------------------------------------------------------------- jobs

typedef int32_t Fn0(void);
#define I int32_t
typedef I Fn1(I);
typedef I Fn2(I, I);
typedef I Fn3(I, I, I);
typedef I Fn4(I, I, I, I);
typedef I Fn5(I, I, I, I, I);
typedef I Fn6(I, I, I, I, I, I);
typedef I Fn7(I, I, I, I, I, I, I);
typedef I Fn8(I, I, I, I, I, I, I, I);
typedef I Fn9(I, I, I, I, I, I, I, I, I);
typedef I Fn10(I, I, I, I, I, I, I, I, I, I);
#undef I

static snResult run(void* user, const snProgress* job_progress, snError* error) {
    Call* call = user;
    call->progress = job_progress;
    if (call->error >= 0) call->arguments[call->error] = (int32_t)(intptr_t)error;
    const void* f = call->function;
    const int32_t* a = call->arguments;
    switch (call->count) {
    case 0:
        return (snResult)((Fn0*)f)();
    case 1:
        return (snResult)((Fn1*)f)(a[0]);
    case 2:
        return (snResult)((Fn2*)f)(a[0], a[1]);
    case 3:
        return (snResult)((Fn3*)f)(a[0], a[1], a[2]);
    case 4:
        return (snResult)((Fn4*)f)(a[0], a[1], a[2], a[3]);
    case 5:
        return (snResult)((Fn5*)f)(a[0], a[1], a[2], a[3], a[4]);
    case 6:
        return (snResult)((Fn6*)f)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 7:
        return (snResult)((Fn7*)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    case 8:
        return (snResult)((Fn8*)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    case 9:
        return (snResult)((Fn9*)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    case 10:
        return (snResult)((Fn10*)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
    default:
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "a job of %u arguments", call->count);
    }
}

// While JavaScript listens, calls that it makes are its own and not the job's.
static bool told(void* user, const char* stage, float share) {
    Call* call = user;
    if (call->listener == 0) return true;
    running = NULL;
    bool on = sinew_tell(call->listener, stage, share) != 0;
    running = call;
    return on;
}

static bool due(void* user) {
    const Call* call = user;
    return emscripten_get_now() >= call->deadline;
}

// The call's memory is the caller's, until the job is destroyed.
API snResult sinew_job_create(Call* call, size_t stack_bytes, snJob** out, snError* error);
snResult sinew_job_create(Call* call, size_t stack_bytes, snJob** out, snError* error) {
    snJobDef def = sn_job_def();
    def.run = run;
    def.progress = (snProgress){told, call};
    def.due = due;
    def.user = call;
    if (stack_bytes > 0) def.stack_bytes = stack_bytes;
    return sn_job_create(&def, NULL, out, error);
}

// One slice. What it returns would be lost on the way out; sinew_job_runs says it, and has to be asked.
API void sinew_job_step(snJob* job, Call* call, double milliseconds);
void sinew_job_step(snJob* job, Call* call, double milliseconds) {
    call->deadline = emscripten_get_now() + milliseconds;
    running = call;
    sn_job_step(job);
}
API bool sinew_job_runs(const snJob* job);
bool sinew_job_runs(const snJob* job) {
    running = NULL;
    return sn_job_runs(job);
}
API void sinew_job_cancel(snJob* job);
void sinew_job_cancel(snJob* job) { sn_job_cancel(job); }
API snResult sinew_job_result(const snJob* job, snError* error);
snResult sinew_job_result(const snJob* job, snError* error) { return sn_job_result(job, error); }
// Of one that has ended.
API void sinew_job_destroy(snJob* job);
void sinew_job_destroy(snJob* job) { sn_job_destroy(job); }
