// Slurm, through its own programs: sbatch, squeue, scancel, scontrol.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "io/json.h"
#include "process.h"
#include "runs.h"

// Slurm answers within seconds, or its controller is away.
#define PATIENCE 60.0
// Submissions that it is asked about, the newest first; older ones have ended.
#define ASKED 8u
// The array that Slurm allows where nothing else is said.
#define USUAL_ARRAY 1001u

// Runs one of its programs to the end and takes what it prints.
static snResult ask(const char* program, const sniBytes* words, const snAllocator* memory, sniBytes* out,
                    snError* error) {
    batchProcess process;
    batchEnd end;
    if (words->failed) return sni_fail_memory(error);
    if (!batch_process_start(program, words, 0, PATIENCE, memory, &process))
        return sni_fail(error, SN_RESULT_IO, "cannot start %s: %s", program, strerror(errno));
    while (!batch_process_ended(&process, &end)) {
        const struct timespec nap = {0, 2000000};
        nanosleep(&nap, NULL);
    }
    sniBytes said = sni_bytes(memory);
    batch_process_said(process.err, 300, &said);
    batch_process_said(process.out, (size_t)1 << 22, out);
    snResult result = SN_RESULT_OK;
    if (end.exit == 126)
        result = sni_fail(error, SN_RESULT_UNSUPPORTED,
                          "%s cannot be run; --slurm needs Slurm's programs in PATH (slurm-client)", program);
    else if (end.exit != 0)
        result = sni_fail(error, SN_RESULT_IO, "%s failed: %.250s", program,
                          said.data != NULL && said.data[0] != 0 ? (char*)said.data : "it said nothing");
    sni_bytes_free(&said);
    batch_process_close(&process);
    return result;
}

static uint32_t largest_array(const snAllocator* memory) {
    sniBytes words = sni_bytes(memory), out = sni_bytes(memory);
    uint32_t largest = USUAL_ARRAY;
    batch_word(&words, "show");
    batch_word(&words, "config");
    if (ask("scontrol", &words, memory, &out, NULL) == SN_RESULT_OK && out.data != NULL) {
        const char* line = strstr((const char*)out.data, "MaxArraySize");
        const char* equals = line != NULL ? strchr(line, '=') : NULL;
        unsigned long value = equals != NULL ? strtoul(equals + 1, NULL, 10) : 0;
        if (value > 1 && value < 10000000) largest = (uint32_t)value;
    }
    sni_bytes_free(&words);
    sni_bytes_free(&out);
    return largest;
}

// A word of a shell, whatever is in it.
static void add_quoted(sniBytes* out, const char* text) {
    sni_bytes_text(out, " '");
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            sni_bytes_text(out, "'\\''");
        else
            sni_bytes_add(out, text, 1);
    }
    sni_bytes_text(out, "'");
}

static void add_format(sniBytes* words, const char* name, const char* value) {
    sni_bytes_text(words, name);
    batch_word(words, value);
}

static void add_script(const batchPlan* plan, uint32_t run, uint32_t per_task, bool again,
                       const batchSlurm* def, sniBytes* words) {
    char numbers[96];
    batch_word(words, "--wrap");
    sni_bytes_text(words, "exec");
    add_quoted(words, def->program);
    sni_bytes_text(words, " batch task");
    add_quoted(words, plan->manifest->name);
    snprintf(numbers, sizeof numbers, " --run %u --per-task %u --workers %u%s", run, per_task, def->cpus,
             again ? " --again" : "");
    batch_word(words, numbers);
}

static snResult keep_submission(const batchPlan* plan, uint32_t run, const char* job, uint32_t tasks,
                                uint32_t per_task, snError* error) {
    char path[4096];
    sniBytes text = sni_bytes(&plan->memory);
    sniJsonValue* json = sni_json_object();
    sni_json_set(json, "slurm", sni_json_string(job));
    sni_json_set(json, "tasks", sni_json_uint(tasks));
    sni_json_set(json, "per_task", sni_json_uint(per_task));
    sni_json_print(json, true, &text);
    sni_json_free(json);
    snprintf(path, sizeof path, "%.4000s/runs/%u/slurm.json", plan->manifest->state, run);
    return sni_bytes_save(&text, SN_RESULT_OK, path, error);
}

snResult batch_slurm_submit(const batchPlan* plan, uint32_t run, uint32_t count, bool again,
                            const batchSlurm* def, char out_job[32], uint32_t* out_tasks, snError* error) {
    char folder[4096], text[4400];
    uint32_t most = largest_array(&plan->memory) - 1;
    uint32_t least = (count + most - 1) / most; // jobs of a task, so that the array is allowed
    uint32_t per_task = def->per_task > 0 ? def->per_task : least;
    if (per_task < least)
        return sni_fail(error, SN_RESULT_LIMIT,
                        "--per-task %u makes an array of %u tasks; this cluster allows %u, so --per-task %u",
                        per_task, (count + per_task - 1) / per_task, most, least);
    uint32_t tasks = (count + per_task - 1) / per_task;
    if (getcwd(folder, sizeof folder) == NULL)
        return sni_fail(error, SN_RESULT_IO, "cannot find the current folder: %s", strerror(errno));
    sniBytes words = sni_bytes(&plan->memory), out = sni_bytes(&plan->memory);
    batch_word(&words, "--parsable");
    batch_word(&words, "--requeue");
    batch_word(&words, "--job-name=sinew-batch");
    snprintf(text, sizeof text, "--array=0-%u", tasks - 1);
    if (def->array_limit > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%%%u", def->array_limit);
    batch_word(&words, text);
    snprintf(text, sizeof text, "--cpus-per-task=%u", def->cpus);
    batch_word(&words, text);
    add_format(&words, "--chdir=", folder);
    snprintf(text, sizeof text, "--output=%.4000s/runs/%u/%%a.log", plan->manifest->state, run);
    batch_word(&words, text);
    if (def->partition != NULL) add_format(&words, "--partition=", def->partition);
    for (const char* const* o = def->options; o != NULL && *o != NULL; o++) batch_word(&words, *o);
    add_script(plan, run, per_task, again, def, &words);
    snResult result = ask("sbatch", &words, &plan->memory, &out, error);
    if (result == SN_RESULT_OK) {
        // "123" or "123;cluster".
        snprintf(out_job, 32, "%.*s", (int)strcspn((char*)out.data, ";\n"), (char*)out.data);
        *out_tasks = tasks;
        result = keep_submission(plan, run, out_job, tasks, per_task, error);
    }
    sni_bytes_free(&words);
    sni_bytes_free(&out);
    return result;
}

// --------------------------------------------------------------------------------------------------- queues

static bool read_submission(const char* state, uint32_t run, const snAllocator* memory, char job[32]) {
    char path[4096];
    uint8_t* text = NULL;
    size_t size = 0, offset = 0;
    sniJsonValue* json = NULL;
    snprintf(path, sizeof path, "%.4000s/runs/%u/slurm.json", state, run);
    if (sni_file_read(path, 65536, memory, &text, &size, NULL) != SN_RESULT_OK) return false;
    bool found = false;
    if (sni_json_parse((char*)text, size, &json, &offset, NULL) == SN_RESULT_OK) {
        sniJson root = sni_json_root(json), at = sni_json_get(&root, "slurm");
        const char* number = sni_json_text(&at);
        found = number != NULL && number[0] != '\0' && strspn(number, "0123456789") == strlen(number);
        if (found) snprintf(job, 32, "%s", number);
    }
    sni_json_free(json);
    sni_free(memory, text);
    return found;
}

static void count_states(const char* text, batchQueue* queue) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length >= 7 && strncmp(text, "PENDING", 7) == 0)
            queue->pending++;
        else if (length >= 7 && strncmp(text, "RUNNING", 7) == 0)
            queue->running++;
        else if (length > 0)
            queue->other++;
        text += length + (text[length] == '\n');
    }
}

snResult batch_slurm_queues(const char* state, const snAllocator* memory, batchQueue* out, uint32_t capacity,
                            uint32_t* out_count, snError* error) {
    *out_count = 0;
    uint32_t asked = 0;
    for (uint32_t run = batch_run_newest(state); run > 0 && *out_count < capacity && asked < ASKED; run--) {
        batchQueue queue = {.run = run};
        if (!read_submission(state, run, memory, queue.job)) continue;
        asked++;
        sniBytes words = sni_bytes(memory), said = sni_bytes(memory);
        batch_word(&words, "--noheader");
        batch_word(&words, "--array");
        add_format(&words, "--jobs=", queue.job);
        batch_word(&words, "--format=%T");
        snError unknown = sn_error_none();
        snResult result = ask("squeue", &words, memory, &said, &unknown);
        if (result == SN_RESULT_OK && said.data != NULL) count_states((char*)said.data, &queue);
        sni_bytes_free(&words);
        sni_bytes_free(&said);
        // A job that Slurm has forgotten has ended; a controller that is away knows of none.
        if (result != SN_RESULT_OK && strstr(unknown.text, "Invalid job id") == NULL) {
            if (error != NULL) *error = unknown;
            return result;
        }
        if (queue.pending + queue.running + queue.other > 0) out[(*out_count)++] = queue;
    }
    return SN_RESULT_OK;
}

snResult batch_slurm_cancel(const char* job, const snAllocator* memory, snError* error) {
    sniBytes words = sni_bytes(memory), out = sni_bytes(memory);
    batch_word(&words, job);
    snResult result = ask("scancel", &words, memory, &out, error);
    sni_bytes_free(&words);
    sni_bytes_free(&out);
    return result;
}
