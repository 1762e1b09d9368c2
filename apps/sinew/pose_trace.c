// How a search went, as a picture: the energy by each example's weight, by the two weights that the search
// moved most with its steps on it, and from step to step (Hansen 2006, figure 7.8 and appendix B).
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "document/html.h"
#include "pose.h"

#define SAMPLES SN_POSE_TRACE_SAMPLES
#define LEVELS 16 // of the energy in the plane
#define NAMED 8   // examples that get a color and a name

typedef struct Frame {
    double x, y, width, height; // where it is drawn
    double low, high;           // of the energy
} Frame;

typedef struct Picture {
    const poseJob* job;
    const snPoseTrace* trace;
    sniBytes* out;
    uint32_t named[NAMED]; // by falling weight
    uint32_t named_count;
} Picture;

static const char* const COLORS[NAMED] = {"#c2362b", "#2766b0", "#2f7d4f", "#b97800",
                                          "#7a4fb5", "#0d8a93", "#a8487e", "#5c6470"};

// ---------------------------------------------------------------------------------------------------- scales

static void take_range(Frame* frame, const float* values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((double)values[i] < frame->low) frame->low = (double)values[i];
        if ((double)values[i] > frame->high) frame->high = (double)values[i];
    }
}

static double share_of(const Frame* frame, double energy) {
    double span = frame->high - frame->low;
    return span > 0.0 ? (energy - frame->low) / span : 0.0;
}

static double energy_y(const Frame* frame, double energy) {
    return frame->y + frame->height * (1.0 - share_of(frame, energy));
}

static void add_text(const Picture* p, double x, double y, const char* anchor, const char* text) {
    sni_bytes_format(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    sni_html_escape(p->out, text);
    sni_bytes_format(p->out, "</text>\n");
}

static void add_title(const Picture* p, const Frame* frame, const char* title) {
    sni_bytes_format(p->out, "<text class=\"title\" x=\"%.1f\" y=\"%.1f\">", frame->x, frame->y - 12.0);
    sni_html_escape(p->out, title);
    sni_bytes_format(p->out, "</text>\n");
}

static void add_box(const Picture* p, const Frame* frame) {
    sni_bytes_format(p->out, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                     frame->x, frame->y, frame->width, frame->height);
}

static void add_energies(const Picture* p, const Frame* frame) {
    char text[32];
    for (int i = 0; i <= 4; i++) {
        double energy = frame->low + (frame->high - frame->low) * i / 4.0, y = energy_y(frame, energy);
        sni_bytes_format(p->out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                         frame->x, frame->x + frame->width, y, y);
        snprintf(text, sizeof text, "%.3f", energy);
        add_text(p, frame->x - 6.0, y + 4.0, "end", text);
    }
}

static void add_weights(const Picture* p, const Frame* frame, const char* label) {
    for (int i = 0; i <= 4; i++) {
        char text[16];
        snprintf(text, sizeof text, "%g", i / 4.0);
        add_text(p, frame->x + frame->width * i / 4.0, frame->y + frame->height + 16.0, "middle", text);
    }
    add_text(p, frame->x + frame->width / 2.0, frame->y + frame->height + 34.0, "middle", label);
}

// ---------------------------------------------------------------------------------------------------- curves

static void choose_named(Picture* p) {
    const float* weights = p->job->blend.weights;
    for (uint32_t e = 0; e < p->trace->pose_count; e++) {
        uint32_t at = p->named_count;
        for (; at > 0 && weights[e] > weights[p->named[at - 1]]; at--)
            if (at < NAMED) p->named[at] = p->named[at - 1];
        if (at == NAMED) continue;
        p->named[at] = e;
        if (p->named_count < NAMED) p->named_count++;
    }
}

static const char* color_of(const Picture* p, uint32_t example) {
    for (uint32_t i = 0; i < p->named_count; i++)
        if (p->named[i] == example) return COLORS[i];
    return "#c9ccd1";
}

static void add_curve(const Picture* p, const Frame* frame, uint32_t example) {
    const float* curve = p->trace->curves + (size_t)example * SAMPLES;
    sni_bytes_format(p->out, "<polyline style=\"stroke:%s\" points=\"", color_of(p, example));
    for (uint32_t i = 0; i < SAMPLES; i++)
        sni_bytes_format(p->out, "%.1f,%.1f ", frame->x + frame->width * i / (SAMPLES - 1.0),
                         energy_y(frame, (double)curve[i]));
    sni_bytes_format(p->out, "\"><title>");
    sni_html_escape(p->out, p->job->handled.poses[example]->name);
    sni_bytes_format(p->out, "</title></polyline>\n");
}

static void add_curves(const Picture* p, double x, double y) {
    Frame frame = {x, y, 400.0, 300.0, INFINITY, -INFINITY};
    take_range(&frame, p->trace->curves, (size_t)p->trace->pose_count * SAMPLES);
    add_title(p, &frame, "Energy by each weight alone, around what was found");
    add_energies(p, &frame);
    for (uint32_t e = 0; e < p->trace->pose_count; e++) add_curve(p, &frame, e);
    double found = energy_y(&frame, (double)p->job->blend.found.energy);
    for (uint32_t i = 0; i < p->named_count; i++) {
        uint32_t e = p->named[i];
        double weight = (double)p->job->blend.weights[e];
        sni_bytes_format(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
                         frame.x + frame.width * weight, found, COLORS[i]);
    }
    add_box(p, &frame);
    add_weights(p, &frame, "weight");
    for (uint32_t i = 0; i < p->named_count; i++) {
        uint32_t column = i % 2, row = i / 2;
        double key_x = frame.x + 210.0 * column, key_y = frame.y + frame.height + 56.0 + 17.0 * row;
        sni_bytes_format(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"4\" fill=\"%s\"/>\n",
                         key_x, key_y - 6.0, COLORS[i]);
        char text[256];
        snprintf(text, sizeof text, "%s %.2f", p->job->handled.poses[p->named[i]]->name,
                 (double)p->job->blend.weights[p->named[i]]);
        add_text(p, key_x + 18.0, key_y, "start", text);
    }
}

// ----------------------------------------------------------------------------------------------------- plane

// From dark where the energy is low to light; cells of one level in a row are one rectangle. Levels are of
// the root, which shows the valley as well as the slopes.
static int level_of(const Frame* frame, float energy) {
    int level = (int)(sqrt(share_of(frame, (double)energy)) * LEVELS);
    return level < LEVELS ? level : LEVELS - 1;
}

static void add_cells(const Picture* p, const Frame* frame) {
    double cell = frame->width / SAMPLES;
    for (uint32_t row = 0; row < SAMPLES; row++) {
        const float* line = p->trace->plane + (size_t)row * SAMPLES;
        for (uint32_t from = 0, to = 0; from < SAMPLES; from = to) {
            int level = level_of(frame, line[from]);
            for (to = from + 1; to < SAMPLES && level_of(frame, line[to]) == level; to++) {
            }
            double share = level / (LEVELS - 1.0);
            sni_bytes_format(
                p->out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"rgb(%.0f,%.0f,%.0f)\"/>\n",
                frame->x + cell * from, frame->y + frame->height - cell * (row + 1.0),
                cell * (to - from) + 0.3, cell + 0.3, 38.0 + 207.0 * share, 70.0 + 172.0 * share,
                110.0 + 128.0 * share);
        }
    }
}

static void add_steps(const Picture* p, const Frame* frame) {
    const snPoseTrace* trace = p->trace;
    double cell = frame->width / SAMPLES;
    sni_bytes_format(p->out, "<polyline class=\"steps\" points=\"");
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t s = 0; s < trace->step_count; s++) {
            const float* weights = trace->steps + (size_t)s * trace->pose_count;
            double at[2];
            for (int axis = 0; axis < 2; axis++) {
                double weight = (double)weights[trace->pair[axis]];
                at[axis] = 0.5 * cell + (frame->width - cell) * fmin(1.0, fmax(0.0, weight));
            }
            double x = frame->x + at[0], y = frame->y + frame->height - at[1];
            if (pass == 0)
                sni_bytes_format(p->out, "%.1f,%.1f ", x, y);
            else
                sni_bytes_format(
                    p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"#fff\" stroke=\"#16181c\"/>\n",
                    x, y);
        }
        if (pass == 0) sni_bytes_format(p->out, "\"/>\n");
    }
    const float* found = p->job->blend.weights;
    sni_bytes_format(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"#c2362b\" stroke=\"#fff\"/>\n",
                     frame->x + 0.5 * cell + (frame->width - cell) * (double)found[trace->pair[0]],
                     frame->y + frame->height - 0.5 * cell -
                         (frame->width - cell) * (double)found[trace->pair[1]]);
}

static void add_plane(const Picture* p, double x, double y) {
    const snPoseTrace* trace = p->trace;
    if (trace->pair[1] == SN_NONE) return;
    Frame frame = {x, y, 300.0, 300.0, INFINITY, -INFINITY};
    take_range(&frame, trace->plane, (size_t)SAMPLES * SAMPLES);
    add_title(p, &frame, "By two weights, with the steps of the search");
    add_cells(p, &frame);
    add_steps(p, &frame);
    add_box(p, &frame);
    add_weights(p, &frame, p->job->handled.poses[trace->pair[0]]->name);
    sni_bytes_format(p->out, "<g transform=\"rotate(-90 %.1f %.1f)\">", frame.x - 12.0, frame.y + 150.0);
    add_text(p, frame.x - 12.0, frame.y + 150.0, "middle", p->job->handled.poses[trace->pair[1]]->name);
    sni_bytes_format(p->out, "</g>\n");
    char text[96];
    snprintf(text, sizeof text, "dark: %.3f, light: %.3f; red: found", frame.low, frame.high);
    add_text(p, frame.x, frame.y + frame.height + 56.0, "start", text);
}

// ----------------------------------------------------------------------------------------------------- steps

static void add_course(const Picture* p, double x, double y) {
    const snPoseTrace* trace = p->trace;
    Frame frame = {x, y, 780.0, 120.0, INFINITY, -INFINITY};
    take_range(&frame, trace->energies, trace->step_count);
    add_title(p, &frame, "From step to step; red: the least so far");
    add_energies(p, &frame);
    double across = trace->step_count > 1 ? frame.width / (trace->step_count - 1.0) : 0.0;
    for (int best = 0; best < 2; best++) {
        double least = INFINITY;
        sni_bytes_format(p->out, "<polyline style=\"stroke:%s\" points=\"", best ? "#c2362b" : "#9aa1ad");
        for (uint32_t s = 0; s < trace->step_count; s++) {
            least = fmin(least, (double)trace->energies[s]);
            sni_bytes_format(p->out, "%.1f,%.1f ", frame.x + across * s,
                             energy_y(&frame, best ? least : (double)trace->energies[s]));
        }
        sni_bytes_format(p->out, "\"/>\n");
    }
    add_box(p, &frame);
    char text[96];
    snprintf(text, sizeof text, "%u steps, %s", trace->step_count, sn_search_name(p->job->search));
    add_text(p, frame.x + frame.width, frame.y + frame.height + 16.0, "end", text);
}

snResult pose_trace_write(const poseJob* job, const snPoseTrace* trace, const char* path, snError* error) {
    sniBytes out = sni_bytes(&job->context->memory);
    Picture p = {.job = job, .trace = trace, .out = &out};
    choose_named(&p);
    sni_bytes_format(
        &out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 680\" width=\"900\" "
              "height=\"680\" font-family=\"sans-serif\" font-size=\"12\">\n<style>text{fill:#454b55}"
              ".title{font-size:14px;fill:#16181c}.box{fill:none;stroke:#9aa1ad}.grid{stroke:#e4e6e9}"
              "polyline{fill:none;stroke-width:1.6}.steps{stroke:#fff;stroke-opacity:.7;stroke-width:1}"
              "</style>\n<rect width=\"900\" height=\"680\" fill=\"#fff\"/>\n");
    add_curves(&p, 70.0, 40.0);
    add_plane(&p, 550.0, 40.0);
    add_course(&p, 70.0, 520.0);
    sni_bytes_format(&out, "</svg>\n");
    return sni_bytes_save(&out, SN_RESULT_OK, path, error);
}
