// Turning faces to agree and capping openings, so that a surface encloses a volume.
#ifndef SNI_VOLUME_CLOSING_H
#define SNI_VOLUME_CLOSING_H

#include "volume/closed.h"

// Needs points, faces and shells; turns faces, marks shells that cannot be turned, adds caps (their faces,
// centers, rest places).
snResult sni_close(sniClosed* closed, snError* error);

#endif
