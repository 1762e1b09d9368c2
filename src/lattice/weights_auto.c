// The default weights.
#include "lattice/bind.h"

snResult sni_weights_auto(const sniBind* bind, sniTop* points, snError* error) {
    return sni_weights_geodesic(bind, points, error);
}
