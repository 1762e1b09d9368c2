// One run of `sinew check`: what is measured, in how many ways, and how it is told.
#ifndef SINEW_CLI_CHECK_H
#define SINEW_CLI_CHECK_H

#include "binding.h"
#include "deformation.h"
#include "io/bytes.h"
#include "motion.h"

typedef struct checkJob {
    cliContext* context;
    const char* title; // the model's path
    const cliBound* bound;
    cliMotion motion;
    const snSource* source; // the motion that the clip comes from, or NULL
    snCheckup* checkup;
    snLimits limits;
} checkJob;

// A joint's name, or "whole" for a piece.
const char* check_joint(const checkJob* job, uint32_t joint);
// Of all ways together.
snVerdict check_verdict(const checkJob* job);
// "12.3 %": as many digits as tell something.
typedef struct checkText {
    char text[32];
} checkText;
checkText check_percent(float value);

// On stdout.
void check_print_text(const checkJob* job);
cliExit check_print_json(const checkJob* job);

// The report of one file (check_html.c).
cliExit check_write_html(const checkJob* job, const char* path);

// ---------------------------------------------------------------------------------- parts of the report

// Text with <, >, & and quotes made harmless.
void check_escape(sniBytes* out, const char* text);
void check_format(sniBytes* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
// The look of the page, as CSS.
const char* check_style(void);
// A measure over time, one line for each way; with one way one for each of the worst joints (check_plot.c).
void check_plot(const checkJob* job, snMeasure measure, sniBytes* out);
// The colour of a line, as CSS.
const char* check_line_color(uint32_t i);

// Draws the worst moment of a measure in every way, beside each other, as data URIs (check_pictures.c).
typedef struct checkPictures checkPictures;
// `*out` stays NULL where nothing can be drawn here; then `why` says so.
cliExit check_pictures_open(const checkJob* job, checkPictures** out, char* why, size_t capacity);
void check_pictures_close(checkPictures* pictures);
// Adds one <img> for each way, all at the moment and place that is worst in any of them.
cliExit check_pictures_add(checkPictures* pictures, snMeasure measure, sniBytes* out);

#endif
