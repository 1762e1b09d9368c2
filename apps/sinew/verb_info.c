// sinew info: what is in a file.
#include <stdio.h>
#include <string.h>

#include "info_files.h"
#include "report.h"
#include "verbs.h"

// ------------------------------------------------------------------------------------------------- JSON

static void set_counts(sniJsonValue* object, const snMeshCensus* m) {
    sni_json_set(object, "vertices", sni_json_uint(m->vertices));
    sni_json_set(object, "vertices_welded", sni_json_uint(m->welded));
    sni_json_set(object, "faces", sni_json_uint(m->faces));
    sni_json_set(object, "triangles", sni_json_uint(m->triangles));
    sni_json_set(object, "quads", sni_json_uint(m->quads));
    sni_json_set(object, "larger_faces", sni_json_uint(m->larger));
    sni_json_set(object, "components", sni_json_uint(m->components));
    sni_json_set(object, "closed", sni_json_bool(m->closed));
    sni_json_set(object, "manifold", sni_json_bool(m->manifold));
    sni_json_set(object, "oriented", sni_json_bool(m->oriented));
    sni_json_set(object, "boundary_edges", sni_json_uint(m->boundary_edges));
    sni_json_set(object, "nonmanifold_edges", sni_json_uint(m->bad_edges));
    sni_json_set(object, "nonmanifold_vertices", sni_json_uint(m->bad_points));
    sni_json_set(object, "morphs", sni_json_uint(m->morphs));
    sni_json_set(object, "max_influences", sni_json_uint(m->influences));
    sni_json_set(object, "volume", sni_json_real(m->volume));
}

static sniJsonValue* list_parts(const snModel* model, const snCensus* census) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < census->mesh_count; i++) {
        const snMeshCensus* mesh = &census->meshes[i];
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "name", sni_json_string(model->parts[mesh->part].name));
        sni_json_set(object, "instances", sni_json_uint(mesh->instances));
        set_counts(object, mesh);
        sni_json_add(list, object);
    }
    return list;
}

static sniJsonValue* list_skins(const snModel* model) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < model->skin_count; i++) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "name", sni_json_string(model->skins[i].name));
        sni_json_set(object, "joints", sni_json_uint(model->skins[i].joint_count));
        sni_json_add(list, object);
    }
    return list;
}

static sniJsonValue* list_clips(const snModel* model) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < model->clip_count; i++) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "name", sni_json_string(model->clips[i]->name));
        sni_json_set(object, "duration", sni_json_real((double)model->clips[i]->duration));
        sni_json_set(object, "channels", sni_json_uint(model->clips[i]->channel_count));
        sni_json_set(object, "keys", sni_json_uint(sn_clip_keys(model->clips[i])));
        sni_json_add(list, object);
    }
    return list;
}

static sniJsonValue* describe_lattice(const snBinding* binding) {
    const snLattice* lattice = binding->lattice;
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "cells", sni_json_uint(lattice->cell_count));
    sni_json_set(object, "duplicated_cells", sni_json_uint(lattice->duplicated_cell_count));
    sni_json_set(object, "particles", sni_json_uint(lattice->particle_count));
    sni_json_set(object, "pieces", sni_json_uint(lattice->piece_count));
    sni_json_set(object, "cell_size", sni_json_real((double)lattice->cell_size));
    sni_json_set(object, "joints", sni_json_uint(binding->joint_count));
    sni_json_set(object, "influences", sni_json_uint(binding->particles.influences));
    return object;
}

// Which joints wear them is for the rules to say.
static sniJsonValue* list_styles(const snSettings* settings) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t s = 0; s < settings->style_count; s++) {
        sniJsonValue *object = sni_json_object(), *joints = sni_json_array();
        for (uint32_t r = 0; r < settings->style_rule_count; r++)
            if (strcmp(settings->style_rules[r].style, settings->styles[s]->name) == 0)
                sni_json_add(joints, sni_json_string(settings->style_rules[r].joint));
        sni_json_set(object, "name", sni_json_string(settings->styles[s]->name));
        sni_json_set(object, "joints", joints);
        sni_json_add(list, object);
    }
    return list;
}

// What a project holds beside the character.
static sniJsonValue* list_sources(const snDocument* document) {
    sniJsonValue* list = sni_json_array();
    const snSource* source = NULL;
    for (uint32_t i = 0; (source = sn_document_source(document, i)) != NULL; i++) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "name", sni_json_string(sn_source_name(source)));
        sni_json_set(object, "clips", sni_json_uint(sn_source_model(source)->clip_count));
        sni_json_add(list, object);
    }
    return list;
}

static void print_sources(const snDocument* document) {
    const snSource* source = NULL;
    printf("  %-12s", "sources");
    for (uint32_t i = 0; (source = sn_document_source(document, i)) != NULL; i++)
        printf("%s %s", i > 0 ? "," : "", sn_source_name(source));
    putchar('\n');
}

static bool is_project(const cliContext* context) {
    return path_has_extension(context->arguments->operands[0], ".snproject");
}

static cliExit print_json(const cliContext* context, const snModel* model, const snCensus* census) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "file", sni_json_string(context->arguments->operands[0]));
    set_counts(object, &census->total);
    sni_json_set(object, "bounds", report_bounds(census->world));
    sni_json_set(object, "bounds_local", report_bounds(census->local));
    sni_json_set(object, "nodes", sni_json_uint(model->skeleton->joint_count));
    sni_json_set(object, "joints", sni_json_uint(census->joints));
    sni_json_set(object, "skins", list_skins(model));
    sni_json_set(object, "clips", list_clips(model));
    if (model->binding != NULL) sni_json_set(object, "lattice", describe_lattice(model->binding));
    sniJsonValue* materials = sni_json_array();
    for (uint32_t i = 0; i < model->material_count; i++)
        sni_json_add(materials, sni_json_string(model->materials[i].name));
    sni_json_set(object, "materials", materials);
    if (model->settings != NULL) sni_json_set(object, "styles", list_styles(model->settings));
    if (is_project(context)) {
        sni_json_set(object, "sources", list_sources(context->document));
        sni_json_set(object, "styles", list_styles(sn_document_settings(context->document)));
        sni_json_set(object, "hash", report_hash(sn_document_hash(context->document)));
    }
    sni_json_set(object, "parts", list_parts(model, census));
    sniJsonValue* notes = sni_json_array();
    for (uint32_t i = 0; i < context->notes.count && i < 16; i++)
        sni_json_add(notes, sni_json_string(context->notes.text[i]));
    sni_json_set(object, "notes", notes);
    return report_print(context, object);
}

// ------------------------------------------------------------------------------------------------ people

static const char* yes(bool value) { return value ? "yes" : "no"; }

static void print_size(const char* label, snBounds b) {
    if (!(b.min.x <= b.max.x)) return;
    printf("  %-12s %.4g x %.4g x %.4g, from (%.4g, %.4g, %.4g)\n", label, (double)(b.max.x - b.min.x),
           (double)(b.max.y - b.min.y), (double)(b.max.z - b.min.z), (double)b.min.x, (double)b.min.y,
           (double)b.min.z);
}

static void print_surface(const snCensus* census) {
    const snMeshCensus* t = &census->total;
    printf("  %-12s %u (%u placed)\n", "meshes", census->mesh_count, t->instances);
    printf("  %-12s %u, %u after welding\n", "vertices", t->vertices, t->welded);
    printf("  %-12s %u: %u triangles, %u quads, %u larger\n", "faces", t->faces, t->triangles, t->quads,
           t->larger);
    printf("  %-12s %u; closed: %s", "components", t->components, yes(t->closed));
    if (t->boundary_edges > 0) printf(" (%u boundary edges)", t->boundary_edges);
    printf("; manifold: %s", yes(t->manifold));
    if (!t->manifold) printf(" (%u edges, %u vertices)", t->bad_edges, t->bad_points);
    printf("; oriented: %s\n", yes(t->oriented));
    print_size("size", census->world);
    print_size("mesh space", census->local);
    printf("  %-12s %.6g%s\n", "volume", t->volume, t->closed ? "" : " (not closed)");
}

static void print_styles(const snSettings* settings) {
    if (settings->style_count == 0) return;
    printf("  %-12s", "styles");
    for (uint32_t s = 0; s < settings->style_count; s++)
        printf("%s %s", s > 0 ? "," : "", settings->styles[s]->name);
    putchar('\n');
}

static void print_rig(const snModel* model, const snCensus* census) {
    if (model->part_count > 0) {
        printf("  %-12s %u in %u skin%s, at most %u weights a vertex\n", "joints", census->joints,
               model->skin_count, model->skin_count == 1 ? "" : "s", census->total.influences);
    } else {
        printf("  %-12s %u\n", "joints", census->joints);
    }
    if (model->binding != NULL) {
        const snLattice* lattice = model->binding->lattice;
        printf("  %-12s %u cells (%u of them copies) of %.4g, %u particles, %u joint%s\n", "lattice",
               lattice->cell_count, lattice->duplicated_cell_count, (double)lattice->cell_size,
               lattice->particle_count, model->binding->joint_count,
               model->binding->joint_count == 1 ? "" : "s");
    }
    if (census->total.morphs > 0) printf("  %-12s %u\n", "morphs", census->total.morphs);
    if (model->material_count > 0) printf("  %-12s %u\n", "materials", model->material_count);
    if (model->settings != NULL) print_styles(model->settings);
    printf("  %-12s %u\n", "clips", model->clip_count);
    for (uint32_t i = 0; i < model->clip_count; i++)
        printf("    %3u  %-32s %7.3f s  %u channels, %u keys\n", i, model->clips[i]->name,
               (double)model->clips[i]->duration, model->clips[i]->channel_count,
               sn_clip_keys(model->clips[i]));
}

static cliExit describe(cliContext* context) {
    const snModel* model = context_model(context);
    snCensus* census = NULL;
    snError error = sn_error_none();
    snProgress progress = context_listen(context);
    if (sn_document_census(context->document, &progress, &context->memory, &census, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = CLI_DONE;
    if (context->json) {
        code = print_json(context, model, census);
    } else {
        printf("%s\n", context->arguments->operands[0]);
        if (is_project(context)) print_sources(context->document);
        if (model->part_count > 0) print_surface(census);
        print_rig(model, census);
    }
    sn_census_destroy(census);
    return code;
}

// What the importer's sandbox does here. A check that fails where something got through.
static cliExit describe_sandbox(const cliArguments* arguments) {
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    snSandbox sandbox;
    snError error = sn_error_none();
    if (sn_importer_sandbox(NULL, &context.memory, &sandbox, &error) != SN_RESULT_OK) {
        code = context_fail(&context, &error);
    } else {
        for (uint32_t i = 0; i < sandbox.count; i++) {
            printf("%-9s %s\n", sandbox.acts[i].refused ? "refused" : "possible", sandbox.acts[i].act);
            if (!sandbox.acts[i].refused) code = CLI_CHECK_FAILED;
        }
        if (sandbox.missing[0] != '\0') printf("this kernel has no %s\n", sandbox.missing);
    }
    context_close(&context);
    return code;
}

static cliExit run(const cliArguments* arguments) {
    if (cli_given(arguments, "sandbox")) return describe_sandbox(arguments);
    if (arguments->operand_count == 0) return cli_usage(arguments->verb, "FILE is missing");
    if (!info_is_file(arguments->operands[0])) return context_run(arguments, SN_IMAGES_NONE, describe);
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    code = info_file(&context, arguments->operands[0]);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"sandbox", 0, CLI_FLAG, NULL,
     "list what the sandbox forbids the importer of .fbx and other formats here", NULL, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0}};

static const char* const examples[] = {"sinew info hero.glb",
                                       "sinew info hero.glb --json",
                                       "sinew info builtin:body",
                                       "sinew info hero.snrig",
                                       "sinew info wave.snpose",
                                       "sinew info hero.snproject",
                                       NULL};

const cliVerb verb_info = {
    .name = "info",
    .summary = "List the contents of a model (counts, topology, size, skins, clips), project, rig, pose or "
               "path file",
    .operands = "FILE",
    .operand_max = 1,
    .options = options,
    .common = CLI_JSON | CLI_QUIET | CLI_MEMORY | CLI_UNIT,
    .examples = examples,
    .notes = "Counts are per mesh, each mesh once however often it is placed. "
             "Components, closed and manifold hold\n"
             "after vertices of a mesh at one place (within 1e-6 of its size) are joined. Size "
             "and volume are those of the rest\n"
             "pose in world space. Rigs (.snrig), poses (.snpose) and path files "
             "(.json) are told apart by what they say.",
    .run = run};
