#include "figure.h"

void figure_begin(Figure* figure) {
    *figure = (Figure){.joint_count = 1};
    figure->names[0] = "scene";
    figure->parents[0] = SN_NONE;
}

uint32_t add_joint(Figure* figure, const char* name, uint32_t parent, snVec3 place) {
    uint32_t j = figure->joint_count++;
    figure->names[j] = name;
    figure->parents[j] = parent;
    figure->places[j] = place;
    figure->deforming[j] = 1;
    return j;
}

void add_tip(Figure* figure, uint32_t parent, snVec3 place) {
    figure->deforming[add_joint(figure, "tip_end", parent, place)] = 0;
}

void add_answer(Figure* figure, const char* name, uint32_t main, uint32_t joints, bool hard) {
    uint32_t count = figure->piece_count++;
    figure->pieces[count] = (FigurePiece){.name = name,
                                          .first = count > 0 ? figure->pieces[count - 1].end : 0,
                                          .end = figure->solid.point_count,
                                          .joints = joints | (main == SN_NONE ? 0 : bit(main)),
                                          .main = main,
                                          .hard = hard};
}

uint32_t add_post(Solid* solid, snVec3 foot, float radius, float height, uint32_t rings) {
    uint32_t first = solid->point_count;
    for (uint32_t r = 0; r <= rings; r++) {
        for (uint32_t s = 0; s < SIDES; s++) {
            float angle = (float)s * 2.0f * SN_PI / (float)SIDES;
            solid_add_point(solid,
                            sn_add(foot, sn_vec3(radius * sn_cos(angle), height * (float)r / (float)rings,
                                                 radius * sn_sin(angle))));
        }
    }
    uint32_t bottom = solid_add_point(solid, foot);
    uint32_t top = solid_add_point(solid, sn_add(foot, sn_vec3(0.0f, height, 0.0f)));
    for (uint32_t s = 0; s < SIDES; s++) {
        uint32_t next = (s + 1) % SIDES;
        for (uint32_t r = 0; r < rings; r++) {
            uint32_t a = first + r * SIDES + s, b = first + r * SIDES + next;
            bool right = s < SIDES / 4 || s >= SIDES - SIDES / 4; // diagonals are mirrored too
            solid_add_triangle(solid, a, a + SIDES, right ? b : b + SIDES);
            solid_add_triangle(solid, b, right ? a + SIDES : a, b + SIDES);
        }
        solid_add_triangle(solid, bottom, first + s, first + next);
        solid_add_triangle(solid, top, first + rings * SIDES + next, first + rings * SIDES + s);
    }
    return first;
}

uint32_t add_lathe(Solid* solid, snVec3 center, const snVec2* profile, uint32_t count) {
    uint32_t first = solid->point_count, begin = first;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t here = solid->point_count;
        bool ring = profile[i].x > 0.0f, ring_before = i > 0 && profile[i - 1].x > 0.0f;
        for (uint32_t s = 0; s < (ring ? 2 * SIDES : 1); s++) {
            float angle = (float)s * SN_PI / (float)SIDES;
            snVec3 offset = sn_vec3(profile[i].x * sn_cos(angle), profile[i].y, profile[i].x * sn_sin(angle));
            solid_add_point(solid, sn_add(center, offset));
        }
        for (uint32_t s = 0; s < 2 * SIDES && i > 0; s++) {
            uint32_t next = (s + 1) % (2 * SIDES);
            uint32_t a = begin + (ring_before ? s : 0), b = begin + (ring_before ? next : 0);
            uint32_t c = here + (ring ? s : 0), d = here + (ring ? next : 0);
            if (ring) solid_add_triangle(solid, a, c, d);
            if (ring_before) solid_add_triangle(solid, a, d, b);
        }
        begin = here;
    }
    return first;
}

void place_points(Solid* solid, uint32_t first, snVec3 center, snVec3 stretch, snQuat turn) {
    for (uint32_t i = first; i < solid->point_count; i++) {
        snVec3 p = sn_sub(solid->points[i], center);
        p = sn_vec3(p.x * stretch.x, p.y * stretch.y, p.z * stretch.z);
        solid->points[i] = sn_add(center, sn_quat_rotate(turn, p));
    }
}

snResult make_model(const Figure* figure, const snAllocator* allocator, snModel** out) {
    snTrs rest[MOST_JOINTS];
    for (uint32_t j = 0; j < figure->joint_count; j++) {
        uint32_t parent = figure->parents[j];
        rest[j] = sn_trs_identity();
        rest[j].translation =
            parent == SN_NONE ? figure->places[j] : sn_sub(figure->places[j], figure->places[parent]);
    }
    snMeshDef mesh = {.vertex_count = figure->solid.point_count,
                      .positions = figure->solid.points,
                      .face_count = figure->solid.triangle_count,
                      .corner_count = figure->solid.triangle_count * 3,
                      .corners = figure->solid.triangles};
    snSkeletonDef skeleton = {figure->joint_count, figure->names, figure->parents, rest};
    snPartDef part = {.name = "surface", .mesh = &mesh, .joint = 0, .skin = SN_NONE};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    return sn_model_create(&def, allocator, out, NULL);
}

snModel* bind_figure(const Figure* figure) {
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_ok(make_model(figure, NULL, &model));
    snBindDef def = sn_bind_def();
    def.influences = 8;
    def.deforming = figure->deforming;
    if (sn_model_bind(model, &def, NULL, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return model;
}

float joint_weight(const snModel* model, uint32_t vertex, uint32_t joint) {
    const snPart* part = &model->parts[0];
    const snWeights* w = &part->weights;
    float sum = 0.0f;
    for (uint32_t i = 0; i < w->influences; i++) {
        size_t at = (size_t)vertex * w->influences + i;
        if (model->skins[part->skin].joints[w->joints[at]] == joint) sum += w->weights[at];
    }
    return sum;
}
