// Calls in slices: what they do is what they do in one go, however they are stopped.
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/job.h"
#include "support.h"

// ------------------------------------------------------------------------------------------------- counting

// A call that tells its progress `tells` times, and holds memory in between.
typedef struct Counting {
    uint32_t tells, told;
    snResult result;   // of the end
    bool freed, asked; // the memory; that it should stop
    uint32_t due_every, due_asked;
} Counting;

static snResult count_run(void* user, const snProgress* progress, snError* error) {
    Counting* counting = user;
    char* memory = malloc(100);
    snResult result = SN_RESULT_OK;
    for (counting->told = 0; counting->told < counting->tells && result == SN_RESULT_OK;) {
        float share = (float)counting->told++ / (float)counting->tells;
        if (!progress->run(progress->user, "counting", share)) result = SN_RESULT_CANCELLED;
    }
    counting->asked = result == SN_RESULT_CANCELLED;
    free(memory);
    counting->freed = true;
    if (result == SN_RESULT_OK) result = counting->result;
    if (result != SN_RESULT_OK && error != NULL) {
        *error = sn_error_none();
        error->code = result;
        error->vertex = 77;
        strncpy(error->text, "counted wrong", sizeof error->text - 1);
    }
    return result;
}

static bool count_due(void* user) {
    Counting* counting = user;
    return ++counting->due_asked % counting->due_every == 0;
}

static snJob* make(Counting* counting) {
    snJobDef def = sn_job_def();
    def.run = count_run;
    def.user = counting;
    if (counting->due_every > 0) def.due = count_due;
    snJob* job = NULL;
    assert_ok(sn_job_create(&def, NULL, &job, NULL));
    return job;
}

static void pauses_where_it_tells(void** state) {
    (void)state;
    Counting counting = {.tells = 10};
    snJob* job = make(&counting);
    snError error = sn_error_none();
    assert_true(sn_job_runs(job));
    assert_int_equal(sn_job_result(job, &error), SN_RESULT_INVALID_ARGUMENT);
    for (uint32_t i = 1; i <= 10; i++) {
        assert_true(sn_job_step(job));
        assert_true(sn_job_runs(job));
        assert_int_equal(counting.told, i);
        assert_false(counting.freed);
    }
    assert_false(sn_job_step(job));
    assert_false(sn_job_runs(job));
    assert_true(counting.freed);
    assert_ok(sn_job_result(job, NULL));
    assert_false(sn_job_step(job)); // and nothing more
    sn_job_destroy(job);
}

static void pauses_where_it_is_due(void** state) {
    (void)state;
    Counting counting = {.tells = 10, .due_every = 4};
    snJob* job = make(&counting);
    assert_true(sn_job_step(job));
    assert_int_equal(counting.told, 4);
    assert_true(sn_job_step(job));
    assert_int_equal(counting.told, 8);
    assert_false(sn_job_step(job));
    sn_job_destroy(job);
}

static void errors_pass_through(void** state) {
    (void)state;
    Counting counting = {.tells = 3, .result = SN_RESULT_BAD_DATA};
    snJob* job = make(&counting);
    while (sn_job_step(job)) {
    }
    snError error = sn_error_none();
    assert_int_equal(sn_job_result(job, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(error.code, SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, 77);
    assert_string_equal(error.text, "counted wrong");
    assert_int_equal(sn_job_result(job, NULL), SN_RESULT_BAD_DATA);
    sn_job_destroy(job);
}

static void is_cancelled_at_every_pause(void** state) {
    (void)state;
    for (uint32_t at = 0; at <= 5; at++) {
        Counting counting = {.tells = 5};
        snJob* job = make(&counting);
        for (uint32_t i = 0; i < at; i++) assert_true(sn_job_step(job));
        sn_job_cancel(job);
        assert_int_equal(sn_job_runs(job), at > 0); // one that never ran does not begin
        assert_false(sn_job_step(job));
        snError error = sn_error_none();
        assert_int_equal(sn_job_result(job, &error), SN_RESULT_CANCELLED);
        assert_int_equal(counting.told, at);
        assert_int_equal(counting.freed, at > 0);
        sn_job_cancel(job);
        assert_int_equal(sn_job_result(job, &error), SN_RESULT_CANCELLED);
        sn_job_destroy(job);
    }
}

static void ends_before_it_is_destroyed(void** state) {
    (void)state;
    for (uint32_t at = 0; at <= 6; at++) {
        Counting counting = {.tells = 5};
        snJob* job = make(&counting);
        for (uint32_t i = 0; i < at; i++) sn_job_step(job);
        sn_job_destroy(job);
        assert_int_equal(counting.freed, at > 0);
        assert_int_equal(counting.asked, at > 0 && at < 6);
    }
    sn_job_destroy(NULL);
}

// --------------------------------------------------------------------------------------------- the caller's

typedef struct Listener {
    uint32_t calls, stop_at;
    float share;
    snJob* job;
} Listener;

static bool listen(void* user, const char* stage, float share) {
    Listener* listener = user;
    assert_string_equal(stage, "counting");
    assert_true(share >= listener->share);
    listener->share = share;
    assert_true(sn_job_step(listener->job)); // does nothing in here
    return ++listener->calls != listener->stop_at;
}

static void tells_the_caller(void** state) {
    (void)state;
    for (uint32_t stop = 0; stop <= 5; stop++) {
        Counting counting = {.tells = 5};
        Listener listener = {.stop_at = stop};
        snJobDef def = sn_job_def();
        def.run = count_run;
        def.user = &counting;
        def.progress = (snProgress){listen, &listener};
        assert_ok(sn_job_create(&def, NULL, &listener.job, NULL));
        while (sn_job_step(listener.job)) {
        }
        snResult wanted = stop == 0 ? SN_RESULT_OK : SN_RESULT_CANCELLED;
        assert_int_equal(sn_job_result(listener.job, NULL), wanted);
        assert_int_equal(listener.calls, stop == 0 ? 5 : stop);
        sn_job_destroy(listener.job);
    }
}

static void bad_defs_are_refused(void** state) {
    (void)state;
    snJobDef def = sn_job_def();
    snJob* job = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_job_create(&def, NULL, &job, &error), SN_RESULT_INVALID_ARGUMENT);
    def.run = count_run;
    assert_int_equal(sn_job_create(NULL, NULL, &job, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_job_create(&def, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    def.stack_bytes = 1000;
    assert_int_equal(sn_job_create(&def, NULL, &job, &error), SN_RESULT_INVALID_ARGUMENT);
    def.stack_bytes = SIZE_MAX;
    assert_int_equal(sn_job_create(&def, NULL, &job, &error), SN_RESULT_OUT_OF_MEMORY);
    assert_null(job);
}

static snResult build(const snAllocator* allocator, void* context) {
    Counting counting = {.tells = 2};
    snJobDef def = sn_job_def();
    (void)context;
    def.run = count_run;
    def.user = &counting;
    snJob* job = NULL;
    snResult result = sn_job_create(&def, allocator, &job, NULL);
    if (result != SN_RESULT_OK) return result;
    sn_job_step(job);
    sn_job_destroy(job);
    assert_true(counting.freed);
    return result;
}

static void memory_fails(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

// --------------------------------------------------------------------------------------------------- stacks

// Uses about as many bytes of stack as it is asked for, tells, and finds what it left there.
typedef struct Deep {
    size_t bytes;
} Deep;

static snResult descend(const snProgress* progress, size_t bytes) {
    volatile unsigned char here[1024];
    for (size_t i = 0; i < sizeof here; i++) here[i] = (unsigned char)(bytes / sizeof here + i);
    snResult result = SN_RESULT_OK;
    if (bytes > sizeof here)
        result = descend(progress, bytes - sizeof here);
    else if (!progress->run(progress->user, "descending", 0.5f))
        result = SN_RESULT_CANCELLED;
    for (size_t i = 0; i < sizeof here; i++)
        assert_int_equal(here[i], (unsigned char)(bytes / sizeof here + i));
    return result;
}

static snResult deep_run(void* user, const snProgress* progress, snError* error) {
    const Deep* deep = user;
    snResult result = descend(progress, deep->bytes);
    if (result == SN_RESULT_OK && !progress->run(progress->user, "ascended", 1.0f))
        result = SN_RESULT_CANCELLED;
    if (error != NULL) error->code = result;
    return result;
}

static snResult run_deep(size_t bytes, size_t stack, snError* error) {
    Deep deep = {bytes};
    snJobDef def = sn_job_def();
    def.run = deep_run;
    def.user = &deep;
    def.stack_bytes = stack;
    snJob* job = NULL;
    assert_ok(sn_job_create(&def, NULL, &job, NULL));
    while (sn_job_step(job)) {
    }
    snResult result = sn_job_result(job, error);
    sn_job_destroy(job);
    return result;
}

static void stacks_are_as_large_as_asked(void** state) {
    (void)state;
    snError error = sn_error_none();
    assert_ok(run_deep((size_t)256 << 10, SN_JOB_STACK, &error)); // sanitizers double what frames take
    assert_ok(run_deep((size_t)2 << 20, (size_t)8 << 20, &error));
}

// The smallest depth that is too deep ends in the margin, where it is found out.
static void too_deep_is_an_error(void** state) {
    (void)state;
    snError error = sn_error_none();
    snResult result = SN_RESULT_OK;
    size_t bytes = (size_t)8 << 10;
    for (; result == SN_RESULT_OK; bytes += 4096) result = run_deep(bytes, (size_t)128 << 10, &error);
    assert_int_equal(result, SN_RESULT_LIMIT);
    assert_int_equal(error.code, SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "131072 bytes"));
    assert_true(bytes <= (size_t)136 << 10);
}

static snResult round_run(void* user, const snProgress* progress, snError* error) {
    (void)user, (void)error;
    fesetround(FE_UPWARD);
    progress->run(progress->user, "rounding", 0.0f);
    return fegetround() == FE_UPWARD ? SN_RESULT_OK : SN_RESULT_BAD_DATA;
}

static void rounding_stays_apart(void** state) {
    (void)state;
    snJobDef def = sn_job_def();
    def.run = round_run;
    snJob* job = NULL;
    assert_ok(sn_job_create(&def, NULL, &job, NULL));
    assert_true(sn_job_step(job));
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_false(sn_job_step(job));
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_ok(sn_job_result(job, NULL));
    sn_job_destroy(job);
}

// A job whose call runs a job.
static snResult nested_run(void* user, const snProgress* progress, snError* error) {
    Counting* counting = user;
    snJob* job = make(counting);
    snResult result = SN_RESULT_OK;
    while (result == SN_RESULT_OK && sn_job_step(job))
        if (!progress->run(progress->user, "nested", 0.5f)) result = SN_RESULT_CANCELLED;
    if (result == SN_RESULT_OK) result = sn_job_result(job, error);
    sn_job_destroy(job);
    return result;
}

static void jobs_nest(void** state) {
    (void)state;
    for (uint32_t stop = 1; stop < 9; stop++) {
        Counting counting = {.tells = 5};
        snJobDef def = sn_job_def();
        def.run = nested_run;
        def.user = &counting;
        snJob* job = NULL;
        assert_ok(sn_job_create(&def, NULL, &job, NULL));
        for (uint32_t i = 0; i < stop; i++) sn_job_step(job);
        sn_job_destroy(job);
        assert_true(counting.freed);
        assert_int_equal(counting.asked, stop <= 5);
    }
}

// -------------------------------------------------------------------------------------------------- binding

typedef struct Binding {
    snModel* model;
    snTasks tasks;
    snWeightsMethod method;
    uint32_t tells, every;
} Binding;

static snResult bind_run(void* user, const snProgress* progress, snError* error) {
    Binding* binding = user;
    snBindDef def = sn_bind_def();
    def.cells = 16;
    def.method = binding->method;
    def.tasks = binding->tasks;
    def.progress = *progress;
    return sn_model_bind(binding->model, &def, NULL, error);
}

static bool bind_due(void* user) {
    Binding* binding = user;
    return ++binding->tells % binding->every == 0;
}

static uint64_t hash_weights(const snModel* model) {
    const snPart* part = &model->parts[0];
    size_t count = (size_t)part->mesh->vertex_count * part->weights.influences;
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, part->weights.weights, count);
    return sn_hash_bytes(hash, part->weights.joints, count * sizeof *part->weights.joints);
}

static Binding binding_create(snTasks tasks, snWeightsMethod method, uint32_t every) {
    Binding binding = {.tasks = tasks, .method = method, .every = every};
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    assert_ok(sn_builtin_body(&def, NULL, &binding.model, NULL));
    return binding;
}

static snJob* binding_job(Binding* binding) {
    snJobDef def = sn_job_def();
    def.run = bind_run;
    def.due = bind_due;
    def.user = binding;
    snJob* job = NULL;
    assert_ok(sn_job_create(&def, NULL, &job, NULL));
    return job;
}

static void bits_are_the_same(void** state) {
    (void)state;
    snPool* pool = NULL;
    assert_ok(sn_pool_create(3, &pool));
    static const snWeightsMethod methods[] = {SN_WEIGHTS_AUTO, SN_WEIGHTS_HEAT, SN_WEIGHTS_GEODESIC};
    for (int m = 0; m < 3; m++) {
        Binding plain = binding_create((snTasks){0}, methods[m], 1);
        snProgress nobody = {0};
        assert_ok(bind_run(&plain, &nobody, NULL));
        for (uint32_t every = 1; every < 8; every += 3) {
            for (int workers = 0; workers < 2; workers++) {
                snTasks tasks = workers ? sn_pool_tasks(pool) : (snTasks){0};
                Binding sliced = binding_create(tasks, methods[m], every);
                snJob* job = binding_job(&sliced);
                uint32_t slices = 1;
                while (sn_job_step(job)) slices++;
                assert_ok(sn_job_result(job, NULL));
                assert_int_equal(slices, sliced.tells / every + 1);
                assert_true(hash_weights(sliced.model) == hash_weights(plain.model));
                sn_job_destroy(job);
                sn_model_destroy(sliced.model);
            }
        }
        sn_model_destroy(plain.model);
    }
    sn_pool_destroy(pool);
}

static void many_run_side_by_side(void** state) {
    (void)state;
    enum { JOBS = 12 };
    Binding bindings[JOBS];
    snJob* jobs[JOBS];
    for (uint32_t i = 0; i < JOBS; i++) {
        bindings[i] = binding_create((snTasks){0}, i % 2 ? SN_WEIGHTS_AUTO : SN_WEIGHTS_HEAT, i % 5 + 1);
        jobs[i] = binding_job(&bindings[i]);
    }
    for (bool runs = true; runs;) {
        runs = false;
        for (uint32_t i = 0; i < JOBS; i++) runs = sn_job_step(jobs[(5 * i) % JOBS]) || runs;
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        assert_ok(sn_job_result(jobs[i], NULL));
        assert_true(hash_weights(bindings[i].model) == hash_weights(bindings[i % 2].model));
        sn_job_destroy(jobs[i]);
    }
    for (uint32_t i = 0; i < JOBS; i++) sn_model_destroy(bindings[i].model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_where_it_tells),
        cmocka_unit_test(pauses_where_it_is_due),
        cmocka_unit_test(errors_pass_through),
        cmocka_unit_test(is_cancelled_at_every_pause),
        cmocka_unit_test(ends_before_it_is_destroyed),
        cmocka_unit_test(tells_the_caller),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(memory_fails),
        cmocka_unit_test(stacks_are_as_large_as_asked),
        cmocka_unit_test(too_deep_is_an_error),
        cmocka_unit_test(rounding_stays_apart),
        cmocka_unit_test(jobs_nest),
        cmocka_unit_test(bits_are_the_same),
        cmocka_unit_test(many_run_side_by_side),
    };
    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
