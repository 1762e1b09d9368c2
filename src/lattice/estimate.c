#include "lattice/estimate.h"

#include <math.h>

#include "base/error.h"

// Measured on bodies and solids from 16 to 256 cells; the peak, tables included, lies at or below.
#define BYTES_PER_POINT 64.0
#define BYTES_PER_TRIANGLE 128.0
#define BYTES_PER_SURFACE_CELL 1200.0
#define BYTES_PER_INSIDE_CELL 600.0
// Cells that a surface of one cell's area passes through, over all directions it may have.
#define CELLS_PER_AREA 1.5

sniEstimate sni_estimate(const snLatticeDef* def, const sniGrid* grid) {
    double scale = 1.0 / (double)grid->cell_size, area = 0.0, volume = 0.0;
    snVec3 o = def->points[0];
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        const uint32_t* corners = def->triangles + 3 * (size_t)t;
        double e[3][3];
        for (int c = 0; c < 3; c++) {
            snVec3 p = def->points[corners[c]];
            e[c][0] = ((double)p.x - (double)o.x) * scale;
            e[c][1] = ((double)p.y - (double)o.y) * scale;
            e[c][2] = ((double)p.z - (double)o.z) * scale;
        }
        double twice = 0.0;
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            double n = (e[1][u] - e[0][u]) * (e[2][v] - e[0][v]) - (e[1][v] - e[0][v]) * (e[2][u] - e[0][u]);
            twice += n * n;
            volume += n * e[0][k] / 6.0;
        }
        area += 0.5 * sqrt(twice);
    }
    double box = (double)grid->size[0] * (double)grid->size[1] * (double)grid->size[2];
    double bytes =
        BYTES_PER_POINT * (double)def->point_count + BYTES_PER_TRIANGLE * (double)def->triangle_count;
    return (sniEstimate){bytes, fmin(area * CELLS_PER_AREA, box), fmin(fabs(volume), box)};
}

double sni_estimate_bytes(const sniEstimate* estimate, double scale) {
    double surface = fmax(estimate->surface * scale * scale, 1.0);
    return estimate->fixed + surface * BYTES_PER_SURFACE_CELL +
           estimate->inside * scale * scale * scale * BYTES_PER_INSIDE_CELL;
}

snResult sni_estimate_fail(const sniEstimate* estimate, const snLatticeDef* def, const sniGrid* grid,
                           snError* error) {
    uint32_t longest = grid->size[0];
    for (int k = 1; k < 3; k++) longest = grid->size[k] > longest ? grid->size[k] : longest;
    uint32_t fits = longest - 1;
    while (fits > 0 && sni_estimate_bytes(estimate, (double)fits / longest) > (double)def->memory_limit)
        fits--;
    double needed = fmax(sni_estimate_bytes(estimate, 1.0), (double)def->memory_limit);
    if (fits == 0) {
        return sni_fail(error, SN_RESULT_LIMIT,
                        "a lattice around this mesh needs more than the %.1f MB allowed",
                        (double)def->memory_limit * 1e-6);
    }
    return sni_fail(
        error, SN_RESULT_LIMIT,
        "%u cells along the longest side need about %.1f MB, %.1f MB are allowed; %u cells would fit",
        longest, needed * 1e-6, (double)def->memory_limit * 1e-6, fits);
}
