// A measure over time as inline SVG.
#include <math.h>

#include "check_report.h"

#define WIDTH 990.0
#define HEIGHT 170.0
#define LEFT 46.0
#define TOP 8.0
#define BOTTOM 22.0
// Joints that get a line of their own where only one way is shown.
#define JOINTS 4

typedef struct Plot {
    const snCheckup* checkup;
    snMeasure measure;
    double from, to, top;
    sniBytes* out;
} Plot;

static double x_of(const Plot* plot, double time) {
    double span = plot->to > plot->from ? plot->to - plot->from : 1.0;
    return LEFT + (WIDTH - LEFT - 14.0) * (time - plot->from) / span;
}

static double y_of(const Plot* plot, double value) {
    double share = value < plot->top ? value / plot->top : 1.0;
    return TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share);
}

static double largest(const snCheckup* checkup, snMeasure measure) {
    double top = 1.2 * (double)checkup->limits.fail[measure];
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        double worst = 1.05 * (double)checkup->methods[i].check->measures[measure].worst.value;
        if (worst > top) top = worst;
    }
    return top > 0.0 ? top : 1.0;
}

static void add_limit(const Plot* plot, float value, const char* name) {
    double y = y_of(plot, (double)value);
    sni_bytes_format(plot->out, "<line class=\"limit %s\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                     name, LEFT, WIDTH - 14.0, y, y);
    sni_bytes_format(plot->out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 5.0,
                     y + 4.0, sni_percent(value).text);
}

// Alternating bands, one for each move, that say their name under the mouse.
static void add_moves(const Plot* plot) {
    const snRange* range = plot->checkup->range;
    for (uint32_t i = 0; range != NULL && i < range->move_count; i++) {
        double from = x_of(plot, (double)range->moves[i].from), to = x_of(plot, (double)range->moves[i].to);
        sni_bytes_format(
            plot->out, "<rect class=\"band%u\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\"><title>",
            i % 2, from, TOP, to - from, HEIGHT - TOP - BOTTOM);
        sni_html_escape(plot->out, range->moves[i].name);
        sni_bytes_format(plot->out, "</title></rect>");
    }
}

// Steps of 1, 2 or 5 times a power of ten, nine at most.
static double nice_step(double span) {
    double step = 1e-3;
    for (int i = 0; span / step > 9.0 && i < 24; i++) step *= i % 3 == 1 ? 2.5 : 2.0;
    return step;
}

static void add_axis(const Plot* plot) {
    double step = nice_step(plot->to - plot->from);
    for (int i = (int)ceil(plot->from / step); (double)i * step <= plot->to + 1e-6; i++)
        sni_bytes_format(plot->out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g s</text>",
                         x_of(plot, (double)i * step), HEIGHT - 6.0, (double)i * step);
    sni_bytes_format(plot->out, "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                     LEFT, WIDTH - 14.0, HEIGHT - BOTTOM, HEIGHT - BOTTOM);
}

// The values of a joint, or of the whole series where `joint` is the joint count.
static void add_line(const Plot* plot, const snCheck* check, uint32_t joint, uint32_t color) {
    sni_bytes_format(plot->out, "<polyline style=\"stroke:%s\" points=\"", sni_line_color(color));
    for (uint32_t f = 0; f < check->frame_count; f++) {
        float value = joint > check->joint_count ? check->measures[plot->measure].series[f]
                                                 : sn_check_value(check, plot->measure, f, joint);
        sni_bytes_format(plot->out, "%.1f,%.1f ", x_of(plot, (double)check->times[f]),
                         y_of(plot, (double)value));
    }
    sni_bytes_format(plot->out, "\"/>");
}

static void add_key(const Plot* plot, uint32_t color, const char* name) {
    sni_bytes_format(plot->out, "<span class=\"key\"><i style=\"background:%s\"></i>", sni_line_color(color));
    sni_html_escape(plot->out, name);
    sni_bytes_format(plot->out, "</span>");
}

void sni_check_plot(const snCheckup* checkup, snMeasure measure, sniBytes* out) {
    const snCheck* first = checkup->methods[0].check;
    if (first->measures[measure].series == NULL) return;
    Plot plot = {checkup,
                 measure,
                 (double)first->times[0],
                 (double)first->times[first->frame_count - 1],
                 largest(checkup, measure),
                 out};
    sni_bytes_format(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">", WIDTH, HEIGHT);
    add_moves(&plot);
    add_limit(&plot, checkup->limits.warn[measure], "warn");
    add_limit(&plot, checkup->limits.fail[measure], "fail");
    add_axis(&plot);
    const snCheckMeasure* m = &first->measures[measure];
    uint32_t joints = m->violation_count < JOINTS ? m->violation_count : JOINTS;
    for (uint32_t i = 0; i < checkup->method_count && checkup->method_count > 1; i++)
        add_line(&plot, checkup->methods[i].check, SN_NONE, i);
    for (uint32_t i = joints; i-- > 0 && checkup->method_count == 1;)
        add_line(&plot, first,
                 m->violations[i].joint != SN_NONE ? m->violations[i].joint : first->joint_count, i);
    sni_bytes_format(out, "</svg><p class=\"keys\">");
    for (uint32_t i = 0; i < checkup->method_count && checkup->method_count > 1; i++)
        add_key(&plot, i, checkup->methods[i].name);
    for (uint32_t i = 0; i < joints && checkup->method_count == 1; i++)
        add_key(&plot, i, sni_check_joint(checkup, m->violations[i].joint));
    sni_bytes_format(out, "</p>");
}
