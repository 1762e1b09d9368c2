// The verdict for people: a table, the worst offenders and what to do about them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

// Offenders that are named for a measure.
#define NAMED 3

const char* check_joint(const checkJob* job, uint32_t joint) {
    return joint != SN_NONE ? context_model(job->context)->skeleton->names[joint] : "whole";
}

snVerdict check_verdict(const checkJob* job) {
    return sn_checks_verdict(job->checkup->checks, job->checkup->method_count);
}

static void print_place(const checkJob* job, const snViolation* o) {
    if (o->frame == SN_NONE)
        printf("%s", check_joint(job, o->joint));
    else if (job->checkup->range != NULL)
        printf("%s, %s", check_joint(job, o->joint), sn_checkup_move(job->checkup, o));
    else
        printf("%s at %.2f s", check_joint(job, o->joint), (double)o->time);
}

static void print_measure(const checkJob* job, const snCheck* check, snMeasure measure) {
    const snMeasureInfo* info = sn_measure_info(measure);
    const snViolation* worst = &check->measures[measure].worst;
    printf("  %-22s %-5s %8s %8s  ", info->title, sn_verdict_name(worst->verdict),
           sni_percent(worst->value).text, sni_percent(job->limits.fail[measure]).text);
    if (worst->value > 0.0f) print_place(job, worst);
    printf("\n");
}

static void print_trouble(const checkJob* job, const snCheck* check, snMeasure measure) {
    const snMeasureInfo* info = sn_measure_info(measure);
    const snCheckMeasure* m = &check->measures[measure];
    if (m->worst.verdict == SN_VERDICT_OK) return;
    printf("\n%s: %s\n", info->title, info->help);
    for (uint32_t i = 0; i < m->violation_count && i < NAMED && m->violations[i].verdict != SN_VERDICT_OK;
         i++) {
        const snViolation* o = &m->violations[i];
        printf("  %-5s %8s  ", sn_verdict_name(o->verdict), sni_percent(o->value).text);
        print_place(job, o);
        if (o->face != SN_NONE)
            printf(" (%s, face %u)", context_model(job->context)->parts[o->part].name, o->face);
        else if (o->vertex != SN_NONE)
            printf(" (%s, vertex %u)", context_model(job->context)->parts[o->part].name, o->vertex);
        printf("\n");
    }
    printf("  -> %s\n", info->advice);
}

// What exact volume did not give back is no fault of the surface; it is said all the same.
static void print_held(const checkJob* job, const snCheck* check, const char* method) {
    if (!(check->held.value > 0.0f)) return;
    printf("  held back%s%s: %s of a volume at most: ", method[0] != '\0' ? " by " : "", method,
           sni_percent(check->held.value).text);
    print_place(job, &check->held);
    printf("\n");
}

static void print_one(const checkJob* job) {
    const snCheck* check = job->checkup->checks[0];
    printf("  %-22s %-5s %8s %8s  %s\n", "measure", "", "worst", "limit", "where");
    for (int m = 0; m < SN_MEASURE_COUNT; m++) print_measure(job, check, (snMeasure)m);
    print_held(job, check, "");
    for (int m = 0; m < SN_MEASURE_COUNT; m++) print_trouble(job, check, (snMeasure)m);
}

static void print_ways(const checkJob* job) {
    printf("  %-22s", "measure");
    for (uint32_t i = 0; i < job->checkup->method_count; i++) printf(" %14s", job->checkup->methods[i].name);
    printf("\n");
    for (int m = 0; m < SN_MEASURE_COUNT; m++) {
        printf("  %-22s", sn_measure_info((snMeasure)m)->title);
        for (uint32_t i = 0; i < job->checkup->method_count; i++) {
            const snViolation* worst = &job->checkup->methods[i].check->measures[m].worst;
            printf(" %8s %-5s", sni_percent(worst->value).text, sn_verdict_name(worst->verdict));
        }
        printf("\n");
    }
    printf("  %-22s", "verdict");
    for (uint32_t i = 0; i < job->checkup->method_count; i++)
        printf(" %14s", sn_verdict_name(job->checkup->methods[i].check->verdict));
    printf("\n");
    for (uint32_t i = 0; i < job->checkup->method_count; i++)
        print_held(job, job->checkup->checks[i], job->checkup->methods[i].name);
}

void check_print_text(const checkJob* job) {
    const snCheck* check = job->checkup->checks[0];
    printf("%s: %s\n", job->title, sn_verdict_name(check_verdict(job)));
    if (job->checkup->range != NULL)
        printf("  range of motion, %u moves, %u frames; ", job->checkup->range->move_count,
               check->frame_count);
    else
        printf("  clip %s, %u frames; ", context_model(job->context)->clips[job->checkup->clip]->name,
               check->frame_count);
    printf("%u triangles in %u pieces, %u of them closed", check->triangle_count, check->piece_count,
           check->closed_pieces);
    if (check->rest_crossings > 0) printf("; %u pairs cross at rest and are left out", check->rest_crossings);
    printf("\n\n");
    if (job->checkup->method_count == 1)
        print_one(job);
    else
        print_ways(job);
}
