// The tuned numbers and the rules of automatic binding.
//
// A number is what it says and a rule holds: that is all there is to it in every build but one. With the
// CMake option SINEW_TUNING they are read from the variable SINEW_TUNE of the environment, for example
// "BALL=0.25,rule_turn=0", so that scripts/quality_long.py can say what each of them is worth.
//
// Here is what was chosen on characters, or judged. Not here are numbers that bound time and memory (samples
// along a way, sources of a point, passes), tolerances of the solver and of rounding, and what only the
// lattice's particles feel, because the surface is scored.
#ifndef SNI_BIND_TUNING_H
#define SNI_BIND_TUNING_H

#include "sinew/base.h"

#ifdef SNI_TUNING

// X(name) for each of them, file by file; a name is that of the macro, or of the rule.
// clang-format off
#define SNI_TUNED_NAMES(X)                                                                                   \
    X(REACH) X(STRANGER) X(SIDEWAYS) X(HOLD) X(OUTSIDE) X(MOST_OUTSIDE) X(DETOUR) X(BEYOND) X(SHARPNESS)     \
    X(FACING) X(INDIFFERENT) X(BEST_FACING)                                                                  \
    X(LEAST_HOME) X(LEAST_BORROWED_HOME)                                                                     \
    X(CONE) X(NEAREST_MEETING) X(FARTHEST_MEETING) X(LAST_LENGTH) X(INSIDE_GAIN) X(HANDLE_FACTOR)            \
    X(ROOT_FACTOR) X(ROOT_OUTSIDE) X(LEADS_ON) X(AWAY) X(CENTER_INSIDE)                                      \
    X(LEAST_INSIDE) X(BALL) X(PERCH_HOLD) X(LEAST_GAP) X(SMALL_PIECE) X(ENCLOSED) X(HINGE)                         \
    X(JOINT_SLACK) X(POINT_SLACK)                                                                            \
    X(LONG_EDGE) X(INSIDE_OUT) X(FLESH_CELLS) X(MOST_WORN) X(AXIS_ALONG) X(AXIS_HABIT) X(SEED_DETOUR)
#define SNI_RULE_NAMES(X)                                                                                    \
    X(clip) X(settle) X(turn) X(siblings) X(homeless) X(sheets) X(facing) X(rigid) X(caps)                   \
    X(follow) X(sit) X(roots) X(worn) X(hinges) X(tips) X(mirror) X(fade)
// clang-format on

typedef enum sniTune {
#define SNI_TUNE_NAME(name) SNI_TUNE_##name,
#define SNI_TUNE_RULE(name) SNI_TUNE_rule_##name,
    SNI_TUNED_NAMES(SNI_TUNE_NAME) SNI_RULE_NAMES(SNI_TUNE_RULE)
#undef SNI_TUNE_NAME
#undef SNI_TUNE_RULE
        SNI_TUNE_COUNT
} sniTune;

typedef struct sniTuning {
    bool set[SNI_TUNE_COUNT];
    double values[SNI_TUNE_COUNT];
} sniTuning;

// Reads "NAME=VALUE,..."; unknown names and anything but finite numbers are errors, and leave `out` alone.
snResult sni_tuning_parse(const char* text, sniTuning* out, snError* error);
// Reads the environment, once in the life of the program; whoever binds calls it before workers start.
snResult sni_tuning_read(snError* error);
// What was read for a number, or the number itself.
double sni_tuned(sniTune tune, double value);

// clang-format off
#define SNI_TUNED(name, value)                                                                               \
    _Generic((value),                                                                                        \
        float: (float)sni_tuned(SNI_TUNE_##name, (double)(value)),                                           \
        double: sni_tuned(SNI_TUNE_##name, (double)(value)),                                                 \
        int: (int)sni_tuned(SNI_TUNE_##name, (double)(value)),                                               \
        unsigned: (unsigned)sni_tuned(SNI_TUNE_##name, (double)(value)))
// clang-format on
#define SNI_RULE(name) (sni_tuned(SNI_TUNE_rule_##name, 1.0) != 0.0)

#else

#define SNI_TUNED(name, value) (value)
#define SNI_RULE(name) (true)
static inline snResult sni_tuning_read(snError* error) {
    (void)error;
    return SN_RESULT_OK;
}

#endif

#endif
