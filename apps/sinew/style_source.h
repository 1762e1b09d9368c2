// Styles that the command line names.
#ifndef SINEW_STYLE_SOURCE_H
#define SINEW_STYLE_SOURCE_H

#include "context.h"

// The styles that ship, to be completed; tests hold it equal to the library's list.
#define CLI_STYLES "metal|muscle|can|soft|cloth|hose|accordion"

// The style that the words of an option mean (sn_style_open); says what is wrong. A word that is no style is
// a usage error; `option` ("--style ") goes before it. Free with sn_style_destroy.
cliExit style_open(const cliContext* context, const char* option, const char* text, snStyle** out);
// Says why words could not be opened as a style.
cliExit style_fail(const cliContext* context, const char* option, const char* text, const snError* error);

#endif
