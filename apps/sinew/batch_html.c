// The report of a batch: one page, in light and dark.
#include <stdio.h>
#include <string.h>

#include "apps/batch/record.h"
#include "base/error.h"
#include "batch_page.h"
#include "io/base64.h"
#include "io/file.h"

// More motions than this make a table of small squares; more jobs than this, pictures beside the page.
#define WIDE_MOTIONS 16
#define PICTURES_WITHIN 400

static const char style[] =
    "main{max-width:none}.tiles{display:flex;flex-wrap:wrap;gap:12px;margin:16px 0}"
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 18px;"
    "min-width:120px}.tile b{display:block;font-size:22px}"
    ".grid td,.grid th{vertical-align:top;border-right:1px solid var(--line)}"
    ".grid td:last-child,.grid th:last-child{border-right:0}"
    ".grid th.row{position:sticky;left:0;background:var(--card);color:var(--fg);max-width:220px;"
    "overflow:hidden;text-overflow:ellipsis}"
    ".cell{min-width:216px}.cell "
    "img{display:block;width:216px;height:auto;border-radius:6px;"
    "margin-bottom:4px;background:var(--band)}th.row img{display:block;width:96px;height:96px;"
    "object-fit:cover;border-radius:6px;margin-top:4px}"
    ".job{font-size:13px;white-space:nowrap;font-weight:400}.job .badge{margin-left:6px;font-size:12px}"
    ".none{color:var(--dim);background:var(--band)}"
    ".small td{padding:1px;border:0}.small th.row{font-weight:400;padding:1px 10px 1px 0}"
    ".small a{display:block;width:14px;height:14px;border-radius:3px}"
    ".dot{display:inline-block;width:12px;height:12px;border-radius:3px;margin:0 5px 0 "
    "14px;vertical-align:-1px}"
    "a.ok,.dot.ok{background:var(--ok)}a.warn,.dot.warn{background:var(--warn)}"
    "a.fail,.dot.fail{background:var(--fail)}a.none,.dot.none{background:var(--line)}"
    "code{font-size:12.5px;white-space:pre-wrap;word-break:break-all}pre{margin:4px 0 "
    "10px;white-space:pre-wrap}"
    ".up{color:var(--fail)}.down{color:var(--ok)}";

void batch_page_stem(batchPage* p, const char* path) {
    char name[256];
    const char* stem = NULL;
    size_t length = batch_stem(path, &stem);
    snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), stem);
    sni_html_escape(p->out, name);
}

// How a job stands, as a word and a color.
static const char* class_of(const batchJob* job, const batchRow* row) {
    if (row->known && !row->done) return "fail";
    if (job->need != BATCH_UP_TO_DATE) return "none";
    return row->made.verdict != BATCH_UNJUDGED ? batch_verdict_name(row->made.verdict) : "ok";
}

static const char* word_of(const batchJob* job, const batchRow* row) {
    if (row->known && !row->done) return "error";
    if (job->need != BATCH_UP_TO_DATE) return job->need == BATCH_NEW ? "to do" : batch_need_name(job->need);
    return row->made.verdict != BATCH_UNJUDGED ? batch_verdict_name(row->made.verdict) : "done";
}

// ------------------------------------------------------------------------------------------------ pictures

// Where the page lies in the folder of the state, what a job wrote is one folder up.
static bool is_beside(const batchPage* p) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%.4000s/", p->plan->manifest->state);
    return sni_file_same_folder(p->path, folder) && strchr(p->plan->manifest->state, '/') == NULL;
}

// Within the page, so that it can be sent away; beside it where there are many.
static void add_picture(batchPage* p, const batchJob* job) {
    char path[4096];
    batch_state_path(p->plan->manifest->state, "thumbs", job->id, "png", path);
    if (p->plan->job_count > PICTURES_WITHIN) {
        // The page usually lies in the folder of the state; elsewhere the way there is from the manifest's.
        bool beside = is_beside(p);
        size_t state = strlen(p->plan->manifest->state);
        sni_bytes_format(p->out, "<img loading=\"lazy\" alt=\"\" src=\"");
        sni_html_escape(p->out, beside ? path + state + 1 : path);
        sni_bytes_format(p->out, "\">");
        return;
    }
    uint8_t* data = NULL;
    size_t size = 0;
    const snAllocator* memory = &p->plan->memory;
    if (sni_file_read(path, (size_t)1 << 20, memory, &data, &size, NULL) != SN_RESULT_OK) return;
    sni_bytes_text(p->out, "<img alt=\"\" src=\"data:image/png;base64,");
    sni_base64_encode(data, size, p->out);
    sni_bytes_text(p->out, "\">");
    sni_free(memory, data);
}

// --------------------------------------------------------------------------------------------------- cells

static void add_measures(batchPage* p, const batchRow* row) {
    for (int m = 0; m < 2; m++) // volume and crossings; the JSON has all
        if (row->made.measures[m] >= 0.0f)
            sni_bytes_format(p->out, " <span class=\"dim\">%s</span> %s", batch_measure_name((batchMeasure)m),
                             sni_percent(row->made.measures[m]).text);
}

// Its name, as a link to what it wrote.
static void add_recipe(batchPage* p, const batchJob* job, const batchRow* row) {
    const char* out = batch_job_out(p->plan, job);
    bool linked = row->done && out != NULL && (out[0] == '/' || is_beside(p));
    if (linked) {
        sni_bytes_format(p->out, "<a href=\"%s", out[0] == '/' ? "" : "../");
        sni_html_escape(p->out, out);
        sni_bytes_format(p->out, "\">");
    }
    sni_html_escape(p->out, batch_job_recipe(p->plan, job)->name);
    if (linked) sni_bytes_format(p->out, "</a>");
}

static void add_job(batchPage* p, uint32_t j) {
    const batchJob* job = &p->plan->jobs[j];
    const batchRow* row = &p->report->rows[j];
    sni_bytes_format(p->out, "<div class=\"job\" id=\"j%u\">", j);
    add_recipe(p, job, row);
    sni_bytes_format(p->out, "<span class=\"badge %s\">%s</span>", class_of(job, row), word_of(job, row));
    if (batch_row_changed(row)) sni_bytes_format(p->out, "<span class=\"badge warn\">changed</span>");
    if (row->done) {
        if (row->made.size > 0) sni_bytes_format(p->out, " %s", batch_bytes(row->made.size).text);
        sni_bytes_format(p->out, " <span class=\"dim\">%s</span>", batch_duration(row->seconds).text);
        if (row->confidence >= 0.0f && row->confidence < 0.7f)
            sni_bytes_format(p->out, " <span class=\"dim\">map</span> %.2f", (double)row->confidence);
        add_measures(p, row);
    } else if (batch_row_error(p->report, row) != NULL) {
        sni_bytes_format(p->out, " <a href=\"#e%u\" class=\"dim\">why</a>", j);
    }
    sni_bytes_format(p->out, "</div>");
}

// A square with everything in its title.
static void add_square(batchPage* p, uint32_t j) {
    const batchJob* job = &p->plan->jobs[j];
    const batchRow* row = &p->report->rows[j];
    const char* error = batch_row_error(p->report, row);
    sni_bytes_format(p->out, "<a class=\"%s\" title=\"", class_of(job, row));
    sni_html_escape(p->out, batch_job_recipe(p->plan, job)->name);
    sni_bytes_format(p->out, ", ");
    if (job->character != SN_NONE) batch_page_stem(p, batch_job_character(p->plan, job));
    sni_bytes_format(p->out, ", ");
    if (job->motion != SN_NONE) batch_page_stem(p, batch_job_motion(p->plan, job));
    sni_bytes_format(p->out, ": %s", word_of(job, row));
    if (row->done && row->made.size > 0)
        sni_bytes_format(p->out, ", %s, %s", batch_bytes(row->made.size).text,
                         batch_duration(row->seconds).text);
    sni_bytes_format(p->out, "\"");
    if (error != NULL && !row->done) sni_bytes_format(p->out, " href=\"#e%u\"", j);
    sni_bytes_format(p->out, "></a>");
}

// --------------------------------------------------------------------------------------------------- table

// Jobs by place: [(character + 1) * (motions + 1) + motion + 1], the first of a chain by `next`.
typedef struct Places {
    uint32_t* first;
    uint32_t* next; // by job
    uint32_t columns;
} Places;

static uint32_t place_of(const Places* places, const batchJob* job) {
    uint32_t row = job->character != SN_NONE ? job->character + 1 : 0;
    uint32_t column = job->motion != SN_NONE ? job->motion + 1 : 0;
    return row * places->columns + column;
}

static bool make_places(const batchPlan* plan, Places* out) {
    out->columns = plan->motions.count + 1;
    size_t count = (size_t)(plan->characters.count + 1) * out->columns;
    out->first = SNI_NEW_ARRAY(&plan->memory, uint32_t, count);
    out->next = SNI_NEW_ARRAY(&plan->memory, uint32_t, plan->job_count);
    if (out->first == NULL || out->next == NULL) return false;
    memset(out->first, 0xff, count * sizeof *out->first);
    for (uint32_t j = plan->job_count; j-- > 0;) {
        uint32_t* first = &out->first[place_of(out, &plan->jobs[j])];
        out->next[j] = *first;
        *first = j;
    }
    return true;
}

static void free_places(const batchPlan* plan, Places* places) {
    sni_free(&plan->memory, places->first);
    sni_free(&plan->memory, places->next);
}

static void add_cell(batchPage* p, const Places* places, uint32_t place, bool wide) {
    for (uint32_t j = places->first[place]; wide && j != SN_NONE; j = places->next[j]) {
        if (!p->report->rows[j].drawn || !p->report->rows[j].done) continue;
        add_picture(p, &p->plan->jobs[j]);
        break;
    }
    for (uint32_t j = places->first[place]; j != SN_NONE; j = places->next[j]) {
        if (wide)
            add_job(p, j);
        else
            add_square(p, j);
    }
}

static void add_table(batchPage* p, const Places* places) {
    uint32_t motions = p->plan->motions.count;
    bool wide = motions <= WIDE_MOTIONS;
    sni_bytes_text(p->out, "<section><h2>All</h2>");
    if (!wide)
        sni_bytes_text(p->out,
                       "<p class=\"dim\">A square is a job; its name shows when the pointer rests on it."
                       "<i class=\"dot ok\"></i>done<i class=\"dot warn\"></i>warns<i class=\"dot fail\">"
                       "</i>fails<i class=\"dot none\"></i>to do</p>");
    sni_bytes_format(p->out, "<div class=\"wide\"><table class=\"%s\">", wide ? "grid" : "small");
    if (wide && motions > 0) {
        sni_bytes_text(p->out, "<tr><th class=\"row\"></th>");
        for (uint32_t m = 0; m < motions; m++) {
            sni_bytes_text(p->out, "<th title=\"");
            sni_html_escape(p->out, p->plan->motions.items[m]);
            sni_bytes_text(p->out, "\">");
            batch_page_stem(p, p->plan->motions.items[m]);
            add_cell(p, places, m + 1, wide);
            sni_bytes_text(p->out, "</th>");
        }
        sni_bytes_text(p->out, "</tr>");
    }
    for (uint32_t c = 0; c < p->plan->characters.count; c++) {
        sni_bytes_text(p->out, "<tr><th class=\"row\" title=\"");
        sni_html_escape(p->out, p->plan->characters.items[c]);
        sni_bytes_text(p->out, "\">");
        batch_page_stem(p, p->plan->characters.items[c]);
        add_cell(p, places, (c + 1) * places->columns, wide);
        sni_bytes_text(p->out, "</th>");
        for (uint32_t m = 0; m < motions; m++) {
            sni_bytes_text(p->out, wide ? "<td class=\"cell\">" : "<td>");
            add_cell(p, places, (c + 1) * places->columns + m + 1, wide);
            sni_bytes_text(p->out, "</td>");
        }
        sni_bytes_text(p->out, "</tr>\n");
    }
    sni_bytes_text(p->out, "</table></div></section>");
}

// ---------------------------------------------------------------------------------------------------- page

static void add_tile(batchPage* p, const char* value, const char* words) {
    sni_bytes_format(p->out, "<div class=\"tile\"><b>%s</b><span class=\"dim\">%s</span></div>", value,
                     words);
}

static void add_count(batchPage* p, uint32_t count, const char* words) {
    char text[16];
    snprintf(text, sizeof text, "%u", count);
    add_tile(p, text, words);
}

static void add_head(batchPage* p) {
    const batchReport* r = p->report;
    bool judged = r->verdicts[BATCH_OK] + r->verdicts[BATCH_WARN] + r->verdicts[BATCH_FAIL] > 0;
    bool fails = r->verdicts[BATCH_FAIL] > 0;
    const char* class = r->failed > 0 ? "fail" : r->waiting > 0 || fails ? "warn" : "ok";
    sni_bytes_text(p->out, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                           "<meta name=\"color-scheme\" content=\"light dark\"><title>Sinew batch: ");
    sni_html_escape(p->out, p->plan->manifest->name);
    sni_bytes_text(p->out, "</title><style>");
    sni_bytes_text(p->out, sni_html_style());
    sni_bytes_text(p->out, style);
    sni_bytes_text(p->out, "</style></head><body><main><h1>");
    sni_html_escape(p->out, p->plan->manifest->name);
    sni_bytes_format(
        p->out,
        "<span class=\"badge %s\">%s</span></h1><p class=\"dim\">%u characters &middot; %u motions "
        "&middot; run %u</p><div class=\"tiles\">",
        class,
        r->failed > 0    ? "failures"
        : r->waiting > 0 ? "unfinished"
                         : "done",
        p->plan->characters.count, p->plan->motions.count, r->run);
    add_count(p, p->plan->job_count, "jobs");
    add_count(p, r->done, "up to date");
    if (r->failed > 0) add_count(p, r->failed, "failed");
    if (r->waiting > 0) add_count(p, r->waiting, "to do");
    if (judged) add_count(p, r->verdicts[BATCH_OK], "checks ok");
    if (judged) add_count(p, r->verdicts[BATCH_WARN], "checks warn");
    if (judged) add_count(p, r->verdicts[BATCH_FAIL], "checks fail");
    add_tile(p, batch_bytes(r->size).text, "of files");
    add_tile(p, batch_duration(r->seconds).text, "of work");
    sni_bytes_text(p->out, "</div>");
}

void batch_html(const batchJobs* b, const batchReport* report, const char* path, sniBytes* out) {
    batchPage p = {b, &b->plan, report, path, out};
    Places places = {0};
    add_head(&p);
    batch_page_failures(&p);
    batch_page_changes(&p);
    if (make_places(p.plan, &places))
        add_table(&p, &places);
    else
        out->failed = true;
    free_places(p.plan, &places);
    sni_bytes_format(out, "<p class=\"dim\">Sinew %s.</p></main></body></html>\n", SN_VERSION_STRING);
}

cliExit batch_write_report(batchJobs* b, const char* path) {
    char json[4096];
    batchReport report;
    snError error = sn_error_none();
    sniBytes page = sni_bytes(&b->plan.memory), text = sni_bytes(&b->plan.memory);
    snprintf(json, sizeof json, "%.*s.json", (int)(strlen(path) - strlen(sni_path_extension(path))), path);
    snResult result = batch_report_create(&b->plan, &report, &error);
    if (result == SN_RESULT_OK) {
        batch_html(b, &report, path, &page);
        batch_report_json(&report, &text);
        b->verdicts_failed = report.verdicts[BATCH_FAIL];
    }
    batch_report_free(&report);
    result = sni_bytes_save(&page, result, path, &error);
    result = sni_bytes_save(&text, result, json, &error);
    if (result != SN_RESULT_OK) return context_fail(b->context, &error);
    context_say(b->context, "wrote %s and %s", path, json);
    return CLI_DONE;
}
