// The built-in body in four motions, deformed in six ways: what is shown, when, and from where.
#ifndef SINEW_RENDER_DEMO_H
#define SINEW_RENDER_DEMO_H

#include "stage.h"

// Ways to deform; the last is what a bound character does unless told otherwise.
enum {
    SN_DEMO_LINEAR,
    SN_DEMO_LATTICE,
    SN_DEMO_LATTICE_VOLUME,
    SN_DEMO_DUAL,
    SN_DEMO_DUAL_VOLUME,
    SN_DEMO_FLESH,
    SN_DEMO_STAGES
};
extern const char* const sn_demo_stage_labels[SN_DEMO_STAGES];

typedef struct snDemo {
    const snModel* model; // the built-in body, bound
    snStage* stages[SN_DEMO_STAGES];
    snExtent rest; // of the rest pose: the floor and the scale of every scene
    snAllocator allocator;
} snDemo;

// One motion.
typedef struct snDemoScene {
    const char* clip;
    const char* label; // on the sheet
    float moment;      // where the sheet stops it, as a share of its duration
    float loops;       // how often the film plays it
    const char* view;  // as sn_view_parse reads it
    const char* joint; // close-up on this joint; NULL: the whole body
    float reach;       // metres around the joint that stay in sight
} snDemoScene;

#define SN_DEMO_SCENES 4
extern const snDemoScene sn_demo_scenes[SN_DEMO_SCENES];

typedef struct snDemoDef {
    snRenderer* renderer; // must outlive the demo
    const snModel* model; // of builtin:body with a lattice; must outlive the demo
    snTasks tasks;        // default: the calling thread
    snCpuLevel level;     // default SN_CPU_AUTO
} snDemoDef;
// Close it with sn_demo_close, also after a failure.
snResult sn_demo_open(snDemo* demo, const snDemoDef* def, const snAllocator* allocator, snError* error);
void sn_demo_close(snDemo* demo);
// The clip of a scene, and a scene of the given size whose camera holds all of it; `with_rest`: and the rest
// pose.
uint32_t sn_demo_clip(const snDemo* demo, const snDemoScene* scene);
snShot sn_demo_frame(snDemo* demo, const snDemoScene* scene, bool with_rest, uint32_t width, uint32_t height);

// The labelled comparison: every scene in every stage. Tells "sheet"; `progress` may be NULL.
snResult sn_demo_sheet(snDemo* demo, const snProgress* progress, snImage** out, snError* error);
// The film: linear beside flesh. Tells "filming"; `progress` may be NULL.
snResult sn_demo_film(snDemo* demo, const char* path, const snProgress* progress, snError* error);

#endif
