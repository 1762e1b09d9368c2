// A vertex that hangs in a cell of a lattice: trilinear in the cell's eight particles.
//
// For vertex shaders of GLSL 3.30 and of GLSL ES 3.00; the dialect's prologue comes before it. Both textures
// are 1024 texels wide, item i at (i & 1023, i >> 10).
uniform highp sampler2D lattice_particles; // RGBA32F; a texel a particle: where it is
uniform highp usampler2D lattice_cells;    // RGBA32UI; two texels a cell: its particles, corner i at
                                           // (i & 1, i >> 1 & 1, i >> 2)

ivec2 lattice_texel(uint i) {
    return ivec2(int(i & 1023u), int(i >> 10));
}

vec3 lattice_particle(uint i) {
    return texelFetch(lattice_particles, lattice_texel(i), 0).xyz;
}

// `at`: the vertex inside the cell, 0 .. 1; beyond, it extrapolates. Normals go by the cofactors of the
// Jacobian; where a cell has lost its volume the rest normal stays.
void lattice_hang(uint cell, vec3 at, vec3 rest_normal, out vec3 place, out vec3 normal) {
    uvec4 low = texelFetch(lattice_cells, lattice_texel(2u * cell), 0);
    uvec4 high = texelFetch(lattice_cells, lattice_texel(2u * cell + 1u), 0);
    vec3 p0 = lattice_particle(low.x), p2 = lattice_particle(low.z);
    vec3 p4 = lattice_particle(high.x), p6 = lattice_particle(high.z);
    // Coefficients of x, y, xy, z, xz, yz and xyz: differences of corners, so that nothing is lost far away.
    vec3 c1 = lattice_particle(low.y) - p0, c2 = p2 - p0, c4 = p4 - p0;
    vec3 c3 = lattice_particle(low.w) - p2 - c1;
    vec3 c5 = lattice_particle(high.y) - p4;
    vec3 c6 = p6 - p4;
    vec3 c7 = lattice_particle(high.w) - p6 - c5 - c3;
    c5 -= c1;
    c6 -= c2;

    vec3 twist = c3 + at.z * c7;
    vec3 straight = c2 + at.z * c6;
    vec3 by_x = c1 + at.z * c5 + at.y * twist;
    vec3 by_y = straight + at.x * twist;
    vec3 by_z = c4 + at.x * c5 + at.y * (c6 + at.x * c7);
    place = p0 + (at.x * by_x + at.y * straight + at.z * c4);

    // Cells of any size: the Jacobian is brought near 1 before it is multiplied with itself.
    float size = length(by_x) + length(by_y) + length(by_z);
    float scale = size > 1e-30 ? 1.0 / size : 0.0;
    by_x *= scale;
    by_y *= scale;
    by_z *= scale;
    normal = rest_normal.x * cross(by_y, by_z) + rest_normal.y * cross(by_z, by_x)
        + rest_normal.z * cross(by_x, by_y);
    float length2 = dot(normal, normal);
    normal = length2 > 1e-20 ? normal * inversesqrt(length2) : rest_normal;
}
