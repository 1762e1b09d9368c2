// How meshes lie in their files: what the user says of it, and what was found.
#ifndef SINEW_STANCE_H
#define SINEW_STANCE_H

#include "context.h"
#include "io/json.h"

#define CLI_AXES "auto|x|y|z|-x|-y|-z"
#define CLI_STANCE_OPTIONS                                                                                   \
    {"up", 0, CLI_CHOICE, "AXIS", "up direction in the file; auto: found from the shape", CLI_AXES, 0, 0}, { \
        "facing", 0, CLI_CHOICE, "AXIS", "facing direction in the file; auto: found from the shape",         \
            CLI_AXES, 0, 0                                                                                   \
    }

// What --up or --facing says.
snAxis stance_axis(const cliArguments* arguments, const char* option);
// Turns the character to +Y up, +Z facing where --up or --facing was given.
cliExit stance_apply(cliContext* context);
// A line on how a mesh lies in its file; nothing where its format says it.
void stance_say(const cliContext* context, const snStance* stance, bool turned);
sniJsonValue* stance_report(const snStance* stance, bool turned);

#endif
