// Small files of the formats that Sinew mostly reads.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "byte_order.h"
#include "import_stream.h"
#include "seeds.h"
#include "sinew/io.h"
#include "sinew/sinew.h"

static bool write_file(const char* folder, const char* name, const void* data, size_t size) {
    return sn_file_write(seed_path(folder, name), data, size, NULL) == SN_RESULT_OK;
}

#define ASF                                                                                                  \
    "# arm\n:version 1.10\n:units\n mass 1\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n"     \
    " axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n id 1\n name a\n direction 1 0 0\n"  \
    " length 2\n axis 0 0 20 XYZ\n dof rx rz\n limits (-1 1)\n (-1 1)\n end\n begin\n name b\n"              \
    " direction 0 1 0\n length 1\n dof l\n end\n:hierarchy\n begin\n root a\n a b\n end\n"
#define AMC ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\na 7 8\nb 9\n2\nroot 0 0 0 0 0 0\na 0 0\nb 0\n"

static bool write_texts(const char* folder) {
    static const struct {
        const char *name, *text;
    } files[] = {
        {"bvh/two.bvh",
         "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
         "Yrotation\nJOINT b c\n{\nOFFSET 0 2 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
         "Site\n{\nOFFSET 0 "
         "3 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: .25\n0 0 0 0 0 0 0 0 0\n5 6 7 90 0 0 0 90 0\n"},
        {"bvh/odd.bvh", "hierarchy root a { offset 1 2 3\rchannels 2 yposition xscale\r}\rROOT b\r{ OFFSET 4 "
                        "5 6\rCHANNELS 0\r}"
                        "\rmotion\rframes : 1\rframe time:1\r9 1\r"},
        {"asf/arm.asf", ASF},
        {"amc/arm.amc", ASF "\n----\n" AMC},
        {"off/quad.off", "OFF # a quad\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 1 2 255 0 0\n"},
        {"off/all.off", "STCNOFF 3 1 3\n0 0 0 0 0 1 1 0 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n"
                        "0 1 0 0 0 1 0 0 0 0 1 1\n3 0 1 2\n"},
        {"ply/text.ply", "ply\nformat ascii 1.0\ncomment c\nelement vertex 3\nproperty float x\nproperty "
                         "float y\nproperty float "
                         "z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nproperty float "
                         "s\nproperty float t\n"
                         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 1 2 3 0 "
                         "0\n1 0 0 1 2 3 0 0\n"
                         "0 1 0 1 2 3 1 1\n3 0 1 2\n"},
        {"stl/text.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
                         "0\nendloop\nendfacet\nendsolid a\n"},
        {"mhskel/two.txt",
         "{\"bones\":{\"b\":{\"head\":\"m\",\"parent\":\"a\"},\"a\":{\"head\":\"l\",\"parent\":"
         "null}},\"joints\":{\"l\":[0],\"m\":[1,2]}}\n----\n{\"weights\":{\"a\":[[0,1],[1,0.5]],"
         "\"b\":[[1,0.5],[2,1]]}}\n----\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\ng body\n"
         "f 1/1 2/1 3/1\ng other\nf 3 2 1\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!write_file(folder, files[i].name, files[i].text, strlen(files[i].text))) return false;
    }
    return true;
}

static bool write_binary_meshes(const char* folder) {
    uint8_t stl[84 + 50] = {0};
    sni_store_u32(stl + 80, 1, false);
    sni_store_f32(stl + 84 + 24, 1.0f, false);
    sni_store_f32(stl + 84 + 40, 1.0f, false);
    bool done = write_file(folder, "stl/binary.stl", stl, sizeof stl);
    for (int big = 0; big < 2; big++) {
        uint8_t ply[512];
        int length = snprintf((char*)ply, sizeof ply,
                              "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty float x\n"
                              "property double y\nproperty short z\nproperty list uchar short tags\n"
                              "element face 1\nproperty list uchar uint vertex_index\nend_header\n",
                              big ? "big" : "little");
        size_t size = (size_t)length + 3 * (4 + 8 + 2 + 1 + 2) + 1 + 12;
        memset(ply + length, 0, size - (size_t)length);
        for (size_t v = 0; v < 3; v++) {
            uint8_t* row = ply + length + v * 17;
            sni_store_f32(row, (float)v, big);
            row[14] = 1; // one tag
        }
        ply[length + 51] = 3;
        for (uint32_t c = 0; c < 3; c++) sni_store_u32(ply + length + 52 + 4 * c, c, big);
        done = done && write_file(folder, big ? "ply/big.ply" : "ply/little.ply", ply, size);
    }
    return done;
}

// The fuzzer's first byte chooses the format.
static bool write_caches(const char* folder) {
    snVec3 points[4] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
    snPointCache cache = {.point_count = 2, .frame_count = 2, .fps = 24, .points = points};
    static const char* const names[] = {"cache/a.pc2", "cache/a.mdd"};
    for (int i = 0; i < 2; i++) {
        uint8_t data[256] = {(uint8_t)i};
        if (sn_point_cache_write(&cache, seed_path(folder, names[i]), NULL) != SN_RESULT_OK) return false;
        FILE* file = fopen(seed_path(folder, names[i]), "rb");
        if (file == NULL) return false;
        size_t size = fread(data + 1, 1, sizeof data - 1, file);
        fclose(file);
        if (!write_file(folder, names[i], data, size + 1)) return false;
    }
    return true;
}

static bool write_motion(const char* folder) {
    snTubeDef def = sn_tube_def();
    snModel* tube = NULL;
    if (sn_builtin_tube(&def, NULL, &tube, NULL) != SN_RESULT_OK) return false;
    snResult result = sn_model_write(tube, seed_path(folder, "bvh/tube.bvh"), NULL, NULL);
    sn_model_destroy(tube);
    return result == SN_RESULT_OK;
}

// What the importer answers, without its head.
static bool write_answer(const char* folder) {
    snTubeDef def = sn_tube_def();
    def.sides = 3;
    def.rings = 2;
    def.segments = 2;
    snModel* model = NULL;
    if (sn_builtin_tube(&def, NULL, &model, NULL) != SN_RESULT_OK) return false;
    snAllocator memory = sn_allocator_default();
    sniBytes answer = sni_bytes(&memory);
    sni_stream_write(model, &(snNotes){.count = 1, .text = {"a note"}}, &answer);
    bool done = !answer.failed && write_file(folder, "import/tube", answer.data + SNI_STREAM_HEAD,
                                             answer.size - SNI_STREAM_HEAD);
    sni_bytes_free(&answer);
    sn_model_destroy(model);
    return done;
}

bool write_format_seeds(const char* folder) {
    static const char* const folders[] = {"bvh", "asf",   "amc",    "off",   "ply",
                                          "stl", "cache", "mhskel", "import"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        mkdir(seed_path(folder, folders[i]), 0777);
    return write_texts(folder) && write_binary_meshes(folder) && write_caches(folder) &&
           write_motion(folder) && write_answer(folder);
}
