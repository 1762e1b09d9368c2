// A small thread pool. Ranges are handed out one at a time from an atomic counter, so a slow worker never
// holds the others up; which worker takes a range does not matter, because tasks write disjoint outputs.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sinew/base.h"

#define JOB_SLOTS 16
#define MAX_WORKERS 256

typedef struct Job {
    snTaskFn* task;
    void* context;
    uint32_t count;
    uint32_t grain;
    uint32_t range_count;
    atomic_uint next;      // next range to hand out
    atomic_uint completed; // ranges that have run
    atomic_uint visitors;  // workers inside work_on: the slot may not be reused before they leave
    bool busy;             // slot in use; guarded by the pool's mutex
} Job;

typedef struct Worker {
    snPool* pool;
    pthread_t thread;
    uint32_t index;
} Worker;

struct snPool {
    uint32_t workers;
    Worker* threads; // workers - 1
    uint32_t started;
    pthread_mutex_t mutex;
    pthread_cond_t wake; // work arrived or the pool stops
    pthread_cond_t done; // a job's last range completed
    Job jobs[JOB_SLOTS];
    bool stop;
};

static void work_on(snPool* pool, Job* job, uint32_t worker) {
    for (;;) {
        uint32_t range = atomic_fetch_add(&job->next, 1);
        if (range >= job->range_count) return;
        uint32_t begin = range * job->grain;
        uint32_t end = job->count - begin > job->grain ? begin + job->grain : job->count;
        job->task(job->context, begin, end, worker);
        if (atomic_fetch_add(&job->completed, 1) + 1 == job->range_count) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_broadcast(&pool->done);
            pthread_mutex_unlock(&pool->mutex);
        }
    }
}

// The first job with ranges left, entered as a visitor; NULL when there is none. Caller holds the mutex.
static Job* find_work(snPool* pool) {
    for (uint32_t i = 0; i < JOB_SLOTS; i++) {
        Job* job = &pool->jobs[i];
        if (job->busy && atomic_load(&job->next) < job->range_count) {
            atomic_fetch_add(&job->visitors, 1);
            return job;
        }
    }
    return NULL;
}

static void* worker_main(void* argument) {
    Worker* worker = argument;
    snPool* pool = worker->pool;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->stop) {
        Job* job = find_work(pool);
        if (job == NULL) {
            pthread_cond_wait(&pool->wake, &pool->mutex);
            continue;
        }
        pthread_mutex_unlock(&pool->mutex);
        work_on(pool, job, worker->index);
        pthread_mutex_lock(&pool->mutex);
        atomic_fetch_sub(&job->visitors, 1);
        pthread_cond_broadcast(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void* pool_enqueue(void* user, snTaskFn* task, void* context, uint32_t count, uint32_t grain) {
    snPool* pool = user;
    if (grain == 0) grain = 1;
    pthread_mutex_lock(&pool->mutex);
    Job* job = NULL;
    for (uint32_t i = 0; i < JOB_SLOTS && job == NULL; i++) {
        if (!pool->jobs[i].busy) job = &pool->jobs[i];
    }
    if (job != NULL) {
        job->busy = true;
        job->task = task;
        job->context = context;
        job->count = count;
        job->grain = grain;
        job->range_count = count / grain + (count % grain != 0);
        atomic_store(&job->next, 0);
        atomic_store(&job->completed, 0);
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->mutex);
    if (job == NULL) {
        // More jobs in flight than slots: do it here, in the same ranges.
        for (uint32_t begin = 0; begin < count;) {
            uint32_t end = count - begin > grain ? begin + grain : count;
            task(context, begin, end, 0);
            begin = end;
        }
    }
    return job;
}

static void pool_finish(void* user, void* handle) {
    snPool* pool = user;
    Job* job = handle;
    if (job == NULL) return;
    work_on(pool, job, 0);
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&job->completed) < job->range_count || atomic_load(&job->visitors) > 0) {
        pthread_cond_wait(&pool->done, &pool->mutex);
    }
    job->busy = false;
    pthread_mutex_unlock(&pool->mutex);
}

static uint32_t core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (cores > MAX_WORKERS ? MAX_WORKERS : (uint32_t)cores);
}

// Signals of the program are for its own threads: a worker takes none but those of its own faults and of
// profilers.
static bool start_workers(snPool* pool) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    bool started = true;
    for (uint32_t i = 0; started && i + 1 < pool->workers; i++) {
        pool->threads[i] = (Worker){.pool = pool, .index = i + 1};
        started = pthread_create(&pool->threads[i].thread, NULL, worker_main, &pool->threads[i]) == 0;
        if (started) pool->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

snResult sn_pool_create(uint32_t workers, snPool** out) {
    if (out == NULL || workers > MAX_WORKERS) return SN_RESULT_INVALID_ARGUMENT;
    if (workers == 0) workers = core_count();
    snPool* pool = calloc(1, sizeof *pool);
    Worker* threads = calloc(workers, sizeof *threads);
    if (pool == NULL || threads == NULL) {
        free(pool);
        free(threads);
        return SN_RESULT_OUT_OF_MEMORY;
    }
    pool->workers = workers;
    pool->threads = threads;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    if (!start_workers(pool)) {
        sn_pool_destroy(pool);
        return SN_RESULT_OUT_OF_MEMORY;
    }
    *out = pool;
    return SN_RESULT_OK;
}

void sn_pool_destroy(snPool* pool) {
    if (pool == NULL) return;
    pthread_mutex_lock(&pool->mutex);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->started; i++) pthread_join(pool->threads[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->threads);
    free(pool);
}

snTasks sn_pool_tasks(snPool* pool) {
    snTasks tasks = {pool_enqueue, pool_finish, pool, pool->workers};
    return tasks;
}
