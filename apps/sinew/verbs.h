// The verbs, one file each.
#ifndef SINEW_VERBS_H
#define SINEW_VERBS_H

#include "cli.h"

extern const cliVerb verb_animate;
extern const cliVerb verb_bench;
extern const cliVerb verb_bake;
extern const cliVerb verb_batch;
extern const cliVerb verb_bind;
extern const cliVerb verb_check;
extern const cliVerb verb_completion;
extern const cliVerb verb_convert;
extern const cliVerb verb_demo;
extern const cliVerb verb_info;
extern const cliVerb verb_motion;
extern const cliVerb verb_pose;
extern const cliVerb verb_render;
extern const cliVerb verb_rig;
extern const cliVerb verb_settings;
extern const cliVerb verb_studio;
extern const cliVerb verb_style;

#endif
