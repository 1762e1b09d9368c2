// One run of `sinew animate`: what it makes, and what its parts share.
#ifndef SINEW_ANIMATE_H
#define SINEW_ANIMATE_H

#include "binding.h"
#include "deformation.h"
#include "handled.h"
#include "motion.h"

typedef struct animateJob animateJob;
typedef cliExit animateWriteFn(animateJob* job);

// A cycle that the flesh runs through until it repeats (--loop-bake).
typedef struct animateLoop {
    bool on;
    uint32_t rounds; // run before the one that is baked
    bool closed;     // it does repeat
    double open;     // metres; how far the joints are from where the clip began when it ends
    float start;     // seconds; where that one begins
    double settled;  // metres; how far particles still were from their places a round earlier
    double seam;     // metres; how far the end of the round is from its beginning, which replaces it
} animateLoop;

// What the volume of a joint's part did over all frames, as losses: 0 kept, 0.1 a tenth gone, below 0 gained.
typedef struct animateVolume {
    double before_max, before_sum, after_max, after_sum;
    double gain_max;      // the largest gain, as a share
    uint32_t worst_frame; // of after_max
    bool clamped;         // there, because more would have turned cells inside out
} animateVolume;

// What exact volume did to a piece of the surface over all frames.
typedef struct animateShell {
    double before_max, error_max; // of its target
    double smallest, largest;     // cubic metres
    uint32_t worst_frame;         // of error_max
} animateShell;

struct animateJob {
    cliContext* context;
    const snModel* model;
    snCharacter* character; // what is posed, or:
    struct animateHandles* handles;
    const char* output;
    const snSource* source; // the motion that the clip comes from, or NULL: it is the character's own
    cliMotion motion;
    const cliBound* bound; // what binding an unrigged mesh gave, or NULL
    snSettings* settings;
    uint32_t clip;
    float from, to, fps;
    uint32_t frames;
    animateLoop loop;
    uint32_t counted;       // frames that the account below has
    double seconds;         // spent deforming
    uint64_t hash;          // of every frame's surface, in order
    snCharacterReport made; // of the first time through all frames
    snMorphBake* morphs;    // what was written into a glTF, or NULL
    animateVolume* volumes; // joint_count of the binding, or NULL
    animateShell* shells;   // of exact volume, or NULL
    uint64_t vertices;      // before refining
    bool keeps_settings;    // the model has something to use them
    animateWriteFn* write;
};

cliExit animate_fail(animateJob* job, snResult result, const char* what);
// Poses frame i; frames come in order, and 0 starts again. Flesh has moved since the clip's start.
snResult animate_pose(animateJob* job, uint32_t i);
cliExit animate_pose_all(animateJob* job);
// A part as it was posed last. The two are all that the writers know of where frames come from.
snSurface animate_surface(const animateJob* job, uint32_t part);

// Runs the cycle until it repeats. Sets the loop's start and what it found.
cliExit animate_settle(animateJob* job);

// What became of the volumes (animate_volume.c): frame by frame, for people, and as JSON.
void animate_note_volumes(animateJob* job, uint32_t frame);
void animate_say_volumes(const animateJob* job);
void animate_report_volumes(const animateJob* job, sniJsonValue* object);

animateWriteFn animate_write_skin;     // .glb .gltf: joints and plain weights
animateWriteFn animate_write_morphs;   // .glb .gltf: and what is beyond them as morph targets
animateWriteFn animate_write_frames;   // numbered .obj
animateWriteFn animate_write_cache;    // .pc2 .mdd
animateWriteFn animate_write_pictures; // .png .gif .mp4
// What writes the extension, which is one of these. `beyond_skin`: a glTF gets morph targets.
#define ANIMATE_EXTENSIONS ".glb .gltf .obj .pc2 .mdd .png .gif .mp4"
animateWriteFn* animate_find_writer(const char* output, bool beyond_skin);

// Frames from handles (animate_handles.c): --rig, --examples, and --path or a MOTION.
cliExit animate_by_handles(cliContext* context);
snSurface animate_handles_surface(const struct animateHandles* handles, uint32_t part);
snResult animate_pose_handles(animateJob* job, uint32_t frame);
cliExit animate_draw_handles(animateJob* job);

#endif
