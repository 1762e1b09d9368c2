// Signed volume and area. Volume follows Rohmer, Hahmann and Cani 2009, equations (1) and (2): triangles
// exactly, quads as bilinear patches. The paper lists a quad's corners in grid order; here they go around the
// border, as faces do.
#include "sinew/shape.h"

typedef struct Vec3d {
    double x, y, z;
} Vec3d;

static Vec3d from(snVec3 origin, snVec3 p) {
    Vec3d d = {(double)p.x - (double)origin.x, (double)p.y - (double)origin.y,
               (double)p.z - (double)origin.z};
    return d;
}

static double determinant(Vec3d a, Vec3d b, Vec3d c) {
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

// The bilinear patch lies midway between its two triangulations: the cubic terms of the surface integral
// average over both diagonals.
static double quad_volume(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    return (determinant(a, b, c) + determinant(a, c, d) + determinant(a, b, d) + determinant(b, c, d)) / 12.0;
}

double sn_quad_volume(snVec3 a, snVec3 b, snVec3 c, snVec3 d) {
    snVec3 zero = {0, 0, 0};
    return quad_volume(from(zero, a), from(zero, b), from(zero, c), from(zero, d));
}

double sn_mesh_volume(const snMesh* mesh, const snVec3* positions) {
    if (positions == NULL) positions = mesh->positions;
    // Measured from the origin: for an open mesh the number depends on that choice, so it is a stated one.
    snVec3 zero = {0, 0, 0};
    double sum = 0.0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t* corner = mesh->corners + mesh->face_starts[f];
        uint32_t size = mesh->face_starts[f + 1] - mesh->face_starts[f];
        Vec3d a = from(zero, positions[corner[0]]);
        Vec3d b = from(zero, positions[corner[1]]);
        if (size == 4) {
            sum += quad_volume(a, b, from(zero, positions[corner[2]]), from(zero, positions[corner[3]]));
            continue;
        }
        for (uint32_t c = 2; c < size; c++) {
            Vec3d next = from(zero, positions[corner[c]]);
            sum += determinant(a, b, next) / 6.0;
            b = next;
        }
    }
    return sum;
}

static double triangle_area(Vec3d u, Vec3d v) {
    double x = u.y * v.z - u.z * v.y;
    double y = u.z * v.x - u.x * v.z;
    double z = u.x * v.y - u.y * v.x;
    return 0.5 * sqrt(x * x + y * y + z * z);
}

double sn_mesh_area(const snMesh* mesh, const snVec3* positions) {
    if (positions == NULL) positions = mesh->positions;
    double sum = 0.0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t* corner = mesh->corners + mesh->face_starts[f];
        uint32_t size = mesh->face_starts[f + 1] - mesh->face_starts[f];
        snVec3 origin = positions[corner[0]];
        for (uint32_t c = 2; c < size; c++) {
            sum += triangle_area(from(origin, positions[corner[c - 1]]), from(origin, positions[corner[c]]));
        }
    }
    return sum;
}
