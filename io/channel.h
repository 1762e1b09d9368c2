// Questions about one channel of a clip.
#ifndef SNI_IO_CHANNEL_H
#define SNI_IO_CHANNEL_H

#include "sinew/rig.h"

// Whether the channel only repeats its joint's rest. False for morphs and for splines, which may leave their
// keys.
bool sni_channel_stays(const snChannel* channel, const snTrs* rest);

#endif
