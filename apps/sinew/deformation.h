// How a character deforms, as the command line says it: skin, volume, flesh and every other setting.
#ifndef SINEW_DEFORMATION_H
#define SINEW_DEFORMATION_H

#include "context.h"
#include "style_source.h"

// The profiles of exact volume that ship, to be completed; tests hold it equal to the library's list.
#define CLI_PRESETS "isotropic|rubber|muscle|folds|belly|thigh|finger|sleeve"

// The options of every verb that moves one model.
// clang-format off
#define CLI_DEFORM_OPTIONS                                                                                   \
    {"skin", 0, CLI_CHOICE, "METHOD", "how the skin follows the joints (default dual if bound, else linear)", \
     "auto|linear|dual|lattice|spline", 0, 0},                                                               \
    {"stiffness", 0, CLI_LIST, "NUMBER",                                                                     \
     "how sharply joints of the spline skin bend, 2 to 32, after JOINT= for some only; may be repeated",     \
     NULL, 0, 0},                                                                                            \
    {"style", 0, CLI_LIST, "STYLE",                                                                          \
     "shape of bent and twisted joints: [JOINT=]STYLE[:STRENGTH] with a file or one of " CLI_STYLES          \
     "|none; may be repeated",                                                                               \
     CLI_STYLES, 0, 0},                                                                                      \
    {"volume", 0, CLI_CHOICE, "METHOD",                                                                      \
     "keep the volume of parts around joints, or exactly that of the surface (default parts if bound)",      \
     "none|parts|exact|parts+exact", 0, 0},                                                                  \
    {"profile", 0, CLI_LIST, "PROFILE",                                                                      \
     "where exact volume goes: a file or one of " CLI_PRESETS                                                \
     ", after JOINT= for some joints only; may be repeated",                                                 \
     CLI_PRESETS, 0, 0},                                                                                     \
    {"target-volume", 0, CLI_FILE, "FILE", "exact volume that changes over time, as JSON", NULL, 0, 0},      \
    {"refine", 0, CLI_WHOLE, "N", "split faces N times where exact volume shapes the surface", NULL, 0, 4},  \
    {"contact", 0, CLI_CHOICE, "ON",                                                                         \
     "on the inside of bends the two sides of the skin meet instead of intersecting (default off)", "on|off", 0, \
     0},                                                                                                     \
    {"flesh", 0, CLI_CHOICE, "ON", "flesh that follows and jiggles (default on if bound)", "on|off", 0, 0},  \
    {"push", 0, CLI_LIST, "PUSH",                                                                            \
     "hold flesh away from its rest position: WHERE=DX,DY,DZ@T0-T1; WHERE is a joint or a point X,Y,Z of the bind pose; metres and seconds; may be repeated", NULL, 0, 0},                                                            \
    {"settings", 0, CLI_FILE, "FILE", "settings as JSON; sinew settings shows all of them", NULL, 0, 0},     \
    {"set", 0, CLI_LIST, "KEY=VALUE", "any setting, as in flesh.delta=0.7; may be repeated", NULL, 0, 0}
// clang-format on

// The model's own settings, or the defaults, changed by --settings, --set and the options above, in this
// order. A model that has no lattice and is asked for something of it is bound to its own weights first. Free
// with sn_settings_destroy.
cliExit deformation_settings(cliContext* context, snSettings** out);

// What --stiffness and --style say, after all else (deformation_style.c). They mean the spline skin; another
// one that was asked for by name is a usage error.
cliExit deformation_splines(cliContext* context, snSettings* settings);

// Says that the model has been bound to its own weights, or that its faces have been split; `before`: of its
// vertices.
void deformation_say_lattice(const cliContext* context);
void deformation_say_refined(const cliContext* context, uint64_t before);

// Makes them the document's, splits faces as they ask, and says how many vertices there are then. Comes
// before any character.
cliExit deformation_use(cliContext* context, snSettings* settings);
// Of all parts.
uint64_t deformation_vertices(const snModel* model);

// Says which joints of a character show their style, and which have no limb to show it on.
cliExit deformation_say_styles(cliContext* context, const snModel* model, const snCharacter* character);

// The name of the skin that the settings mean for the character.
const char* deformation_skin_name(const cliContext* context, const snSettings* settings);

#endif
