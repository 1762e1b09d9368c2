// Styles that the command line names.
#ifndef SINEW_STYLE_SOURCE_H
#define SINEW_STYLE_SOURCE_H

#include "context.h"

// The styles that ship, to be completed; tests hold it equal to the library's list.
#define CLI_STYLES "metal|muscle|can|soft|cloth|hose|accordion"

// The style that ships under this name, or else that of a folder or .snstyle file. Free with
// sn_style_destroy.
snResult style_find(const cliContext* context, const char* text, snStyle** out, snError* error);
// The same for an option: says what is wrong. A word that is no style is a usage error; `option` ("--style ")
// goes before it.
cliExit style_open(const cliContext* context, const char* option, const char* text, snStyle** out);

#endif
