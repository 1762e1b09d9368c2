// Parts of the report of a check.
#ifndef SNI_DOCUMENT_CHECK_REPORT_H
#define SNI_DOCUMENT_CHECK_REPORT_H

#include "html.h"
#include "sinew/document.h"

// A measure over time, one line for each way; with one way one for each of the worst joints (check_plot.c).
void sni_check_plot(const snCheckup* checkup, snMeasure measure, sniBytes* out);
// A joint's name, or "whole" for a piece.
const char* sni_check_joint(const snCheckup* checkup, uint32_t joint);

#endif
