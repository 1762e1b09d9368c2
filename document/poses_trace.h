// What a listener of a search keeps.
#ifndef SNI_DOCUMENT_POSES_TRACE_H
#define SNI_DOCUMENT_POSES_TRACE_H

#include "sinew/document.h"

typedef struct sniPoseTracer {
    snPoseTrace trace;
    size_t step_capacity, energy_capacity;
    bool full; // a step could not be kept
} sniPoseTracer;

sniPoseTracer sni_pose_tracer(const snDocument* document);
// The job tells the tracer of its steps; both stay where they are until it has run.
void sni_pose_tracer_listen(sniPoseTracer* tracer, snPoseSearchJob* job);
// Behind the search: the energy around what it found.
snResult sni_pose_tracer_finish(sniPoseTracer* tracer, const snPoseSearchJob* job, snError* error);

#endif
