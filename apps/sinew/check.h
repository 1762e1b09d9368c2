// One run of `sinew check`: what is measured, in how many methods, and how it is told.
#ifndef SINEW_CLI_CHECK_H
#define SINEW_CLI_CHECK_H

#include "binding.h"
#include "deformation.h"
#include "document/html.h"
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
// Of all methods together.
snVerdict check_verdict(const checkJob* job);
// On stdout.
void check_print_text(const checkJob* job);
cliExit check_print_json(const checkJob* job);

// The report of one file (check_html.c).
cliExit check_write_html(const checkJob* job, const char* path);

// Draws the worst moment of a measure in every method, beside each other, as data URIs (check_pictures.c).
typedef struct checkPictures checkPictures;
#define CHECK_PICTURE 380 // pixels, each side
// `*out` stays NULL where nothing can be drawn here; then `why` says so.
cliExit check_pictures_open(const checkJob* job, checkPictures** out, char* why, size_t capacity);
void check_pictures_close(checkPictures* pictures);
// As snCheckReportDef.draw: one for each method, all at the moment and place that is worst in any of them.
snResult check_pictures_draw(void* pictures, snMeasure measure, snCheckShot* out_shots, snError* error);

#endif
