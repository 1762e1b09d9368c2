// What failed and what changed, in the page of a batch.
#include <string.h>

#include "batch_page.h"

// Rows of the lists of failures and changes.
#define LISTED 200
// Jobs that are named with one reason.
#define NAMED 12
// Changes that are seen at once.
#define SHOWN 12

static void add_who(batchPage* p, const batchJob* job) {
    sni_html_escape(p->out, batch_job_recipe(p->plan, job)->name);
    if (job->character != SN_NONE) {
        sni_bytes_text(p->out, " &middot; ");
        batch_page_stem(p, batch_job_character(p->plan, job));
    }
    if (job->motion != SN_NONE) {
        sni_bytes_text(p->out, " &middot; ");
        batch_page_stem(p, batch_job_motion(p->plan, job));
    }
}

static bool is_failed(const batchRow* row) { return row->known && !row->done; }

static const char* failure_of(const batchPage* p, uint32_t j) {
    const char* error = batch_row_error(p->report, &p->report->rows[j]);
    return error != NULL ? error : "";
}

// Is the reason that of a job before it? Then it is told there.
static bool is_told(const batchPage* p, uint32_t j, const uint32_t* told, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(failure_of(p, told[i]), failure_of(p, j)) == 0) return true;
    return false;
}

// A reason, all jobs that have it, and the command line of the first.
static void add_failure(batchPage* p, uint32_t first) {
    uint32_t named = 0, count = 0;
    sni_bytes_text(p->out, "<p>");
    for (uint32_t j = first; j < p->plan->job_count; j++) {
        if (!is_failed(&p->report->rows[j]) || strcmp(failure_of(p, j), failure_of(p, first)) != 0) continue;
        if (count++ >= NAMED) continue;
        sni_bytes_format(p->out, "%s<b id=\"e%u\">", named++ > 0 ? ", " : "", j);
        add_who(p, &p->plan->jobs[j]);
        sni_bytes_text(p->out, "</b>");
    }
    if (count > NAMED) sni_bytes_format(p->out, " and %u more", count - NAMED);
    sni_bytes_text(p->out, "<br>");
    sni_html_escape(p->out, failure_of(p, first));
    if (p->report->rows[first].attempts > 1)
        sni_bytes_format(p->out, " <span class=\"dim\">(tried %u times)</span>",
                         p->report->rows[first].attempts);
    sni_bytes_text(p->out, "</p>");
    if (p->report->rows[first].attempts == 0) return; // it never ran
    sniBytes text = sni_bytes(&p->plan->memory);
    sni_bytes_text(p->out, "<pre><code>");
    batch_command_line(p->b, &p->plan->jobs[first], &text);
    if (!text.failed) sni_html_escape(p->out, (char*)text.data);
    sni_bytes_free(&text);
    sni_bytes_text(p->out, "</code></pre>");
}

void batch_page_failures(batchPage* p) {
    uint32_t told[LISTED], count = 0, left = 0;
    if (p->report->failed == 0) return;
    sni_bytes_format(
        p->out,
        "<section><h2>Failed<span class=\"badge fail\">%u</span></h2><p class=\"dim\">The others went "
        "on. The command below an error does that job alone; sinew batch run tries them again.</p>",
        p->report->failed);
    for (uint32_t j = 0; j < p->plan->job_count; j++) {
        if (!is_failed(&p->report->rows[j]) || is_told(p, j, told, count)) continue;
        if (count == LISTED) {
            left++;
            continue;
        }
        told[count++] = j;
        add_failure(p, j);
    }
    if (left > 0) sni_bytes_format(p->out, "<p class=\"dim\">... and %u more; report.json has all</p>", left);
    sni_bytes_text(p->out, "</section>");
}

static void add_step(batchPage* p, float before, float after) {
    if (before < 0.0f && after < 0.0f) {
        sni_bytes_text(p->out, "<td class=\"n dim\">&middot;</td>");
        return;
    }
    sniPercent from = before >= 0.0f ? sni_percent(before) : (sniPercent){"?"};
    sniPercent to = after >= 0.0f ? sni_percent(after) : (sniPercent){"?"};
    // What looks the same is the same to people.
    bool same = strcmp(from.text, to.text) == 0;
    sni_bytes_format(p->out, "<td class=\"n%s\">%s &rarr; %s</td>",
                     same             ? ""
                     : after > before ? " up"
                                      : " down",
                     from.text, to.text);
}

static void add_change(batchPage* p, uint32_t j) {
    const batchRow* row = &p->report->rows[j];
    sni_bytes_text(p->out, "<tr><td>");
    add_who(p, &p->plan->jobs[j]);
    sni_bytes_text(p->out, "</td><td>");
    const char *from = batch_verdict_name(row->before.verdict), *to = batch_verdict_name(row->made.verdict);
    if (row->made.verdict != BATCH_UNJUDGED)
        sni_bytes_format(p->out,
                         "<span class=\"badge %s\">%s</span> &rarr;<span class=\"badge %s\">%s</span>", from,
                         from, to, to);
    sni_bytes_format(p->out, "</td>");
    for (int m = 0; m < BATCH_MEASURES; m++) add_step(p, row->before.measures[m], row->made.measures[m]);
    if (row->made.hash == 0 && row->before.hash == 0) {
        sni_bytes_text(p->out, "<td class=\"n dim\">&middot;</td><td class=\"dim\">&middot;</td></tr>");
        return;
    }
    sni_bytes_format(p->out, "<td class=\"n\">%s &rarr; ", batch_bytes(row->before.size).text);
    sni_bytes_format(p->out, "%s</td><td>%s</td></tr>", batch_bytes(row->made.size).text,
                     row->made.hash != row->before.hash ? "other bytes" : "same bytes");
}

// How much worse it got: a verdict counts more than any measure.
static float worsening(const batchRow* row) {
    float worst = -1.0f;
    for (int m = 0; m < BATCH_MEASURES; m++) {
        float step = row->made.measures[m] - row->before.measures[m];
        if (row->made.measures[m] >= 0.0f && row->before.measures[m] >= 0.0f && step > worst) worst = step;
    }
    return worst + 1000.0f * ((float)row->made.verdict - (float)row->before.verdict);
}

// Jobs that changed, those that got worst first; at most LISTED.
static uint32_t worst_changes(const batchPage* p, uint32_t list[LISTED]) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < p->plan->job_count; j++) {
        const batchRow* row = &p->report->rows[j];
        if (!batch_row_changed(row)) continue;
        float here = worsening(row);
        uint32_t at = count < LISTED ? count : LISTED;
        while (at > 0 && worsening(&p->report->rows[list[at - 1]]) < here) at--;
        if (at == LISTED) continue;
        if (count < LISTED) count++;
        memmove(list + at + 1, list + at, (count - 1 - at) * sizeof *list);
        list[at] = j;
    }
    return count;
}

static void add_change_table(batchPage* p, const uint32_t* list, uint32_t count) {
    sni_bytes_text(p->out, "<div class=\"wide\"><table><tr><th>job</th><th>verdict</th>");
    for (int m = 0; m < BATCH_MEASURES; m++)
        sni_bytes_format(p->out, "<th class=\"n\">%s</th>", batch_measure_name((batchMeasure)m));
    sni_bytes_text(p->out, "<th class=\"n\">size</th><th>file</th></tr>");
    for (uint32_t i = 0; i < count; i++) add_change(p, list[i]);
    sni_bytes_text(p->out, "</table></div>");
}

void batch_page_changes(batchPage* p) {
    const batchReport* r = p->report;
    uint32_t list[LISTED], listed = worst_changes(p, list), compared = 0;
    for (uint32_t j = 0; j < p->plan->job_count; j++) compared += r->rows[j].last && r->rows[j].compared;
    if (compared == 0) return;
    sni_bytes_format(
        p->out, "<section><h2>Changed with run %u<span class=\"badge %s\">%u of %u done again</span></h2>",
        r->run, r->changed > 0 ? "warn" : "ok", r->changed, compared);
    if (r->changed == 0) {
        sni_bytes_text(p->out, "<p>Nothing: the same files and the same measures.</p></section>");
        return;
    }
    sni_bytes_text(p->out,
                   "<p class=\"dim\">What it made, beside what the run before it made of the same character "
                   "and motion. Worst first. Checks are in percent, before &rarr; after.</p>");
    add_change_table(p, list, listed < SHOWN ? listed : SHOWN);
    if (listed > SHOWN) {
        sni_bytes_format(p->out, "<details><summary class=\"dim\">%u more</summary>", listed - SHOWN);
        add_change_table(p, list + SHOWN, listed - SHOWN);
        sni_bytes_text(p->out, "</details>");
    }
    if (r->changed > listed)
        sni_bytes_format(p->out, "<p class=\"dim\">... and %u more; report.json has all</p>",
                         r->changed - listed);
    sni_bytes_text(p->out, "</section>");
}
