// The scenes of `sinew demo`: what is shown, when, and from where.
#ifndef SINEW_DEMO_H
#define SINEW_DEMO_H

#include "picture.h"

// Ways to deform; the last is what a bound character does unless told otherwise.
enum {
    CLI_DEMO_LINEAR,
    CLI_DEMO_LATTICE,
    CLI_DEMO_LATTICE_VOLUME,
    CLI_DEMO_DUAL,
    CLI_DEMO_DUAL_VOLUME,
    CLI_DEMO_FLESH,
    CLI_DEMO_STAGES
};
extern const char* const cli_demo_stage_labels[CLI_DEMO_STAGES];

typedef struct cliDemo {
    cliContext* context;
    const snModel* model; // the built-in body, bound
    snStage* stages[CLI_DEMO_STAGES];
    snExtent rest; // of the rest pose: the floor and the scale of every scene
} cliDemo;

// One motion.
typedef struct cliDemoScene {
    const char* clip;
    const char* label; // on the sheet
    float moment;      // where the sheet stops it, as a share of its duration
    float loops;       // how often the film plays it
    const char* view;  // as sn_view_parse reads it
    const char* joint; // close-up on this joint; NULL: the whole body
    float reach;       // metres around the joint that stay in sight
} cliDemoScene;

#define CLI_DEMO_SCENES 4
extern const cliDemoScene cli_demo_scenes[CLI_DEMO_SCENES];

cliExit demo_open(cliDemo* demo, cliContext* context, snRenderer* renderer, const snModel* model);
void demo_close(cliDemo* demo);
// The clip of a scene, and a scene of the given size whose camera holds all of it; `with_rest`: and the rest
// pose.
uint32_t demo_clip(const cliDemo* demo, const cliDemoScene* scene);
snShot demo_frame(cliDemo* demo, const cliDemoScene* scene, bool with_rest, uint32_t width, uint32_t height);

// The labelled comparison: every scene in every stage.
cliExit demo_sheet(cliDemo* demo, const char* path);
// The film: linear beside flesh.
cliExit demo_film(cliDemo* demo, const char* path);

#endif
