// Sinew: calls in slices (target sinew_job). For programs with one thread that have to draw while a long call
// runs: a page in a browser.
//
// A job runs any call that tells its progress on a stack of its own. Where the call tells it, and the slice
// is spent, the job pauses and sn_job_step returns; the next step goes on from there. What the call does is
// the same, to the last bit, however it is sliced.
#ifndef SINEW_JOB_H
#define SINEW_JOB_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// The call. It hands `progress` and `error` to the functions of the library that it calls, and returns what
// they returned.
typedef snResult snJobFn(void* user, const snProgress* progress, snError* error);
// Is the slice spent? Asked wherever the call tells its progress.
typedef bool snJobDueFn(void* user);

#define SN_JOB_STACK ((size_t)1 << 20)

typedef struct snJobDef {
    snJobFn* run;
    // Told what the call tells, as if the call had been given it; false cancels. Runs on the job's stack, as
    // `due` does. Default: nobody.
    snProgress progress;
    snJobDueFn* due; // the library has no clock, the caller has; NULL (default): at once, at every tell
    void* user;      // of `run` and `due`
    // Bytes of the job's stack, 64 KiB or more; default SN_JOB_STACK. A call that needs a little more is
    // stopped with SN_RESULT_LIMIT; one that needs much more ends the program, as a stack that overflows does
    // everywhere.
    size_t stack_bytes;
} snJobDef;
SN_API snJobDef sn_job_def(void);

typedef struct snJob snJob;

// Nothing runs yet.
SN_API snResult sn_job_create(const snJobDef* def, const snAllocator* allocator, snJob** out, snError* error);
// Runs on until the call pauses or returns, on the thread of the caller, which has to be the same one for all
// steps. True: it has paused, and there is more to do. Whatever the call works on, a document, belongs to the
// job from the first step to the last. A step from within the same job's call does nothing.
//
// As WebAssembly, what a step returns is lost on the way out of an exported function: ask sn_job_runs after.
SN_API bool sn_job_step(snJob* job);
// False once the call has returned.
SN_API bool sn_job_runs(const snJob* job);
// What the call returned, with its error (may be NULL). Before it has: SN_RESULT_INVALID_ARGUMENT.
SN_API snResult sn_job_result(const snJob* job, snError* error);
// Where the call next asks whether to go on the answer is no: it cleans up and returns
// SN_RESULT_CANCELLED in the next step. A job that was never stepped does not run at all.
SN_API void sn_job_cancel(snJob* job);
// A job that has not ended is cancelled and run to its end first: not from within its own call.
SN_API void sn_job_destroy(snJob* job);

#ifdef __cplusplus
}
#endif

#endif
