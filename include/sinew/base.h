// Sinew: results, errors, memory and tasks. Everything else includes this header.
//
// The library never prints, exits, aborts or reads the environment. Every call that can fail returns an
// snResult; a failed call leaves its outputs untouched. A pointer may be NULL only where its comment says so;
// destroy functions take NULL.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(SINEW_SHARED) && defined(_WIN32)
#ifdef SINEW_BUILDING
#define SN_API __declspec(dllexport)
#else
#define SN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

#define SN_VERSION_MAJOR 0
#define SN_VERSION_MINOR 2
#define SN_VERSION_PATCH 0
#define SN_VERSION_STRING "0.2.0"

// "No such index": an absent parent, skin, node.
#define SN_NONE UINT32_MAX

// ---------------------------------------------------------------------------------------------- results

typedef enum snResult {
    SN_RESULT_OK = 0,
    SN_RESULT_INVALID_ARGUMENT, // the caller's Def or job breaks a documented rule
    SN_RESULT_BAD_DATA,         // a file or mesh says something impossible
    SN_RESULT_OUT_OF_MEMORY,    // the allocator returned NULL
    SN_RESULT_LIMIT,            // the input asks for more memory than it was allowed
    SN_RESULT_IO,               // a file could not be opened, read, written or renamed
    SN_RESULT_UNSUPPORTED,      // valid, but this build or format cannot do it
    SN_RESULT_NOT_FOUND,        // a name that does not exist
    SN_RESULT_CANCELLED,        // the caller's progress function said stop; everything is as it was
    SN_RESULT_TIME              // it took longer than it was allowed to
} snResult;

// A short constant name such as "bad data"; never NULL.
SN_API const char* sn_result_name(snResult result);

// What went wrong, filled by builders and loaders when the caller passes one. Plain data, no ownership.
typedef struct snError {
    snResult code;
    char file[256];  // path as the caller gave it; "" when no file is involved
    uint64_t line;   // 1-based line of a text file; 0 when unknown
    uint64_t offset; // byte offset in a binary file; UINT64_MAX when unknown
    uint32_t vertex; // offending vertex; SN_NONE when there is none
    uint32_t joint;  // offending joint or node; SN_NONE when there is none
    char text[384];  // one sentence: what is wrong and what was expected
} snError;

// An error that says nothing yet (SN_RESULT_OK, no place).
SN_API snError sn_error_none(void);

// Writes "file:line: text", "file:@offset: text" or "text", always terminated. Returns the length written.
SN_API size_t sn_error_format(const snError* error, char* out, size_t capacity);

// ----------------------------------------------------------------------------------------------- memory

// Returns at least `size` bytes aligned to `alignment` (a power of two, at most 64), or NULL.
typedef void* snAllocFn(void* user, size_t size, size_t alignment);
// Releases what the matching snAllocFn returned; `pointer` may be NULL.
typedef void snFreeFn(void* user, void* pointer);

// Passed by pointer wherever memory is needed; NULL means sn_allocator_default(). Copied, never kept.
typedef struct snAllocator {
    snAllocFn* alloc;
    snFreeFn* free;
    void* user;
} snAllocator;

SN_API snAllocator sn_allocator_default(void);

// An allocator that refuses to hold more than `limit` bytes at a time. Not thread safe: builders and loaders
// allocate from one thread. The budget must outlive everything allocated through it.
typedef struct snBudget {
    snAllocator parent; // where the memory really comes from
    size_t limit;       // bytes
    size_t used;        // bytes held now
    size_t peak;        // largest `used` so far
    bool refused;       // an allocation was refused because of the limit
} snBudget;

SN_API snBudget sn_budget(const snAllocator* parent, size_t limit);
SN_API snAllocator sn_budget_allocator(snBudget* budget);

// ------------------------------------------------------------------------------------------------ tasks

// Works on items [begin, end); `worker` is in [0, workers) and no two running calls share it.
typedef void snTaskFn(void* context, uint32_t begin, uint32_t end, uint32_t worker);
// Splits `count` items into ranges of `grain` (the last may be shorter) and starts them; returns a handle.
// Range boundaries are multiples of `grain` whatever the worker count: that keeps results bit-identical.
typedef void* snEnqueueFn(void* user, snTaskFn* task, void* context, uint32_t count, uint32_t grain);
// Returns when every range of the handle has run.
typedef void snFinishFn(void* user, void* handle);

// How per-frame work is spread. All zero runs everything on the calling thread.
typedef struct snTasks {
    snEnqueueFn* enqueue;
    snFinishFn* finish;
    void* user;
    uint32_t workers; // 1 or more when enqueue is set
} snTasks;

// Runs `task` over `count` items through `tasks` (NULL or zeroed: here, in order) and waits.
SN_API void sn_tasks_run(const snTasks* tasks, snTaskFn* task, void* context, uint32_t count, uint32_t grain);

// A ready thread pool (target sinew_pool). `workers` 0 means one per core, 256 is the most; the calling
// thread counts as one.
typedef struct snPool snPool;
SN_API snResult sn_pool_create(uint32_t workers, snPool** out);
SN_API void sn_pool_destroy(snPool* pool);
SN_API snTasks sn_pool_tasks(snPool* pool);

// --------------------------------------------------------------------------------------------- progress

// How far a long call is: `stage` is a word for what it does now ("reading", "weights"), `share` how much of
// the whole call is done, 0 to 1, never falling. Called on the thread of the call, at least every tenth of a
// second on models of usual size. False stops the call: it then returns SN_RESULT_CANCELLED.
typedef bool snProgressFn(void* user, const char* stage, float share);
typedef struct snProgress {
    snProgressFn* run; // NULL: nobody listens
    void* user;
} snProgress;

// -------------------------------------------------------------------------------------------- CPU level

// Which instruction set the kernels use. Every level gives the same bytes; the setting exists for tests,
// measurements and bug reports.
typedef enum snCpuLevel {
    SN_CPU_AUTO = 0, // the best this machine has
    SN_CPU_SCALAR,   // the reference; always there but in the studio's core, which has SN_CPU_WASM alone
    SN_CPU_SSE2,
    SN_CPU_AVX2,
    SN_CPU_AVX512,
    SN_CPU_NEON,
    SN_CPU_WASM,
    SN_CPU_LEVEL_COUNT
} snCpuLevel;

SN_API const char* sn_cpu_level_name(snCpuLevel level); // "auto", "scalar", "sse2", ...
SN_API bool sn_cpu_level_available(snCpuLevel level);   // built in, and this machine has it
SN_API snCpuLevel sn_cpu_level_best(void);

// ---------------------------------------------------------------------------------------------- hashing

// 64-bit FNV-1a style hash of bytes, chained through `seed` (start with SN_HASH_SEED).
#define SN_HASH_SEED UINT64_C(0xcbf29ce484222325)
SN_API uint64_t sn_hash_bytes(uint64_t seed, const void* data, size_t size);
// The same for floats: every NaN hashes alike, so the hash is a property of the values.
SN_API uint64_t sn_hash_floats(uint64_t seed, const float* values, size_t count);

#ifdef __cplusplus
}
#endif

#endif
