// A clip from another file, brought onto a character's skeleton.
#ifndef SINEW_MOTION_H
#define SINEW_MOTION_H

#include "context.h"
#include "io/json.h"

typedef struct cliMotion {
    snMotionReport made;
    bool looped;           // with --loop-clip
    sniJsonValue* pairs;   // of the map, with --json; or NULL
    bool arms_left;        // the arms stay at rest (snJointMap)
    sniJsonValue* changes; // what was cleaned, likewise
} cliMotion;

// The options every verb with a motion takes. The verb also has --clip, --fps, and CLI_STRETCH_OPTIONS.
#define CLI_MOTION_OPTIONS                                                                                     \
    {"map", 0, CLI_FILE, "FILE", "JSON that overrides the automatic matching of joints", NULL, 0, 0},          \
        {"in-place", 0, CLI_FLAG, NULL, "remove horizontal travel from the motion", NULL, 0, 0},               \
        {"extract-root", 0, CLI_FLAG, NULL, "move horizontal travel to the joint above the hips", NULL, 0, 0}, \
        {"mirror", 0, CLI_FLAG, NULL, "swap left and right", NULL, 0, 0},                                      \
        {"no-feet", 0, CLI_FLAG, NULL, "do not keep planted feet from sliding", NULL, 0, 0},                   \
        {"loop-clip",                                                                                          \
         0,                                                                                                    \
         CLI_FLAG,                                                                                             \
         NULL,                                                                                                 \
         "close a nearly cyclic motion and report the seam; auto: its best cycle, however short",              \
         "auto",                                                                                               \
         0,                                                                                                    \
         0},                                                                                                   \
        {"root-turn", 0, CLI_FLAG, NULL, "with --in-place or --extract-root: the heading too", NULL, 0, 0},    \
        {"speed", 0, CLI_NUMBER, "TIMES", "speed factor (default 1)", NULL, 0.01f, 100},                       \
        {"reverse", 0, CLI_FLAG, NULL, "play the motion backwards", NULL, 0, 0},                               \
        {"rest",                                                                                               \
         0,                                                                                                    \
         CLI_CHOICE,                                                                                           \
         "POSE",                                                                                               \
         "rest pose of a skinned file: that of its bind matrices (default) or of its nodes",                   \
         "bind|nodes",                                                                                         \
         0,                                                                                                    \
         0},                                                                                                   \
        {"ground",                                                                                             \
         0,                                                                                                    \
         CLI_TEXT,                                                                                             \
         "WHERE",                                                                                              \
         "place the character on the floor: on (default), off, or the height of the floor",                    \
         "on|off",                                                                                             \
         0,                                                                                                    \
         0},                                                                                                   \
        {"clean",  0, CLI_CHOICE, "WHETHER", "remove spins and flips of captured joints (default on)",         \
         "on|off", 0, 0},                                                                                      \
        {"verbose", 0, CLI_FLAG, NULL, "list all matched joints, not only doubtful ones", NULL, 0, 0}, {       \
        "companion", 0, CLI_FILE, "FILE", "the .asf of an .amc, if it is not in the same folder", NULL, 0, 0   \
    }

// --from and --to of a clip, which motion_range reads.
#define CLI_STRETCH_OPTIONS                                                                                  \
    {"from", 0, CLI_NUMBER, "SECONDS", "first moment (default 0)", NULL, 0, 0},                              \
        {"trim", 0, CLI_TEXT, "A:B", "the same as --from A --to B; A or B may be empty", NULL, 0, 0}, {      \
        "to", 0, CLI_NUMBER, "SECONDS",                                                                      \
            "last moment (default: the clip's end); if equal to --from: one moment", NULL, 0, 0              \
    }

// The clip of a motion that --clip asks for; none at all is an error.
cliExit motion_clip(const cliContext* context, const snSource* motion, uint32_t* out);

// Matches the joints of a motion with the character's, prints the matching, and adds the clip to the
// character; its index goes to `out_clip`. A skeleton that does not fit is refused with exit code 2 unless
// --map is given. A motion may be the character itself.
// The clip is called `name`, or as in its file where that is NULL.
cliExit motion_apply(cliContext* context, const snSource* motion, const char* name, uint32_t* out_clip,
                     cliMotion* out);

// Frees what motion_apply left in it, also after a failure.
void motion_free(cliMotion* motion);

// The first of the options above that was given, or NULL: without a motion they have nothing to act on.
const char* motion_option_given(const cliArguments* arguments);

// --from and --to, or from `*from` to the clip's end; equal times are one moment; a usage error where that is
// no stretch of the clip.
cliExit motion_range(const cliContext* context, const snClip* clip, float* from, float* to);

// Is a stretch asked for by --from, --to or --trim?
bool motion_is_cut(const cliArguments* arguments);

// Adds what is known about the motion to a JSON result.
void motion_report(const cliMotion* motion, sniJsonValue* object);

#endif
