// A measure over time as inline SVG.
#include <math.h>

#include "check.h"

#define WIDTH 990.0
#define HEIGHT 170.0
#define LEFT 46.0
#define TOP 8.0
#define BOTTOM 22.0
// Joints that get a line of their own where only one way is shown.
#define JOINTS 4

const char* check_line_color(uint32_t i) {
    static const char* const colors[] = {"var(--l0)", "var(--l1)", "var(--l2)", "var(--l3)",
                                         "var(--l4)", "var(--l5)", "var(--l6)", "var(--l7)"};
    return colors[i % 8];
}

typedef struct Plot {
    const checkJob* job;
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

static double largest(const checkJob* job, snMeasure measure) {
    double top = 1.2 * (double)job->limits.fail[measure];
    for (uint32_t i = 0; i < job->checkup->way_count; i++) {
        double worst = 1.05 * (double)job->checkup->ways[i].check->measures[measure].worst.value;
        if (worst > top) top = worst;
    }
    return top > 0.0 ? top : 1.0;
}

static void add_limit(const Plot* plot, float value, const char* name) {
    double y = y_of(plot, (double)value);
    check_format(plot->out, "<line class=\"limit %s\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                 name, LEFT, WIDTH - 14.0, y, y);
    check_format(plot->out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 5.0, y + 4.0,
                 check_percent(value).text);
}

// Alternating bands, one for each move, that say their name under the mouse.
static void add_moves(const Plot* plot) {
    const snRange* range = plot->job->checkup->range;
    for (uint32_t i = 0; range != NULL && i < range->move_count; i++) {
        double from = x_of(plot, (double)range->moves[i].from), to = x_of(plot, (double)range->moves[i].to);
        check_format(plot->out,
                     "<rect class=\"band%u\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\"><title>",
                     i % 2, from, TOP, to - from, HEIGHT - TOP - BOTTOM);
        check_escape(plot->out, range->moves[i].name);
        check_format(plot->out, "</title></rect>");
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
        check_format(plot->out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g s</text>",
                     x_of(plot, (double)i * step), HEIGHT - 6.0, (double)i * step);
    check_format(plot->out, "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                 WIDTH - 14.0, HEIGHT - BOTTOM, HEIGHT - BOTTOM);
}

// The values of a joint, or of the whole series where `joint` is the joint count.
static void add_line(const Plot* plot, const snCheck* check, uint32_t joint, uint32_t color) {
    check_format(plot->out, "<polyline style=\"stroke:%s\" points=\"", check_line_color(color));
    for (uint32_t f = 0; f < check->frame_count; f++) {
        float value = joint > check->joint_count ? check->measures[plot->measure].series[f]
                                                 : sn_check_value(check, plot->measure, f, joint);
        check_format(plot->out, "%.1f,%.1f ", x_of(plot, (double)check->times[f]), y_of(plot, (double)value));
    }
    check_format(plot->out, "\"/>");
}

static void add_key(const Plot* plot, uint32_t color, const char* name) {
    check_format(plot->out, "<span class=\"key\"><i style=\"background:%s\"></i>", check_line_color(color));
    check_escape(plot->out, name);
    check_format(plot->out, "</span>");
}

void check_plot(const checkJob* job, snMeasure measure, sniBytes* out) {
    const snCheck* first = job->checkup->ways[0].check;
    if (first->measures[measure].series == NULL) return;
    Plot plot = {job,
                 measure,
                 (double)first->times[0],
                 (double)first->times[first->frame_count - 1],
                 largest(job, measure),
                 out};
    check_format(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">", WIDTH, HEIGHT);
    add_moves(&plot);
    add_limit(&plot, job->limits.warn[measure], "warn");
    add_limit(&plot, job->limits.fail[measure], "fail");
    add_axis(&plot);
    const snCheckMeasure* m = &first->measures[measure];
    uint32_t joints = m->offence_count < JOINTS ? m->offence_count : JOINTS;
    for (uint32_t i = 0; i < job->checkup->way_count && job->checkup->way_count > 1; i++)
        add_line(&plot, job->checkup->ways[i].check, SN_NONE, i);
    for (uint32_t i = joints; i-- > 0 && job->checkup->way_count == 1;)
        add_line(&plot, first, m->offences[i].joint != SN_NONE ? m->offences[i].joint : first->joint_count,
                 i);
    check_format(out, "</svg><p class=\"keys\">");
    for (uint32_t i = 0; i < job->checkup->way_count && job->checkup->way_count > 1; i++)
        add_key(&plot, i, job->checkup->ways[i].name);
    for (uint32_t i = 0; i < joints && job->checkup->way_count == 1; i++)
        add_key(&plot, i, check_joint(job, m->offences[i].joint));
    check_format(out, "</p>");
}
