// What is in the files beside models: rigs, poses, paths.
#ifndef SINEW_INFO_FILES_H
#define SINEW_INFO_FILES_H

#include "context.h"

// By the extension: .snrig .snpose .json.
bool info_is_file(const char* path);
// Says what the file is and holds, without the model that it is for.
cliExit info_file(const cliContext* context, const char* path);

#endif
