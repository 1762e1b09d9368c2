// The report of a check: one page that needs nothing else, in light and dark.
#include "check_report.h"

#include <string.h>

#include "base/progress.h"
#include "document.h"

// Joints that a table of offenders names, and that the table of joints does.
#define OFFENDERS 8
#define JOINTS 40

typedef struct Report {
    const snCheckup* checkup;
    const snCheckReportDef* def;
    sniBytes out;
    snMeasure order[SN_MEASURE_COUNT]; // worst first
} Report;

static const snModel* model_of(const Report* r) { return r->checkup->document->state.body.model; }

const char* sni_check_joint(const snCheckup* checkup, uint32_t joint) {
    return joint != SN_NONE ? checkup->document->state.body.model->skeleton->names[joint] : "whole";
}
static const char* joint_name(const Report* r, uint32_t joint) { return sni_check_joint(r->checkup, joint); }

// ------------------------------------------------------------------------------------------------- parts

static void add_badge(Report* r, snVerdict verdict) {
    sni_bytes_format(&r->out, "<span class=\"badge %s\">%s</span>", sn_verdict_name(verdict),
                     sn_verdict_name(verdict));
}

// The largest value of a measure in any method.
static float worst_value(const Report* r, snMeasure measure) {
    const snCheckup* checkup = r->checkup;
    uint32_t method = sn_checks_worst(checkup->checks, checkup->method_count, measure);
    return checkup->checks[method]->measures[measure].worst.value;
}

static void add_place(Report* r, const snViolation* o) {
    const char* move = sn_checkup_move(r->checkup, o);
    if (move[0] != '\0')
        sni_html_escape(&r->out, move);
    else if (o->frame != SN_NONE)
        sni_bytes_format(&r->out, "%.2f s", (double)o->time);
    else
        sni_bytes_format(&r->out, "weights");
}

static void add_value(Report* r, float value, snVerdict verdict) {
    sni_bytes_format(&r->out, "<td class=\"n %s\">%s</td>", sn_verdict_name(verdict),
                     sni_percent(value).text);
}

static snVerdict judge(const Report* r, snMeasure measure, float value) {
    return sn_check_judge(r->checkup->checks[0], measure, value);
}

static void add_way_heads(Report* r) {
    for (uint32_t i = 0; i < r->checkup->method_count; i++) {
        sni_bytes_format(&r->out, "<th class=\"n\">");
        sni_html_escape(&r->out, r->checkup->method_count > 1 ? r->checkup->methods[i].name : "worst");
        sni_bytes_format(&r->out, "</th>");
    }
}

static void add_summary(Report* r) {
    const snCheckup* checkup = r->checkup;
    sni_bytes_format(&r->out, "<section><div class=\"wide\"><table><tr><th>measure</th>");
    add_way_heads(r);
    sni_bytes_format(&r->out, "<th class=\"n\">warns</th><th class=\"n\">fails</th><th>worst at</th></tr>");
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        snMeasure m = r->order[i];
        const snMeasureInfo* info = sn_measure_info(m);
        const snViolation* worst = &checkup->checks[0]->measures[m].worst;
        sni_bytes_format(&r->out, "<tr><td><a href=\"#%s\">%s</a></td>", info->name, info->title);
        for (uint32_t w = 0; w < checkup->method_count; w++) {
            const snViolation* here = &checkup->checks[w]->measures[m].worst;
            add_value(r, here->value, here->verdict);
            if (here->value > worst->value) worst = here;
        }
        sni_bytes_format(&r->out, "<td class=\"n dim\">%s</td>", sni_percent(checkup->limits.warn[m]).text);
        sni_bytes_format(&r->out, "<td class=\"n dim\">%s</td><td>",
                         sni_percent(checkup->limits.fail[m]).text);
        if (worst->value > 0.0f) {
            sni_html_escape(&r->out, joint_name(r, worst->joint));
            sni_bytes_format(&r->out, "<span class=\"dim\"> &middot; ");
            add_place(r, worst);
            sni_bytes_format(&r->out, "</span>");
        }
        sni_bytes_format(&r->out, "</td></tr>");
    }
    sni_bytes_format(&r->out, "</table></div></section>");
}

// Offenders of the way that is worst, worst first.
static void add_offenders(Report* r, snMeasure measure) {
    const snCheckup* checkup = r->checkup;
    uint32_t of = sn_checks_worst(checkup->checks, checkup->method_count, measure);
    const snCheckMeasure* m = &checkup->checks[of]->measures[measure];
    sni_bytes_format(&r->out, "<div class=\"wide\"><table><tr><th>joint</th>");
    add_way_heads(r);
    sni_bytes_format(&r->out, "<th>when</th><th>where</th></tr>");
    for (uint32_t i = 0; i < m->violation_count && i < OFFENDERS; i++) {
        const snViolation* o = &m->violations[i];
        sni_bytes_format(&r->out, "<tr><td>");
        sni_html_escape(&r->out, joint_name(r, o->joint));
        sni_bytes_format(&r->out, "</td>");
        for (uint32_t w = 0; w < checkup->method_count; w++) {
            float value = sn_check_joint_worst(checkup->checks[w], measure, o->joint);
            add_value(r, value, judge(r, measure, value));
        }
        sni_bytes_format(&r->out, "<td>");
        add_place(r, o);
        sni_bytes_format(&r->out, "</td><td class=\"dim\">");
        if (o->part != SN_NONE) sni_html_escape(&r->out, model_of(r)->parts[o->part].name);
        if (o->face != SN_NONE)
            sni_bytes_format(&r->out, " face %u", o->face);
        else if (o->vertex != SN_NONE)
            sni_bytes_format(&r->out, " vertex %u", o->vertex);
        sni_bytes_format(&r->out, "</td></tr>");
    }
    sni_bytes_format(&r->out, "</table></div>");
}

// ----------------------------------------------------------------------------------------------- pictures

static void add_base64(sniBytes* out, const uint8_t* data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16;
        if (i + 1 < size) bits |= (uint32_t)data[i + 1] << 8;
        if (i + 2 < size) bits |= data[i + 2];
        char text[4] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63],
                        i + 1 < size ? digits[bits >> 6 & 63] : '=', i + 2 < size ? digits[bits & 63] : '='};
        sni_bytes_add(out, text, sizeof text);
    }
}

// With a ring over the picture where the worst vertex is.
static void add_shot(Report* r, const snCheckShot* shot, const char* name) {
    sni_bytes_format(&r->out,
                     "<figure><div class=\"pic\"><img alt=\"\" width=\"%u\" height=\"%u\" "
                     "src=\"data:image/png;base64,",
                     r->def->side, r->def->side);
    add_base64(&r->out, shot->png.data, shot->png.size);
    sni_bytes_format(&r->out, "\">");
    if (shot->marked)
        sni_bytes_format(&r->out, "<i class=\"ring\" style=\"left:%.1f%%;top:%.1f%%\"></i>", (double)shot->x,
                         (double)shot->y);
    sni_bytes_format(&r->out, "</div><figcaption>%s%s", name, name[0] != '\0' ? ": " : "");
    sni_bytes_format(&r->out, "%s</figcaption></figure>", sni_percent(shot->value).text);
}

static snResult add_pictures(Report* r, snMeasure measure, snError* error) {
    snCheckShot shots[SN_CHECKUP_MAX_METHODS] = {{.marked = false}};
    snResult result = r->def->draw(r->def->user, measure, shots, error);
    if (result == SN_RESULT_NOT_FOUND) return SN_RESULT_OK;
    if (result == SN_RESULT_OK) sni_bytes_format(&r->out, "<div class=\"pics\">");
    for (uint32_t i = 0; i < r->checkup->method_count; i++) {
        if (result == SN_RESULT_OK) add_shot(r, &shots[i], r->checkup->methods[i].name);
        sn_bytes_free(&shots[i].png);
    }
    if (result == SN_RESULT_OK) sni_bytes_format(&r->out, "</div>");
    return result;
}

static snResult add_measure(Report* r, snMeasure measure, snError* error) {
    const snMeasureInfo* info = sn_measure_info(measure);
    snVerdict verdict = judge(r, measure, worst_value(r, measure));
    sni_bytes_format(&r->out, "<section id=\"%s\"><h2>%s", info->name, info->title);
    add_badge(r, verdict);
    sni_bytes_format(&r->out, "</h2><p class=\"dim\">%s</p>", info->help);
    snResult result = SN_RESULT_OK;
    if (worst_value(r, measure) > 0.0f) {
        bool beside = r->checkup->method_count == 1 && r->def->draw != NULL && measure != SN_MEASURE_DROPPED;
        sni_check_plot(r->checkup, measure, &r->out);
        if (beside) sni_bytes_format(&r->out, "<div class=\"one\">");
        if (r->def->draw != NULL) result = add_pictures(r, measure, error);
        add_offenders(r, measure);
        if (beside) sni_bytes_format(&r->out, "</div>");
        if (verdict != SN_VERDICT_OK) sni_bytes_format(&r->out, "<p class=\"advice\">%s</p>", info->advice);
    } else {
        sni_bytes_format(&r->out, "<p>Nothing found.</p>");
    }
    sni_bytes_format(&r->out, "</section>");
    return result;
}

// Every joint with every measure, worst first; of the first method.
static void add_joints(Report* r) {
    const snCheckup* checkup = r->checkup;
    const snCheck* first = checkup->checks[0];
    uint32_t joints[JOINTS], count = sn_check_worst_joints(first, joints, JOINTS);
    sni_bytes_format(&r->out,
                     "<section><h2>Joints</h2><p class=\"dim\">the worst of every measure%s%s, worst joint "
                     "first</p><div class=\"wide\"><table><tr><th>joint</th>",
                     checkup->method_count > 1 ? ", " : "",
                     checkup->method_count > 1 ? checkup->methods[0].name : "");
    for (int m = 1; m < SN_MEASURE_COUNT; m++)
        sni_bytes_format(&r->out, "<th class=\"n\">%s</th>", sn_measure_info((snMeasure)m)->name);
    sni_bytes_format(&r->out, "</tr>");
    for (uint32_t i = 0; i < count; i++) {
        sni_bytes_format(&r->out, "<tr><td>");
        sni_html_escape(&r->out, joint_name(r, joints[i]));
        sni_bytes_format(&r->out, "</td>");
        for (int m = 1; m < SN_MEASURE_COUNT; m++) {
            float value = sn_check_joint_worst(first, (snMeasure)m, joints[i]);
            if (value > 0.0f)
                add_value(r, value, judge(r, (snMeasure)m, value));
            else
                sni_bytes_format(&r->out, "<td class=\"n dim\">&middot;</td>");
        }
        sni_bytes_format(&r->out, "</tr>");
    }
    sni_bytes_format(&r->out, "</table></div></section>");
}

static void add_head(Report* r) {
    const snCheckup* checkup = r->checkup;
    const snCheck* check = checkup->checks[0];
    sni_bytes_format(&r->out, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                              "<meta name=\"color-scheme\" content=\"light dark\"><title>Sinew check: ");
    sni_html_escape(&r->out, r->def->title);
    sni_bytes_text(&r->out, "</title><style>");
    sni_bytes_text(&r->out, sni_html_style());
    sni_bytes_text(&r->out, "</style></head><body><main><h1>");
    const char* slash = strrchr(r->def->title, '/');
    sni_html_escape(&r->out, slash != NULL ? slash + 1 : r->def->title);
    add_badge(r, sn_checks_verdict(checkup->checks, checkup->method_count));
    sni_bytes_format(&r->out, "</h1><p class=\"dim\">");
    if (checkup->range != NULL)
        sni_bytes_format(&r->out, "range of motion, %u moves", checkup->range->move_count);
    else
        sni_html_escape(&r->out, model_of(r)->clips[checkup->clip]->name);
    sni_bytes_format(&r->out, " &middot; %u frames &middot; %u triangles in %u pieces, %u closed",
                     check->frame_count, check->triangle_count, check->piece_count, check->closed_pieces);
    if (check->rest_crossings > 0)
        sni_bytes_format(&r->out, " &middot; %u pairs cross at rest and are left out", check->rest_crossings);
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        const snViolation* held = &checkup->checks[i]->held;
        if (!(held->value > 0.0f)) continue;
        sni_bytes_format(&r->out, " &middot; ");
        if (checkup->method_count > 1) sni_html_escape(&r->out, checkup->methods[i].name);
        sni_bytes_format(&r->out, " exact volume held back %s at most, around ",
                         sni_percent(held->value).text);
        sni_html_escape(&r->out, joint_name(r, held->joint));
    }
    if (r->def->no_pictures != NULL && r->def->no_pictures[0] != '\0') {
        sni_bytes_format(&r->out, "<br>without pictures: ");
        sni_html_escape(&r->out, r->def->no_pictures);
    }
    sni_bytes_format(&r->out, "</p>");
}

snCheckReportDef sn_check_report_def(void) { return (snCheckReportDef){.title = "", .side = 380}; }

static snResult add_all(Report* r, snError* error) {
    const snProgress* progress = &r->def->progress;
    sn_checks_order(r->checkup->checks, r->checkup->method_count, r->order);
    add_head(r);
    add_summary(r);
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        SNI_TRY(sni_progress(progress, "report", (float)i / (float)SN_MEASURE_COUNT, error));
        SNI_TRY(add_measure(r, r->order[i], error));
    }
    SNI_TRY(sni_progress(progress, "report", 1.0f, error));
    add_joints(r);
    sni_bytes_format(&r->out,
                     "<p class=\"dim\">Sinew %s. Shares of a joint's surface are of the surface that bends "
                     "about it or follows it.</p></main></body></html>\n",
                     SN_VERSION_STRING);
    return SN_RESULT_OK;
}

snResult sn_checkup_report(const snCheckup* checkup, const snCheckReportDef* def, snBytes* out,
                           snError* error) {
    snCheckReportDef defaults = sn_check_report_def();
    if (checkup->checks[0] == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "nothing was measured yet: run the check first");
    Report r = {
        .checkup = checkup, .def = def != NULL ? def : &defaults, .out = sni_bytes(&checkup->allocator)};
    return sni_bytes_hand(&r.out, add_all(&r, error), out, error);
}
