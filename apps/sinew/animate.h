// One run of `sinew animate`: what it makes, and what its parts share.
#ifndef SINEW_ANIMATE_H
#define SINEW_ANIMATE_H

#include "bake.h"
#include "binding.h"
#include "deformation.h"
#include "handled.h"
#include "motion.h"

typedef struct animateJob {
    cliContext* context;
    const char* output;
    const snModel* model;
    const snSource* source; // the motion that the clip comes from, or NULL: it is the character's own
    cliMotion motion;
    const cliBound* bound; // what binding an unrigged mesh gave, or NULL
    snSettings* settings;
    snTakeDef plan;
    snTake* take;
    uint32_t more_count; // with --clip all: takes of the other clips
    snTake** more;
    uint64_t vertices; // before refining
} animateJob;

#define ANIMATE_EXTENSIONS ".glb .gltf .obj .pc2 .mdd .png .gif .mp4"
// Is the output a picture or a film?
bool animate_is_picture(const char* output);
// Poses all frames for the report, or writes them where the output is no picture. `target`: what a glTF gets.
cliExit animate_write(animateJob* job, snBakeTarget target);

// Whether --clip all asks for every clip of the character (animate_takes.c).
bool animate_wants_all(const animateJob* job);
// A usage error where that cannot be.
cliExit animate_check_all(const animateJob* job);
// Makes the take of the plan, and those of the other clips.
cliExit animate_make_takes(animateJob* job);
// Writes them.
snResult animate_write_takes(animateJob* job, const snTakeWriteDef* def, snError* error);

// Tells the take where time and progress go.
void animate_listen(animateJob* job);

// What was made (animate_report.c).
cliExit animate_report(const animateJob* job);
// What became of the volumes (animate_volume.c), for people and as JSON.
void animate_say_volumes(const animateJob* job);
void animate_report_volumes(const animateJob* job, sniJsonValue* object);

// Several motions, or a folder of them (animate_many.c): clips of one file.
bool animate_is_many(const cliArguments* arguments);
cliExit animate_many(cliContext* context);

// The files of point caches (animate_caches.c), where there are several.
void animate_say_caches(const animateJob* job);
void animate_report_caches(const animateJob* job, sniJsonValue* object);

// Frames from handles (animate_handles.c): --rig, --examples, and --path or a MOTION.
cliExit animate_by_handles(cliContext* context);

#endif
