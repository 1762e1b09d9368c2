// What `sinew batch` says while it works.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"

batchText batch_bytes(uint64_t bytes) {
    static const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 999.5 && unit < 4; unit++) value /= 1000.0;
    batchText out;
    snprintf(out.text, sizeof out.text, unit > 0 && value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return out;
}

batchText batch_duration(double seconds) {
    batchText out;
    if (seconds < 0.0)
        snprintf(out.text, sizeof out.text, "nobody knows");
    else if (seconds < 9.95)
        snprintf(out.text, sizeof out.text, "%.1f s", seconds);
    else if (seconds < 100.0)
        snprintf(out.text, sizeof out.text, "%.0f s", seconds);
    else if (seconds < 5940.0)
        snprintf(out.text, sizeof out.text, "%.0f min", seconds / 60.0);
    else if (seconds < 36.0 * 3600.0)
        snprintf(out.text, sizeof out.text, "%.0f h %02.0f min", (double)(uint64_t)(seconds / 3600.0),
                 (double)((uint64_t)(seconds / 60.0) % 60));
    else
        snprintf(out.text, sizeof out.text, "%.1f days", seconds / 86400.0);
    return out;
}

static bool is_plain(const char* word) {
    return word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                           "_-+=./:,@%") == strlen(word);
}

void batch_command_line(const batchJobs* b, const batchJob* job, sniBytes* out) {
    sniBytes words = sni_bytes(&b->context->memory);
    batch_job_words(&b->plan, job, batch_job_out(&b->plan, job), &words);
    sni_bytes_text(out, "sinew");
    for (size_t at = 0; at < words.size; at += strlen((char*)words.data + at) + 1) {
        const char* word = (char*)words.data + at;
        sni_bytes_text(out, " ");
        if (is_plain(word)) {
            sni_bytes_text(out, word);
            continue;
        }
        sni_bytes_text(out, "'");
        for (; *word != '\0'; word++)
            sni_bytes_add(out, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
        sni_bytes_text(out, "'");
    }
    sni_bytes_free(&words);
    sni_bytes_extend(out, 1); // ends the text
    if (!out->failed) out->size--;
}

static void draw(const cliContext* context, const batchTally* t) {
    enum { WIDTH = 28 };
    char bar[WIDTH + 1];
    uint32_t ended = t->done + t->elsewhere + t->failed;
    uint32_t filled = t->total > 0 ? (uint32_t)((uint64_t)WIDTH * ended / t->total) : WIDTH;
    for (uint32_t i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = '\0';
    (void)context;
    fprintf(stderr, "\r\033[K[%s] %u/%u", bar, ended, t->total);
    if (t->failed > 0) fprintf(stderr, "  %u failed", t->failed);
    fprintf(stderr, "  %u running", t->running);
    if (t->seconds_left >= 0.0) fprintf(stderr, "  %s left", batch_duration(t->seconds_left).text);
    fflush(stderr);
}

static void say_failure(const batchTalk* talk, const batchJob* job, const char* text) {
    const batchPlan* plan = &talk->jobs->plan;
    const char* character = batch_job_character(plan, job);
    const char* motion = batch_job_motion(plan, job);
    fprintf(stderr, "failed: %s%s%s%s%s: %s\n", batch_job_recipe(plan, job)->name,
            character != NULL ? " " : "", character != NULL ? character : "", motion != NULL ? " " : "",
            motion != NULL ? motion : "", text);
}

void batch_talk(void* user, const batchTally* tally, const batchJob* job, const char* text) {
    batchTalk* talk = user;
    const cliContext* context = talk->jobs->context;
    bool terminal = isatty(STDERR_FILENO) != 0;
    double now = context_clock();
    if (text != NULL) {
        if (terminal && !context->quiet) fputs("\r\033[K", stderr);
        say_failure(talk, job, text);
    }
    if (context->quiet) return;
    if (terminal && (now - talk->drawn > 0.1 || text != NULL)) {
        draw(context, tally);
        talk->drawn = now;
    }
    uint32_t ended = tally->done + tally->elsewhere + tally->failed;
    uint32_t tenth = tally->total > 0 ? 10 * ended / tally->total : 10;
    if (!terminal && job != NULL && tenth > talk->tenth) {
        talk->tenth = tenth;
        fprintf(stderr, "%u of %u jobs, %u failed", ended, tally->total, tally->failed);
        if (tally->seconds_left >= 0.0)
            fprintf(stderr, ", %s left", batch_duration(tally->seconds_left).text);
        fputs("\n", stderr);
    }
}

void batch_talk_end(batchTalk* talk) {
    if (!talk->jobs->context->quiet && isatty(STDERR_FILENO) && talk->drawn > 0.0) fputs("\r\033[K", stderr);
}
