// How a mesh stands: which way is up, and which way it faces.
//
// Bodies have a left and a right that mirror each other, and stand on what lies to the left and to the right
// of the mirror plane: legs. So the way in which the longest stretch of a body has nothing in its mirror
// plane is down, be it a person, an animal or a bird. The solid decides, so open, doubled and inside-out
// meshes are no different. A body whose trunk stands upright points its feet ahead of its shins; one whose
// trunk lies level carries its head above its forelegs. Where none of that is clear the mesh stays as it is,
// and the doubt is said: robes that hide the legs, snakes, things.
#include "base/error.h"
#include "base/memory.h"
#include "fit/fit.h"
#include "rig/surface.h"

// Coarser than fitting's: legs are what matters.
#define CELLS 64
// All below were judged.
// An axis can be that of left and right when this much of the solid lies on itself in the mirror, less what
// the best axis has.
#define ALIKE 0.6f
#define NEARLY_ALIKE 0.2f
// Legs are at least this part of the whole size long, and this many times as long as whatever else leaves the
// mirror plane (toes, horns, hands held out).
#define LEGS 0.12f
#define LEGS_ALONE 1.6f
#define LEAST_LEGS 0.05f
#define FEET 0.06f
// The centers of feet are ahead of the shins by at least and at most this part of the height (a foot is about
// a seventh of it long), heads ahead of the legs by at least this part of the length.
#define FEET_AHEAD 0.008f
#define FEET_FAR_AHEAD 0.07f
#define HEAD_AHEAD 0.05f

// ------------------------------------------------------------------------------------------------- axes

const char* sn_axis_name(snAxis axis) {
    static const char* const names[] = {"auto", "x", "y", "z", "-x", "-y", "-z"};
    return (uint32_t)axis < sizeof names / sizeof names[0] ? names[axis] : "unknown";
}

const char* sn_stance_how_name(snStanceHow how) {
    static const char* const names[] = {"assumed", "found", "given", "format"};
    return (uint32_t)how < sizeof names / sizeof names[0] ? names[how] : "unknown";
}

static int index_of(snAxis axis) { return ((int)axis - 1) % 3; }
static int sign_of(snAxis axis) { return axis >= SN_AXIS_MINUS_X ? -1 : 1; }
static int third_axis(int a, int b) { return 3 - a - b; }
static snAxis axis_of(int index, int sign) { return (snAxis)(index + (sign > 0 ? 1 : 4)); }

snVec3 sn_axis_vector(snAxis axis) {
    float v[3] = {0.0f, 0.0f, 0.0f};
    if (axis > SN_AXIS_AUTO && axis <= SN_AXIS_MINUS_Z) v[index_of(axis)] = (float)sign_of(axis);
    return sn_vec3(v[0], v[1], v[2]);
}

// What the shortest turn that brings `up` to +Y brings to +Z.
static snAxis usual_facing(snAxis up) {
    return up == SN_AXIS_Z ? SN_AXIS_MINUS_Y : up == SN_AXIS_MINUS_Z ? SN_AXIS_Y : SN_AXIS_Z;
}

snQuat sn_stance_rotation(const snStance* stance) {
    snVec3 up = sn_axis_vector(stance->up), facing = sn_axis_vector(stance->facing);
    snVec3 left = sn_cross(up, facing);
    // Rows are what becomes x, y and z.
    snMat4 m = {{left.x, up.x, facing.x, 0.0f, left.y, up.y, facing.y, 0.0f, left.z, up.z, facing.z, 0.0f,
                 0.0f, 0.0f, 0.0f, 1.0f}};
    return sn_quat_normalize(sn_quat_from_mat4(&m));
}

// --------------------------------------------------------------------------------------------- the solid

typedef struct Looker {
    const sniSolid* solid;
    uint16_t (*at)[3]; // cell_count; grid coordinates
    uint32_t low[3], high[3];
    double mean[3];
    uint32_t size;      // cells along the longest side
    uint32_t middle[3]; // the best mirror across each axis, in half cells
    float mirrored[3];  // how much of the solid lies on itself in it
} Looker;

static bool place_cells(Looker* k, const snAllocator* memory) {
    const sniSolid* solid = k->solid;
    k->at = sni_alloc_array(memory, solid->cell_count, sizeof *k->at);
    if (k->at == NULL) return false;
    for (int a = 0; a < 3; a++) k->low[a] = UINT32_MAX;
    for (uint32_t c = 0; c < solid->cell_count; c++) {
        uint32_t index = solid->cells[c];
        uint32_t place[3] = {index % solid->grid[0], index / solid->grid[0] % solid->grid[1],
                             index / solid->grid[0] / solid->grid[1]};
        for (int a = 0; a < 3; a++) {
            k->at[c][a] = (uint16_t)place[a];
            if (place[a] < k->low[a]) k->low[a] = place[a];
            if (place[a] > k->high[a]) k->high[a] = place[a];
            k->mean[a] += (double)place[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        uint32_t size = k->high[a] - k->low[a] + 1;
        k->mean[a] /= solid->cell_count;
        if (size > k->size) k->size = size;
    }
    return true;
}

static float share_mirrored(const Looker* k, int axis, uint32_t middle) {
    const sniSolid* solid = k->solid;
    uint32_t found = 0;
    for (uint32_t c = 0; c < solid->cell_count; c++) {
        size_t place[3] = {k->at[c][0], k->at[c][1], k->at[c][2]};
        if (place[axis] > middle || middle - place[axis] >= solid->grid[axis]) continue;
        place[axis] = middle - place[axis];
        found += solid->lookup[(place[2] * solid->grid[1] + place[1]) * solid->grid[0] + place[0]] != SN_NONE;
    }
    return (float)found / (float)solid->cell_count;
}

// The plane is that of the center, give or take what the cells and an arm held otherwise make of it.
static void find_mirrors(Looker* k) {
    for (int a = 0; a < 3; a++) {
        uint32_t center = (uint32_t)(2.0 * k->mean[a] + 0.5);
        for (uint32_t m = center > 3 ? center - 3 : 0; m <= center + 3; m++) {
            float share = share_mirrored(k, a, m);
            if (!(share > k->mirrored[a])) continue;
            k->mirrored[a] = share;
            k->middle[a] = m;
        }
    }
}

// Whether a cell lies in the mirror plane, which is three or four cells thick: meshes are not that exact.
static bool is_middle(const Looker* k, uint32_t cell, int side) {
    int off = 2 * (int)k->at[cell][side] - (int)k->middle[side];
    return off >= -3 && off <= 3;
}

// ---------------------------------------------------------------------------------------------------- up

// Slices from the end of the solid along `axis` to the first that reaches the mirror plane.
static uint32_t empty_stretch(const Looker* k, int side, int axis, int sign) {
    uint32_t size = k->high[axis] - k->low[axis] + 1, nearest = size;
    for (uint32_t c = 0; c < k->solid->cell_count; c++) {
        if (!is_middle(k, c, side)) continue;
        uint32_t place = k->at[c][axis];
        uint32_t from = sign > 0 ? k->high[axis] - place : place - k->low[axis];
        if (from < nearest) nearest = from;
    }
    return nearest;
}

// Whether a body can stand on its legs: its center is above its feet, those have some length, and legs are no
// mere horns. Feet are what lies within FEET of the end and reach as far ahead, in sizes; legs have
// LEAST_LEGS of the section of what they carry.
static bool carries(const Looker* k, int side, snAxis up, uint32_t legs) {
    int axis = index_of(up), ahead = third_axis(side, axis);
    uint32_t low = UINT32_MAX, high = 0, leg_cells = 0, reach = 1 + (uint32_t)(FEET * (float)k->size);
    for (uint32_t c = 0; c < k->solid->cell_count; c++) {
        uint32_t place = k->at[c][axis];
        uint32_t from = sign_of(up) > 0 ? place - k->low[axis] : k->high[axis] - place;
        leg_cells += from < legs;
        if (from >= reach) continue;
        if (k->at[c][ahead] < low) low = k->at[c][ahead];
        if (k->at[c][ahead] > high) high = k->at[c][ahead];
    }
    if ((float)(high - low + 1) < FEET * (float)k->size) return false;
    uint32_t rest = k->high[axis] - k->low[axis] + 1 - legs;
    float section = (float)leg_cells / (float)legs;
    float carried = (float)(k->solid->cell_count - leg_cells) / sn_maxf((float)rest, 1.0f);
    return k->mean[ahead] >= (double)low - 0.5 && k->mean[ahead] <= (double)high + 0.5 &&
           section >= LEAST_LEGS * carried;
}

// What speaks for one way to stand.
typedef struct Stand {
    int side; // axis of left and right
    snAxis up;
    uint32_t legs; // slices
    float alone;   // legs against the longest other stretch
} Stand;

// The longest empty stretch across a side, among those that the caller allows.
static Stand best_stand(const Looker* k, int side, snAxis up, snAxis facing) {
    Stand best = {.side = side};
    uint32_t second = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1 && axis != side; sign += 2) {
            snAxis opposite = axis_of(axis, -sign);
            bool allowed = (up == SN_AXIS_AUTO || up == opposite) &&
                           (facing == SN_AXIS_AUTO || index_of(facing) != axis);
            uint32_t legs = empty_stretch(k, side, axis, sign);
            if (allowed && (best.up == SN_AXIS_AUTO || legs > best.legs)) {
                if (best.up != SN_AXIS_AUTO && best.legs > second) second = best.legs;
                best.up = opposite;
                best.legs = legs;
            } else if (legs > second) {
                second = legs;
            }
        }
    }
    best.alone = (float)best.legs / sn_maxf((float)second, 1.0f);
    return best;
}

static bool shows_legs(const Looker* k, const Stand* s) {
    return (float)s->legs >= LEGS * (float)k->size && s->alone >= LEGS_ALONE &&
           carries(k, s->side, s->up, s->legs);
}

// The side that mirrors best among those that show legs. False: none does, or two stand on different ones.
static bool find_stand(const Looker* k, snAxis up, snAxis facing, Stand* out) {
    float most = sn_maxf(k->mirrored[0], sn_maxf(k->mirrored[1], k->mirrored[2]));
    bool agree = true;
    for (int side = 0; side < 3; side++) {
        if ((up != SN_AXIS_AUTO && index_of(up) == side) ||
            (facing != SN_AXIS_AUTO && index_of(facing) == side))
            continue;
        if (k->mirrored[side] < ALIKE || k->mirrored[side] < most - NEARLY_ALIKE) continue;
        Stand stand = best_stand(k, side, up, facing);
        if (stand.up == SN_AXIS_AUTO) continue;
        if (up == SN_AXIS_AUTO && !shows_legs(k, &stand)) continue;
        bool first = out->up == SN_AXIS_AUTO;
        agree = agree && (first || out->up == stand.up);
        if (first || k->mirrored[side] > k->mirrored[out->side]) *out = stand;
    }
    return agree && out->up != SN_AXIS_AUTO;
}

// ------------------------------------------------------------------------------------------------ facing

typedef struct Sum {
    double sum;
    uint32_t count;
} Sum;

static double mean_of(const Sum* s) { return s->count > 0 ? s->sum / s->count : 0.0; }

static void add(Sum* s, double value) {
    s->sum += value;
    s->count++;
}

// Whether the trunk, what is in the mirror plane, reaches further ahead than up.
static bool is_level(const Looker* k, int side, int up, int ahead) {
    uint32_t low[2] = {UINT32_MAX, UINT32_MAX}, high[2] = {0, 0};
    int axes[2] = {up, ahead};
    for (uint32_t c = 0; c < k->solid->cell_count; c++) {
        if (!is_middle(k, c, side)) continue;
        for (int i = 0; i < 2; i++) {
            uint32_t place = k->at[c][axes[i]];
            if (place < low[i]) low[i] = place;
            if (place > high[i]) high[i] = place;
        }
    }
    return high[0] >= low[0] && high[1] - low[1] > high[0] - low[0];
}

// Which way along its third axis the body faces: above 0, below 0, or 0 where it is not clear.
static int find_facing(const Looker* k, int side, snAxis up) {
    int axis = index_of(up), ahead = third_axis(side, axis);
    double height = (double)(k->high[axis] - k->low[axis] + 1);
    bool level = is_level(k, side, axis, ahead);
    Sum feet = {0}, shins = {0}, legs = {0}, head = {0};
    for (uint32_t c = 0; c < k->solid->cell_count; c++) {
        uint32_t place = k->at[c][axis];
        double y = ((double)(sign_of(up) > 0 ? place - k->low[axis] : k->high[axis] - place) + 0.5) / height;
        double z = (double)k->at[c][ahead];
        if (y < 0.04) add(&feet, z);
        if (y > 0.1 && y < 0.2) add(&shins, z);
        if (y < 0.3) add(&legs, z);
        if (y > 0.8) add(&head, z);
    }
    double moved = level ? mean_of(&head) - mean_of(&legs) : mean_of(&feet) - mean_of(&shins);
    double least = (level ? (double)HEAD_AHEAD * (double)(k->high[ahead] - k->low[ahead] + 1)
                          : (double)FEET_AHEAD * height);
    double most = level ? (double)k->size : (double)FEET_FAR_AHEAD * height;
    if (moved > most || moved < -most) return 0;
    if (level ? head.count == 0 || legs.count == 0 : feet.count == 0 || shins.count == 0) return 0;
    return moved > least ? 1 : moved < -least ? -1 : 0;
}

// --------------------------------------------------------------------------------------------------- all

static void look(const Looker* k, const snStanceDef* def, snStance* out) {
    Stand stand = {0};
    if (!find_stand(k, def->up, def->facing, &stand)) return;
    if (def->up == SN_AXIS_AUTO) {
        out->up = stand.up;
        out->up_how = SN_STANCE_FOUND;
        if (def->facing == SN_AXIS_AUTO) out->facing = usual_facing(out->up);
    }
    int facing = def->facing == SN_AXIS_AUTO ? find_facing(k, stand.side, out->up) : 0;
    if (facing == 0) return;
    out->facing = axis_of(third_axis(stand.side, index_of(out->up)), facing);
    out->facing_how = SN_STANCE_FOUND;
}

// What is assumed before the shape was asked.
static snStance assume(const snStanceDef* def) {
    snStance stance = {.up = SN_AXIS_Y, .facing = SN_AXIS_Z};
    if (def->facing != SN_AXIS_AUTO) {
        stance.facing = def->facing;
        stance.facing_how = SN_STANCE_GIVEN;
        if (index_of(def->facing) == index_of(SN_AXIS_Y)) stance.up = SN_AXIS_Z;
    }
    if (def->up != SN_AXIS_AUTO) {
        stance.up = def->up;
        stance.up_how = SN_STANCE_GIVEN;
        if (def->facing == SN_AXIS_AUTO) stance.facing = usual_facing(def->up);
    }
    return stance;
}

static snResult check(const snStanceDef* def, snError* error) {
    if ((uint32_t)def->up > SN_AXIS_MINUS_Z || (uint32_t)def->facing > SN_AXIS_MINUS_Z)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "unknown axis %u",
                        (uint32_t)def->up > SN_AXIS_MINUS_Z ? (uint32_t)def->up : (uint32_t)def->facing);
    if (def->up != SN_AXIS_AUTO && def->facing != SN_AXIS_AUTO && index_of(def->up) == index_of(def->facing))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "up is %s and facing %s, which is along the same line", sn_axis_name(def->up),
                        sn_axis_name(def->facing));
    return SN_RESULT_OK;
}

// A mesh that is no solid (a sheet, a curve of points) has no stance to be found.
static snResult find(const snStanceDef* def, const snFitDef* mesh, const snAllocator* memory, snStance* out,
                     snError* error) {
    sniSolid solid;
    snError none = sn_error_none();
    snResult result = sni_solid_create(&solid, mesh, memory, &none);
    if (result == SN_RESULT_BAD_DATA) return SN_RESULT_OK;
    if (result != SN_RESULT_OK) {
        if (error != NULL) *error = none;
        return result;
    }
    Looker k = {.solid = &solid};
    if (place_cells(&k, memory)) {
        find_mirrors(&k);
        look(&k, def, out);
    } else {
        result = sni_fail_memory(error);
    }
    sni_free(memory, k.at);
    sni_solid_destroy(&solid, memory);
    return result;
}

snStanceDef sn_stance_def(void) { return (snStanceDef){0}; }

snResult sn_stance_find(const snStanceDef* def, const snModel* model, const snAllocator* allocator,
                        snStance* out, snError* error) {
    if (def == NULL || model == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a Def, a model and an output are needed");
    SNI_TRY(check(def, error));
    snStance stance = assume(def);
    if (def->up == SN_AXIS_AUTO || def->facing == SN_AXIS_AUTO) {
        snAllocator memory = sni_allocator(allocator);
        sniSurface surface = {0};
        SNI_TRY(sni_surface_create(model, NULL, NULL, &memory, &surface, error));
        snFitDef mesh = sn_fit_def();
        mesh.point_count = surface.point_count;
        mesh.points = surface.points;
        mesh.triangle_count = surface.triangle_count;
        mesh.triangles = surface.triangles;
        mesh.welded = true;
        mesh.cells = CELLS;
        mesh.progress = def->progress;
        snResult result = find(def, &mesh, &memory, &stance, error);
        sni_surface_free(&surface);
        if (result != SN_RESULT_OK) return result;
    }
    *out = stance;
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- skeletons

// The axis within about 8 degrees of a direction, or AUTO.
static snAxis nearest_axis(snVec3 v) {
    for (int a = SN_AXIS_X; a <= SN_AXIS_MINUS_Z; a++)
        if (sn_dot(v, sn_axis_vector((snAxis)a)) > 0.99f) return (snAxis)a;
    return SN_AXIS_AUTO;
}

snResult sn_skeleton_stance(const snSkeleton* skeleton, const snAllocator* allocator, snStance* out,
                            snError* error) {
    if (skeleton == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    sniBody body;
    snResult result = sni_body_create(&body, skeleton, &memory);
    snStance stance = {.up = SN_AXIS_Y, .facing = SN_AXIS_Z};
    if (result == SN_RESULT_LIMIT) *out = stance; // more joints than a body has
    if (result != SN_RESULT_OK)
        return result == SN_RESULT_LIMIT ? SN_RESULT_OK : sni_fail_labels(error, result);
    bool legs = body.first[SN_ROLE_UPPER_LEG][SN_SIDE_LEFT] != SN_NONE &&
                body.first[SN_ROLE_UPPER_LEG][SN_SIDE_RIGHT] != SN_NONE;
    bool hips = body.first[SN_ROLE_HIPS][SN_SIDE_NONE] != SN_NONE;
    snAxis up = nearest_axis(sn_quat_rotate(body.frame, sn_vec3(0.0f, 1.0f, 0.0f)));
    snAxis facing = nearest_axis(sn_quat_rotate(body.frame, sn_vec3(0.0f, 0.0f, 1.0f)));
    if (legs && hips && up != SN_AXIS_AUTO) {
        stance = (snStance){up, usual_facing(up), SN_STANCE_FOUND, SN_STANCE_ASSUMED};
        if (facing != SN_AXIS_AUTO) {
            stance.facing = facing;
            stance.facing_how = SN_STANCE_FOUND;
        }
    }
    sni_body_destroy(&body, &memory);
    *out = stance;
    return SN_RESULT_OK;
}
