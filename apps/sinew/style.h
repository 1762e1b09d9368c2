// `sinew style`: what its parts share.
#ifndef SINEW_STYLE_VERB_H
#define SINEW_STYLE_VERB_H

#include "picture.h"
#include "style_picture.h"
#include "style_source.h"

// For pictures of a style.
snStylePictureDef style_picture_def(cliContext* context, snRenderer* renderer, const snStyle* style);

// `sinew style new`: a style of the name that the second operand is.
cliExit style_new(cliContext* context);
// `sinew style check`: every operand behind the first.
cliExit style_check(cliContext* context);

#endif
