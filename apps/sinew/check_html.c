// The report: one file that needs nothing else, in light and dark.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check.h"

// Joints that a table of offenders names, and that the table of joints does.
#define OFFENDERS 8
#define JOINTS 40

void check_escape(sniBytes* out, const char* text) {
    for (; *text != '\0'; text++) {
        const char* safe = *text == '<'    ? "&lt;"
                           : *text == '>'  ? "&gt;"
                           : *text == '&'  ? "&amp;"
                           : *text == '"'  ? "&quot;"
                           : *text == '\'' ? "&#39;"
                                           : NULL;
        if (safe != NULL)
            sni_bytes_text(out, safe);
        else if ((unsigned char)*text >= 32)
            sni_bytes_add(out, text, 1);
    }
}

void check_format(sniBytes* out, const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sni_bytes_text(out, text);
}

static const char style[] =
    ":root{--bg:#fbfbfa;--fg:#22252b;--dim:#6c727d;--line:#dcdde0;--card:#fff;--ok:#2f7d4f;--warn:#b97800;"
    "--fail:#c2362b;--okb:#e4f2e9;--warnb:#fdf0d5;--failb:#fbe1de;--band:#f2f3f4;"
    "--l0:#c2362b;--l1:#2766b0;--l2:#2f7d4f;--l3:#b97800;--l4:#7a4fb5;--l5:#0d8a93;--l6:#a8487e;--l7:#5c6470}"
    "@media(prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e6e7ea;--dim:#9aa1ad;--line:#33373f;"
    "--card:#1e2127;--ok:#6fcf97;--warn:#f2c14e;--fail:#ff7b6e;--okb:#1d3327;--warnb:#3a2f15;--failb:#402220;"
    "--band:#22262c;--l0:#ff7b6e;--l1:#6aa9f0;--l2:#6fcf97;--l3:#f2c14e;--l4:#b596e8;--l5:#5fd0d8;"
    "--l6:#e08fbf;--l7:#a7aebb}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "main{max-width:1040px;margin:0 auto;padding:32px 24px 64px}h1{font-size:26px;margin:0 0 4px}"
    "h2{font-size:19px;margin:0 0 2px}p{margin:4px 0 12px}.dim{color:var(--dim)}"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;"
    "margin:18px 0}"
    ".badge{display:inline-block;border-radius:6px;padding:1px 9px;font-size:13px;font-weight:600;"
    "vertical-align:middle;margin-left:8px}"
    ".ok{color:var(--ok);background:var(--okb)}.warn{color:var(--warn);background:var(--warnb)}"
    ".fail{color:var(--fail);background:var(--failb)}"
    "table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}"
    "th{text-align:left;font-weight:600;color:var(--dim);font-size:13px}"
    "td,th{padding:5px 10px;border-bottom:1px solid var(--line);white-space:nowrap}"
    "td.n,th.n{text-align:right}td.w{white-space:normal}tr:last-child td{border-bottom:0}a{color:inherit}"
    ".wide{overflow-x:auto}svg{width:100%;height:auto;display:block;margin:10px 0 0}"
    "svg text{font-size:11px;fill:var(--dim)}svg polyline{fill:none;stroke-width:1.6}"
    "svg .axis{stroke:var(--line)}svg .limit{stroke-dasharray:5 4}svg .limit.warn{stroke:var(--warn)}"
    "svg .limit.fail{stroke:var(--fail)}.band0{fill:transparent}.band1{fill:var(--band)}"
    ".band0:hover,.band1:hover{fill:var(--line)}"
    ".keys{margin:2px 0 12px 46px}.key{margin-right:16px;font-size:13px}"
    ".key i{display:inline-block;width:14px;height:3px;border-radius:2px;margin-right:6px;"
    "vertical-align:middle}"
    ".pics{display:flex;flex-wrap:wrap;gap:14px;margin:12px 0}figure{margin:0;flex:1 1 170px;max-width:320px}"
    ".pic{position:relative;border-radius:8px;overflow:hidden;border:1px solid var(--line)}"
    ".pic img{display:block;width:100%;height:auto}"
    ".ring{position:absolute;width:46px;height:46px;margin:-23px 0 0 -23px;border:2.5px solid #e0342a;"
    "border-radius:50%;box-shadow:0 0 0 1.5px #fff9}"
    "figcaption{font-size:13px;color:var(--dim);padding:3px 2px}"
    ".one{display:grid;grid-template-columns:300px minmax(0,1fr);gap:22px;align-items:start}"
    "@media(max-width:760px){.one{grid-template-columns:1fr}}"
    ".advice{border-left:3px solid var(--line);padding-left:12px;margin:12px 0 0}";

const char* check_style(void) { return style; }

typedef struct Report {
    const checkJob* job;
    sniBytes out;
    checkPictures* pictures;
    char no_pictures[256];
    snMeasure order[SN_MEASURE_COUNT]; // worst first
} Report;

// ------------------------------------------------------------------------------------------------- parts

static void add_badge(Report* r, snVerdict verdict) {
    check_format(&r->out, "<span class=\"badge %s\">%s</span>", sn_verdict_name(verdict),
                 sn_verdict_name(verdict));
}

// The largest value of a measure in any way.
static float worst_value(const Report* r, snMeasure measure) {
    const snCheckup* checkup = r->job->checkup;
    uint32_t way = sn_checks_worst(checkup->checks, checkup->way_count, measure);
    return checkup->checks[way]->measures[measure].worst.value;
}

static void add_place(Report* r, const snOffence* o) {
    const char* move = sn_checkup_move(r->job->checkup, o);
    if (move[0] != '\0')
        check_escape(&r->out, move);
    else if (o->frame != SN_NONE)
        check_format(&r->out, "%.2f s", (double)o->time);
    else
        check_format(&r->out, "weights");
}

static void add_value(Report* r, float value, snVerdict verdict) {
    check_format(&r->out, "<td class=\"n %s\">%s</td>", sn_verdict_name(verdict), check_percent(value).text);
}

static snVerdict judge(const Report* r, snMeasure measure, float value) {
    return sn_check_judge(r->job->checkup->checks[0], measure, value);
}

static void add_way_heads(Report* r) {
    for (uint32_t i = 0; i < r->job->checkup->way_count; i++) {
        check_format(&r->out, "<th class=\"n\">");
        check_escape(&r->out, r->job->checkup->way_count > 1 ? r->job->checkup->ways[i].name : "worst");
        check_format(&r->out, "</th>");
    }
}

static void add_summary(Report* r) {
    const checkJob* job = r->job;
    check_format(&r->out, "<section><div class=\"wide\"><table><tr><th>measure</th>");
    add_way_heads(r);
    check_format(&r->out, "<th class=\"n\">warns</th><th class=\"n\">fails</th><th>worst at</th></tr>");
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        snMeasure m = r->order[i];
        const snMeasureInfo* info = sn_measure_info(m);
        const snOffence* worst = &job->checkup->checks[0]->measures[m].worst;
        check_format(&r->out, "<tr><td><a href=\"#%s\">%s</a></td>", info->name, info->title);
        for (uint32_t w = 0; w < job->checkup->way_count; w++) {
            const snOffence* here = &job->checkup->checks[w]->measures[m].worst;
            add_value(r, here->value, here->verdict);
            if (here->value > worst->value) worst = here;
        }
        check_format(&r->out, "<td class=\"n dim\">%s</td>", check_percent(job->limits.warn[m]).text);
        check_format(&r->out, "<td class=\"n dim\">%s</td><td>", check_percent(job->limits.fail[m]).text);
        if (worst->value > 0.0f) {
            check_escape(&r->out, check_joint(job, worst->joint));
            check_format(&r->out, "<span class=\"dim\"> &middot; ");
            add_place(r, worst);
            check_format(&r->out, "</span>");
        }
        check_format(&r->out, "</td></tr>");
    }
    check_format(&r->out, "</table></div></section>");
}

// Offenders of the way that is worst, worst first.
static void add_offenders(Report* r, snMeasure measure) {
    const checkJob* job = r->job;
    uint32_t of = sn_checks_worst(job->checkup->checks, job->checkup->way_count, measure);
    const snCheckMeasure* m = &job->checkup->checks[of]->measures[measure];
    check_format(&r->out, "<div class=\"wide\"><table><tr><th>joint</th>");
    add_way_heads(r);
    check_format(&r->out, "<th>when</th><th>where</th></tr>");
    for (uint32_t i = 0; i < m->offence_count && i < OFFENDERS; i++) {
        const snOffence* o = &m->offences[i];
        check_format(&r->out, "<tr><td>");
        check_escape(&r->out, check_joint(job, o->joint));
        check_format(&r->out, "</td>");
        for (uint32_t w = 0; w < job->checkup->way_count; w++) {
            float value = sn_check_joint_worst(job->checkup->checks[w], measure, o->joint);
            add_value(r, value, judge(r, measure, value));
        }
        check_format(&r->out, "<td>");
        add_place(r, o);
        check_format(&r->out, "</td><td class=\"dim\">");
        if (o->part != SN_NONE) check_escape(&r->out, context_model(job->context)->parts[o->part].name);
        if (o->face != SN_NONE)
            check_format(&r->out, " face %u", o->face);
        else if (o->vertex != SN_NONE)
            check_format(&r->out, " vertex %u", o->vertex);
        check_format(&r->out, "</td></tr>");
    }
    check_format(&r->out, "</table></div>");
}

static cliExit add_measure(Report* r, snMeasure measure) {
    const snMeasureInfo* info = sn_measure_info(measure);
    snVerdict verdict = judge(r, measure, worst_value(r, measure));
    check_format(&r->out, "<section id=\"%s\"><h2>%s", info->name, info->title);
    add_badge(r, verdict);
    check_format(&r->out, "</h2><p class=\"dim\">%s</p>", info->help);
    cliExit code = CLI_DONE;
    if (worst_value(r, measure) > 0.0f) {
        bool beside = r->job->checkup->way_count == 1 && r->pictures != NULL && measure != SN_MEASURE_DROPPED;
        check_plot(r->job, measure, &r->out);
        if (beside) check_format(&r->out, "<div class=\"one\">");
        if (r->pictures != NULL) code = check_pictures_add(r->pictures, measure, &r->out);
        add_offenders(r, measure);
        if (beside) check_format(&r->out, "</div>");
        if (verdict != SN_VERDICT_OK) check_format(&r->out, "<p class=\"advice\">%s</p>", info->advice);
    } else {
        check_format(&r->out, "<p>Nothing found.</p>");
    }
    check_format(&r->out, "</section>");
    return code;
}

// Every joint with every measure, worst first; of the first way.
static void add_joints(Report* r) {
    const checkJob* job = r->job;
    const snCheck* first = job->checkup->checks[0];
    uint32_t joints[JOINTS], count = sn_check_worst_joints(first, joints, JOINTS);
    check_format(&r->out,
                 "<section><h2>Joints</h2><p class=\"dim\">the worst of every measure%s%s, worst joint "
                 "first</p><div class=\"wide\"><table><tr><th>joint</th>",
                 job->checkup->way_count > 1 ? ", " : "",
                 job->checkup->way_count > 1 ? job->checkup->ways[0].name : "");
    for (int m = 1; m < SN_MEASURE_COUNT; m++)
        check_format(&r->out, "<th class=\"n\">%s</th>", sn_measure_info((snMeasure)m)->name);
    check_format(&r->out, "</tr>");
    for (uint32_t i = 0; i < count; i++) {
        check_format(&r->out, "<tr><td>");
        check_escape(&r->out, check_joint(job, joints[i]));
        check_format(&r->out, "</td>");
        for (int m = 1; m < SN_MEASURE_COUNT; m++) {
            float value = sn_check_joint_worst(first, (snMeasure)m, joints[i]);
            if (value > 0.0f)
                add_value(r, value, judge(r, (snMeasure)m, value));
            else
                check_format(&r->out, "<td class=\"n dim\">&middot;</td>");
        }
        check_format(&r->out, "</tr>");
    }
    check_format(&r->out, "</table></div></section>");
}

static void add_head(Report* r) {
    const checkJob* job = r->job;
    const snCheck* check = job->checkup->checks[0];
    check_format(&r->out, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                          "<meta name=\"color-scheme\" content=\"light dark\"><title>Sinew check: ");
    check_escape(&r->out, job->title);
    sni_bytes_text(&r->out, "</title><style>");
    sni_bytes_text(&r->out, style);
    sni_bytes_text(&r->out, "</style></head><body><main><h1>");
    const char* slash = strrchr(job->title, '/');
    check_escape(&r->out, slash != NULL ? slash + 1 : job->title);
    add_badge(r, check_verdict(job));
    check_format(&r->out, "</h1><p class=\"dim\">");
    if (job->checkup->range != NULL)
        check_format(&r->out, "range of motion, %u moves", job->checkup->range->move_count);
    else
        check_escape(&r->out, context_model(job->context)->clips[job->checkup->clip]->name);
    check_format(&r->out, " &middot; %u frames &middot; %u triangles in %u pieces, %u closed",
                 check->frame_count, check->triangle_count, check->piece_count, check->closed_pieces);
    if (check->rest_crossings > 0)
        check_format(&r->out, " &middot; %u pairs cross at rest and are left out", check->rest_crossings);
    for (uint32_t i = 0; i < job->checkup->way_count; i++) {
        const snOffence* held = &job->checkup->checks[i]->held;
        if (!(held->value > 0.0f)) continue;
        check_format(&r->out, " &middot; ");
        if (job->checkup->way_count > 1) check_escape(&r->out, job->checkup->ways[i].name);
        check_format(&r->out, " exact volume held back %s at most, around ", check_percent(held->value).text);
        check_escape(&r->out, check_joint(job, held->joint));
    }
    if (r->no_pictures[0] != '\0') {
        check_format(&r->out, "<br>without pictures: ");
        check_escape(&r->out, r->no_pictures);
    }
    check_format(&r->out, "</p>");
}

static cliExit write(Report* r, const char* path) {
    const cliContext* context = r->job->context;
    snError error = sn_error_none();
    snResult result =
        r->out.failed ? sni_fail_memory(&error) : sn_file_write(path, r->out.data, r->out.size, &error);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    context_say(context, "wrote %s", path);
    return CLI_DONE;
}

cliExit check_write_html(const checkJob* job, const char* path) {
    Report r = {.job = job, .out = sni_bytes(&job->context->memory)};
    cliExit code = check_pictures_open(job, &r.pictures, r.no_pictures, sizeof r.no_pictures);
    if (code == CLI_DONE) {
        sn_checks_order(job->checkup->checks, job->checkup->way_count, r.order);
        add_head(&r);
        add_summary(&r);
    }
    for (int i = 0; i < SN_MEASURE_COUNT && code == CLI_DONE; i++) {
        context_progress(job->context, "report", (uint32_t)i, SN_MEASURE_COUNT);
        code = add_measure(&r, r.order[i]);
    }
    context_progress(job->context, "report", 1, 1);
    if (code == CLI_DONE) {
        add_joints(&r);
        check_format(&r.out,
                     "<p class=\"dim\">Sinew %s. Shares of a joint's surface are of the surface that bends "
                     "about it or follows it.</p></main></body></html>\n",
                     SN_VERSION_STRING);
        code = write(&r, path);
    }
    check_pictures_close(r.pictures);
    sni_bytes_free(&r.out);
    return code;
}
