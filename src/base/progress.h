// Telling progress inside the library. A call that has parts gives each a span of its own share.
#ifndef SNI_BASE_PROGRESS_H
#define SNI_BASE_PROGRESS_H

#include "base/error.h"

// Says how far it is; SN_RESULT_CANCELLED, with a sentence, where the listener wants no more.
static inline snResult sni_progress(const snProgress* progress, const char* stage, float share,
                                    snError* error) {
    if (progress->run == NULL || progress->run(progress->user, stage, share)) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_CANCELLED, "cancelled while %s", stage);
}

// A part of a longer call, from `begin` to `end` of its share.
typedef struct sniSpan {
    const snProgress* whole;
    float begin, end;
    const char* stage; // instead of the part's own words; NULL: those
} sniSpan;

static inline bool sni_span_run(void* user, const char* stage, float share) {
    const sniSpan* span = user;
    const snProgress* whole = span->whole;
    const char* word = span->stage != NULL ? span->stage : stage;
    return whole->run(whole->user, word, span->begin + (span->end - span->begin) * share);
}

// What to hand to that part; `span` must stay until it returns.
static inline snProgress sni_span_progress(sniSpan* span) {
    return span->whole->run != NULL ? (snProgress){sni_span_run, span} : (snProgress){0};
}

#endif
