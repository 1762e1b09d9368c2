// Figures as files, for pictures: PATH.obj, PATH.bvh with a pose at one second, PATH.txt with the joints that
// deform.
#include <stdio.h>
#include <string.h>

#include "figure.h"

// How far joints turn, by name, in degrees about z, x and y. Far enough that a piece on the wrong joint is
// seen to leave its place.
static const struct {
    const char* name;
    double turn[3];
} pose[] = {
    {"spine", {0, 8, 0}},      {"chest", {0, 10, 15}},   {"neck", {0, 5, 10}},    {"head", {18, -15, 35}},
    {"jaw", {0, 25, 0}},       {"arm.l", {-35, 0, 0}},   {"arm.r", {35, 0, 0}},   {"forearm.l", {0, 0, -60}},
    {"forearm.r", {0, 0, 60}}, {"thigh.l", {0, -50, 0}}, {"thigh.r", {0, 20, 0}}, {"shin.l", {0, 60, 0}},
    {"shin.r", {0, 15, 0}},    {"foot.l", {0, 15, 0}},   {"upper", {12, 0, 0}},   {"lower", {-55, 0, 0}},
    {"torso", {0, 0, -20}},    {"middle", {35, 0, 0}},   {"end", {45, 0, 0}},     {"spine2", {-20, 0, 0}},
    {"spine3", {-25, 0, 0}},   {"hip", {0, -10, 0}},     {"shin", {0, 20, 0}},    {"foot", {0, -20, 0}},
};

static const double* turn_of(const char* name) {
    static const double none[3] = {0};
    for (size_t i = 0; i < sizeof pose / sizeof pose[0]; i++) {
        if (strcmp(pose[i].name, name) == 0) return pose[i].turn;
    }
    return none;
}

static bool is_tip(const Figure* figure, uint32_t joint) {
    return strcmp(figure->names[joint], "tip_end") == 0;
}

// A joint and all below it; joints come in the order in which the frames list them.
static void write_joint(FILE* file, const Figure* figure, uint32_t joint, uint32_t* order, uint32_t* count) {
    uint32_t parent = figure->parents[joint];
    snVec3 offset = figure->places[joint];
    if (parent != SN_NONE) offset = sn_sub(offset, figure->places[parent]);
    if (is_tip(figure, joint))
        fprintf(file, "End Site {");
    else
        fprintf(file, "%s %s {", parent == SN_NONE ? "ROOT" : "JOINT", figure->names[joint]);
    fprintf(file, " OFFSET %.6f %.6f %.6f\n", (double)offset.x, (double)offset.y, (double)offset.z);
    if (!is_tip(figure, joint)) {
        fprintf(file, "CHANNELS 3 Zrotation Xrotation Yrotation\n");
        order[(*count)++] = joint;
    }
    for (uint32_t j = 0; j < figure->joint_count; j++) {
        if (figure->parents[j] == joint) write_joint(file, figure, j, order, count);
    }
    fprintf(file, "}\n");
}

static void write_skeleton(FILE* file, const Figure* figure) {
    uint32_t order[MOST_JOINTS], count = 0;
    fprintf(file, "HIERARCHY\n");
    write_joint(file, figure, 0, order, &count);
    fprintf(file, "MOTION\nFrames: 2\nFrame Time: 1\n");
    for (int frame = 0; frame < 2; frame++) {
        for (uint32_t i = 0; i < count; i++) {
            const double* turn = turn_of(figure->names[order[i]]);
            fprintf(file, "%g %g %g ", frame * turn[0], frame * turn[1], frame * turn[2]);
        }
        fprintf(file, "\n");
    }
}

static void write_mesh(FILE* file, const Figure* figure) {
    for (uint32_t i = 0; i < figure->solid.point_count; i++) {
        snVec3 p = figure->solid.points[i];
        fprintf(file, "v %.6f %.6f %.6f\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (size_t t = 0; t < figure->solid.triangle_count; t++) {
        const uint32_t* c = figure->solid.triangles + 3 * t;
        fprintf(file, "f %u %u %u\n", c[0] + 1, c[1] + 1, c[2] + 1);
    }
}

static void write_names(FILE* file, const Figure* figure) {
    for (uint32_t j = 0; j < figure->joint_count; j++) {
        if (figure->deforming[j]) fprintf(file, "%s\n", figure->names[j]);
    }
}

bool figure_write(const Figure* figure, const char* path) {
    static const struct {
        const char* ending;
        void (*write)(FILE* file, const Figure* figure);
    } kinds[] = {{"obj", write_mesh}, {"bvh", write_skeleton}, {"txt", write_names}};
    bool written = true;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char name[1024];
        snprintf(name, sizeof name, "%s.%s", path, kinds[k].ending);
        FILE* file = fopen(name, "w");
        if (file == NULL) return false;
        kinds[k].write(file, figure);
        written = fclose(file) == 0 && written;
    }
    return written;
}
