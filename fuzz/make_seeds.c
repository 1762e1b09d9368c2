// Writes the first inputs of the fuzzers: make_seeds FOLDER. The library's own shapes through its own
// writers, and small hand-made files for what these do not use.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "project_seed.h"
#include "seeds.h"
#include "sinew/io.h"
#include "sinew/sinew.h"
#include "style_json.h"
#include "zip_archive.h"

const char* seed_path(const char* folder, const char* name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool write_model(const snModel* model, const char* folder, const char* stem) {
    static const char* const formats[] = {"glb", "gltf", "obj"};
    bool done = true;
    for (int i = 0; i < 3; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s/%s.%s", formats[i], stem, formats[i]);
        done = sn_model_write(model, seed_path(folder, name), NULL, NULL) == SN_RESULT_OK && done;
    }
    // A buffer beside the file is out of a memory reader's reach: it makes no seed.
    snNameList bins = {0};
    done = sn_folder_list(seed_path(folder, "gltf"), ".bin", NULL, &bins, NULL) == SN_RESULT_OK && done;
    for (uint32_t i = 0; i < bins.count; i++) {
        char bin[128];
        snprintf(bin, sizeof bin, "gltf/%s", bins.names[i]);
        remove(seed_path(folder, bin));
    }
    sn_name_list_free(&bins);
    return done;
}

static bool write_shapes(const char* folder) {
    snTubeDef def = sn_tube_def();
    def.sides = 4;
    def.rings = 3;
    def.segments = 2;
    snModel *tube = NULL, *cube = NULL, *sheet = NULL;
    bool done = sn_builtin_tube(&def, NULL, &tube, NULL) == SN_RESULT_OK &&
                sn_builtin_cube(1.0f, 1, true, NULL, &cube, NULL) == SN_RESULT_OK &&
                sn_builtin_sheet(1.0f, 2, false, NULL, &sheet, NULL) == SN_RESULT_OK;
    done = done && write_model(tube, folder, "tube") && write_model(cube, folder, "cube") &&
           write_model(sheet, folder, "sheet");
    sn_model_destroy(tube);
    sn_model_destroy(cube);
    sn_model_destroy(sheet);
    return done;
}

// A small style of everything.
static snStyle* make_style(uint32_t one) {
    uint16_t texels[6];
    const snVec2 keys[] = {{0, 1}, {0.5f, 0.5f}, {1, 1}};
    snStyle* style = NULL;
    bool done = sn_style_create("seed", NULL, &style, NULL) == SN_RESULT_OK;
    for (uint32_t i = 0; i < 6; i++) texels[i] = (uint16_t)(one / 4 * i);
    const snStyleTexture texture = {3, 2, one, texels};
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && done; d++) {
        done = sn_style_set_texture(style, d, &texture, NULL) == SN_RESULT_OK &&
               sn_style_set_curve(style, d, keys, 3, NULL) == SN_RESULT_OK;
    }
    if (done) return style;
    sn_style_destroy(style);
    return NULL;
}

static bool fill_styles(snSettings* settings) {
    snStyle* style = make_style(128);
    const snStyle* styles[] = {style};
    bool done = style != NULL && sn_settings_set_styles(settings, styles, 1, NULL) == SN_RESULT_OK;
    sn_style_destroy(style);
    return done;
}

// One thing in every list.
static bool fill_settings(snSettings* settings) {
    uint32_t vertices[] = {0, 2};
    snFleshRule rules[] = {
        {.bone = "*a?", .softness = 0.5f, .alpha = 1, .damping = 1, .force = 1, .color = 'r'},
        {.part = "p", .vertices = vertices, .vertex_count = 2, .softness = 2, .width = 1}};
    snProfileKey keys[] = {{0, 1}, {1, 0.5f}};
    snColliderDef collider = {"", {0, 0, 0}, {0, 1, 0}, 0.1f};
    snVolumeRule volume[] = {{"*", *sn_volume_preset_find("folds"), 1},
                             {"a?", *sn_volume_preset_find("sleeve"), 0.5f}};
    volume[1].profile.shares[0] = 0.5f; // no preset any more: written whole
    snVolumeKey breath[] = {{0, 1}, {1, 1.1f}, {2, 1}};
    snVolumeTarget target = {"*", true, 3, breath};
    snSplineRule spline = {"*", 5};
    snStyleRule style = {"a?", "seed", 1};
    return sn_settings_set_rules(settings, rules, 2, NULL) == SN_RESULT_OK &&
           sn_settings_set_spline_rules(settings, &spline, 1, NULL) == SN_RESULT_OK &&
           fill_styles(settings) && sn_settings_set_style_rules(settings, &style, 1, NULL) == SN_RESULT_OK &&
           sn_settings_set_volume_rules(settings, volume, 2, NULL) == SN_RESULT_OK &&
           sn_settings_set_volume_targets(settings, &target, 1, NULL) == SN_RESULT_OK &&
           sn_settings_set_profile(settings, keys, 2, NULL) == SN_RESULT_OK &&
           sn_settings_set_colliders(settings, &collider, 1, NULL) == SN_RESULT_OK;
}

static bool write_settings(const char* folder) {
    snSettings* settings = NULL;
    bool done =
        sn_settings_create(NULL, &settings, NULL) == SN_RESULT_OK && fill_settings(settings) &&
        sn_settings_write(settings, seed_path(folder, "settings/all.json"), NULL) == SN_RESULT_OK &&
        sn_settings_write_reference(seed_path(folder, "settings/reference.json"), NULL) == SN_RESULT_OK;
    sn_settings_destroy(settings);
    return done;
}

static bool write_profiles(const char* folder) {
    bool done = true;
    for (uint32_t i = 0; sn_volume_preset(i) != NULL && done; i++) {
        char name[80];
        snprintf(name, sizeof name, "profile/%s.json", sn_volume_preset(i)->name);
        done = sn_volume_profile_write(sn_volume_preset(i), seed_path(folder, name), NULL) == SN_RESULT_OK;
    }
    return done;
}

// style.json, a zero byte, and a picture: what the fuzzer takes for a folder.
static bool write_style_folder(const snStyle* style, const char* folder, const char* name) {
    const char* const textures[] = {"a.png", "a.png", NULL};
    sniBytes bytes = sni_bytes(&style->allocator);
    sniJsonValue* tree = sni_style_tree(style, textures);
    if (tree != NULL) sni_json_print(tree, true, &bytes);
    sni_json_free(tree);
    sni_bytes_add(&bytes, "", 1);
    bool done = tree != NULL &&
                sni_style_picture(&style->textures[0], "a.png", &bytes, NULL) == SN_RESULT_OK &&
                sn_file_write(seed_path(folder, name), bytes.data, bytes.size, NULL) == SN_RESULT_OK;
    sni_bytes_free(&bytes);
    return done;
}

static bool write_styles(const char* folder) {
    snStyle *eight = make_style(128), *sixteen = make_style(32768);
    bool done = eight != NULL && sixteen != NULL && write_style_folder(eight, folder, "style/8.style") &&
                write_style_folder(sixteen, folder, "style/16.style");
    done = done && sn_style_write(sixteen, NULL, seed_path(folder, "style/16.snstyle"), NULL) == SN_RESULT_OK;
    sn_style_destroy(eight);
    sn_style_destroy(sixteen);
    return done;
}

// A lattice of a few cells: small enough that a changed byte often hits a table. It carries settings too.
static bool write_bound(const char* folder) {
    snTubeDef tube = sn_tube_def();
    tube.sides = 4;
    tube.rings = 3;
    tube.segments = 2;
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_HEAT;
    def.cells = 3;
    snModel* model = NULL;
    snSettings* settings = NULL;
    bool done = sn_builtin_tube(&tube, NULL, &model, NULL) == SN_RESULT_OK &&
                sn_model_bind(model, &def, NULL, NULL) == SN_RESULT_OK &&
                sn_settings_create(NULL, &settings, NULL) == SN_RESULT_OK && fill_settings(settings);
    if (done)
        sn_model_set_settings(model, settings);
    else
        sn_settings_destroy(settings);
    done = done && write_model(model, folder, "bound");
    sn_model_destroy(model);
    return done;
}

static bool write_texts(const char* folder) {
    static const struct {
        const char *name, *text;
    } files[] = {
        {"gltf/embedded.gltf",
         "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"skin\":0,\"children\":[1]},"
         "{\"translation\":[0,1,0]}],\"skins\":[{\"joints\":[0,1]}],\"meshes\":[{\"primitives\":[{"
         "\"attributes\":"
         "{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"mode\":5}]}],\"accessors\":[{\"bufferView\":0,"
         "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"componentType\":5121,\"count\":3,"
         "\"type\":\"VEC4\"},{\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"}],"
         "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":"
         "\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}"},
        {"gltf/sparse.gltf",
         "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,"
         "1]}],"
         "\"meshes\":[{\"weights\":[0.5],\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{"
         "\"POSITION\":0}]}]}],"
         "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
         "\"indices\":"
         "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":1}}}],\"bufferViews\":[{"
         "\"buffer\":0,"
         "\"byteLength\":1},{\"buffer\":0,\"byteLength\":12}],\"buffers\":[{\"byteLength\":12,\"uri\":"
         "\"data:;base64,AACAPwAAgD8AAIA/\"}]}"},
        {"gltf/clip.gltf",
         "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"animations\":[{\"samplers\":[{\"input\":0,"
         "\"output\":1,"
         "\"interpolation\":\"CUBICSPLINE\"}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
         "\"translation\"}}]}],\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"},"
         "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}"},
        {"obj/odd.obj",
         "# odd\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1 \\\n 0\nvt 0 0\nvn 0 0 1\no a\ng b c\nusemtl m\n"
         "f 1/1/1 2//1 -1\nf 1 2 3 1 2\nl 1 2\n"},
        {"path/walk.json",
         "// walk\n{\"sinew_path\":1,\"fps\":24,\"heading\":0.5,\"objective\":{\"one\":0.2},\"terrain\":{"
         "\"kind\":\"steps\",\"height\":0.2,\"length\":0.5,\"edge\":0.1,\"steps\":3},\"walk\":{\"feet\":[{"
         "\"handle\":\"L\"},{\"handle\":\"R\",\"phase\":0.5}],\"line\":[[0,0],[0,3],[2,3]]},\"paths\":[{"
         "\"handle\":\"R\",\"contact\":true,\"keys\":[[0,0,0,0,0.5],[1,1,0.5,2],[2,0,0,3]]}]}"},
        {"path/keys.json",
         "{\"sinew_path\":1,\"loop\":true,\"keyframes\":[{\"time\":0,\"poses\":{\"a\":1},\"ease\":\"out\"},"
         "{\"time\":1,\"poses\":{\"a\":0.5,\"b\":0.5}},{\"time\":2,\"poses\":{\"a\":1}}]}"},
        {"pose/four.snpose",
         "// four\n{\"sinew_pose\":1,\"name\":\"four\",\"size\":2,\"steps\":["
         "{\"turn\":\"a\",\"axis\":[0,0,1],\"degrees\":45},"
         "{\"turn\":\"b\",\"frame\":\"a\",\"center\":\"d\",\"axis\":[1,2,3],\"degrees\":-7.5,\"with\":[\"d\"]"
         "},"
         "{\"move\":\"c\",\"by\":[0,-0.1,0],\"alone\":true},{\"move\":\"a\",\"by\":[1,0,0]}],"
         "\"mesh\":{\"vertices\":9,\"hash\":\"0123456789abcdef\"},"
         "\"details\":[\"1:0.5 2:-0.25\",\"7:1e-3\"]}"},
        {"rig/two.snrig",
         "// two\n{\"sinew_rig\":1,\"mesh\":{\"vertices\":9,\"hash\":\"0123456789abcdef\"},\"handles\":[{"
         "\"name\":\"a\",\"center\":[0,1,0],\"confidence\":0.5,\"followers\":[\"b\"],\"vertices\":[\"0-3 "
         "5\"],"
         "\"weights\":[{\"weight\":0.5,\"vertices\":[\"1-2\"]}]},{\"name\":\"b\",\"center\":[0,0,0],"
         "\"vertices\":[\"4\",\"6-8\"]}]}"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char* path = seed_path(folder, files[i].name);
        if (sn_file_write(path, files[i].text, strlen(files[i].text), NULL) != SN_RESULT_OK) return false;
    }
    return true;
}

// Settings and what a character is made of, as numbers without a pattern, and once in front of a file.
static bool write_stages(const char* folder) {
    uint32_t number = 1;
    for (uint32_t i = 0; i < 24; i++) {
        uint8_t bytes[600];
        char name[64];
        for (size_t k = 0; k < sizeof bytes; k++) {
            number = number * 1664525u + 1013904223u;
            bytes[k] = (uint8_t)(number >> 24);
        }
        snprintf(name, sizeof name, "stages/%u", i);
        if (sn_file_write(seed_path(folder, name), bytes, sizeof bytes, NULL) != SN_RESULT_OK) return false;
    }
    snTubeDef def = sn_tube_def();
    def.sides = 6;
    def.rings = 6;
    snModel* tube = NULL;
    snBytes file = {0};
    bool done = sn_builtin_tube(&def, NULL, &tube, NULL) == SN_RESULT_OK &&
                sn_model_write_memory(tube, "tube.glb", NULL, NULL, &file, NULL) == SN_RESULT_OK;
    snAllocator memory = sn_allocator_default();
    sniBytes seed = sni_bytes(&memory);
    sni_bytes_extend(&seed, 24);
    sni_bytes_add(&seed, file.data, file.size);
    done = done && !seed.failed &&
           sn_file_write(seed_path(folder, "stages/tube"), seed.data, seed.size, NULL) == SN_RESULT_OK;
    sni_bytes_free(&seed);
    sn_bytes_free(&file);
    sn_model_destroy(tube);
    return done;
}

// Entries stored and deflated.
static bool write_zip(const char* folder) {
    static const char zeros[200] = {0};
    const sniZipEntry entries[] = {
        {"a.json", "{}", 2, false}, {"b/", NULL, 0, false}, {"b/c.bin", zeros, sizeof zeros, true}};
    snAllocator memory = sn_allocator_default();
    sniBytes bytes = sni_bytes(&memory);
    bool done =
        sni_zip_write(entries, 3, &bytes, NULL) == SN_RESULT_OK &&
        sn_file_write(seed_path(folder, "zip/three.zip"), bytes.data, bytes.size, NULL) == SN_RESULT_OK;
    sni_bytes_free(&bytes);
    return done;
}

// Every entry of a small project by itself, behind its number.
static bool write_projects(const char* folder) {
    snAllocator memory = sn_allocator_default();
    snBytes project = {0};
    sniZip* zip = NULL;
    bool done = make_project_seed(&project) &&
                sni_zip_open(project.data, project.size, 32, &memory, &zip, NULL) == SN_RESULT_OK;
    for (uint32_t i = 0; done && i < sni_zip_count(zip); i++) {
        uint8_t* data = NULL;
        size_t size = 0;
        char name[64];
        const uint8_t number = (uint8_t)i;
        sniBytes seed = sni_bytes(&memory);
        snprintf(name, sizeof name, "project/%u", i);
        done = sni_zip_read(zip, sni_zip_name(zip, i), (size_t)1 << 24, &memory, &data, &size, NULL) ==
               SN_RESULT_OK;
        sni_bytes_add(&seed, &number, 1);
        if (done) sni_bytes_add(&seed, data, size);
        done = done && sn_file_write(seed_path(folder, name), seed.data, seed.size, NULL) == SN_RESULT_OK;
        sni_free(&memory, data);
        sni_bytes_free(&seed);
    }
    sni_zip_close(zip);
    sn_bytes_free(&project);
    return done;
}

static bool write_pictures(const char* folder) {
    for (uint32_t size = 1; size <= 9; size += 4) {
        snImage* image = NULL;
        if (sn_image_create(size, size, NULL, &image) != SN_RESULT_OK) return false;
        for (size_t i = 0; i < (size_t)size * size * 4; i++) image->pixels[i] = (uint8_t)(i * 31);
        char name[64];
        snprintf(name, sizeof name, "png/%u.png", size);
        snResult result = sn_png_write(image, seed_path(folder, name), NULL);
        sn_image_destroy(image);
        if (result != SN_RESULT_OK) return false;
    }
    return true;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds FOLDER\n");
        return 3;
    }
    static const char* const folders[] = {"",        "glb", "gltf",     "obj",   "png", "path",    "pose",
                                          "profile", "rig", "settings", "style", "zip", "project", "stages"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        mkdir(seed_path(argv[1], folders[i]), 0777);
    bool done = write_shapes(argv[1]) && write_bound(argv[1]) && write_settings(argv[1]) &&
                write_profiles(argv[1]) && write_styles(argv[1]) && write_texts(argv[1]) &&
                write_pictures(argv[1]) && write_zip(argv[1]) && write_projects(argv[1]) &&
                write_stages(argv[1]) && write_format_seeds(argv[1]);
    if (!done) fprintf(stderr, "make_seeds: cannot write into %s\n", argv[1]);
    return done ? 0 : 4;
}
