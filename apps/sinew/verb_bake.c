// sinew bake: points that another program made, as joints or morph targets of a character.
#include <stdio.h>
#include <string.h>

#include "bake.h"
#include "base/memory.h"
#include "report.h"
#include "verbs.h"

typedef struct Bake {
    cliContext* context;
    const char* output;
    snBakeTarget target;
    uint32_t cache_count;
    snPointCache* caches[CLI_MAX_OPERANDS];
    snCachePlayer* player;
    snTakeDef plan;
    snTake* take;
} Bake;

static cliExit read_caches(Bake* b) {
    const cliArguments* a = b->context->arguments;
    snReadDef def = sn_read_def();
    def.allocator = &b->context->memory;
    def.unit = cli_number(a, "unit", 1);
    def.memory_limit = b->context->budget.limit;
    def.progress = context_listen(b->context);
    for (uint32_t i = 0; i < a->operand_count; i++) {
        snError error = sn_error_none();
        if (sn_point_cache_read(a->operands[i], &def, &b->caches[i], &error) != SN_RESULT_OK)
            return context_fail(b->context, &error);
        b->cache_count++;
    }
    return CLI_DONE;
}

// What the character's own joints play meanwhile.
static cliExit choose_clip(Bake* b) {
    const char* name = cli_text(b->context->arguments, "clip");
    const snModel* model = context_model(b->context);
    b->plan.clip = SN_CLIP_REST;
    if (name != NULL && strcmp(name, "none") == 0 && sn_model_find_clip(model, name) == SN_NONE)
        return CLI_DONE;
    return context_clip(b->context, model, &b->plan.clip);
}

// Meshes without a cache, the first few by name.
static void say_plain(const Bake* b) {
    const snModel* model = context_model(b->context);
    uint32_t count = sn_cache_player_plain_count(b->player), said = 0;
    char names[256] = "";
    size_t length = 0;
    if (count == 0) return;
    for (uint32_t p = 0; p < model->part_count && said < 4; p++) {
        if (sn_cache_player_has(b->player, p) || model->parts[p].mesh->vertex_count == 0) continue;
        int more = snprintf(names + length, sizeof names - length, "%s%.40s", said++ > 0 ? ", " : "",
                            model->parts[p].name);
        length += more > 0 ? (size_t)more : 0;
    }
    context_say(b->context, "note: %u mesh%s without a cache keep%s the plain skin: %s%s", count,
                count == 1 ? "" : "es", count == 1 ? "s" : "", names, said < count ? " ..." : "");
}

static cliExit make_take(Bake* b) {
    snError error = sn_error_none();
    b->plan = sn_take_def();
    cliExit code = choose_clip(b);
    if (code != CLI_DONE) return code;
    float fps = cli_number(b->context->arguments, "fps", 0);
    if (sn_cache_player_create(b->context->document, (const snPointCache* const*)b->caches, b->cache_count,
                               b->plan.clip, fps, &b->player, &error) != SN_RESULT_OK)
        return context_fail(b->context, &error);
    say_plain(b);
    sn_cache_player_plan(b->player, &b->plan);
    b->plan.progress = context_listen(b->context);
    snTakeSource source = sn_cache_player_source(b->player);
    if (sn_take_create(b->context->document, &b->plan, &source, &b->take, &error) != SN_RESULT_OK)
        return context_fail(b->context, &error);
    return CLI_DONE;
}

static cliExit write(Bake* b) {
    snError error = sn_error_none();
    snNotes notes = {0};
    snTakeWriteDef def = bake_options(b->context->arguments, b->target, &notes);
    if (sn_take_write(b->take, b->output, &def, &error) != SN_RESULT_OK)
        return context_fail(b->context, &error);
    context_say_notes(b->context, b->output, "note: ", &notes);
    return CLI_DONE;
}

static cliExit report(const Bake* b) {
    const snModel* model = context_model(b->context);
    const snTakeReport* made = sn_take_report(b->take);
    if (!b->context->json) {
        context_say(b->context, "wrote %s: %u frames", b->output, made->frames);
        bake_say_take(b->context, model, b->take);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(b->output));
    sni_json_set(object, "fps", sni_json_real((double)made->fps));
    sni_json_set(object, "frames", sni_json_uint(made->frames));
    bake_report_take(model, b->take, object);
    return report_print(b->context, object);
}

static cliExit bake(cliContext* context) {
    Bake b = {.context = context,
              .output = cli_text(context->arguments, "output"),
              .target = bake_target(context->arguments, SN_BAKE_JOINTS)};
    cliExit code = bake_check(context->arguments, b.target);
    if (code == CLI_DONE) code = read_caches(&b);
    if (code == CLI_DONE) code = make_take(&b);
    if (code == CLI_DONE) code = write(&b);
    if (code == CLI_DONE) code = report(&b);
    sn_take_destroy(b.take);
    sn_cache_player_destroy(b.player);
    for (uint32_t i = 0; i < b.cache_count; i++) sn_point_cache_destroy(b.caches[i]);
    return code;
}

static cliExit run(const cliArguments* arguments) {
    const char* onto = cli_text(arguments, "onto");
    if (onto == NULL)
        return cli_usage(arguments->verb,
                         "--onto CHARACTER is missing: the character to which the points belong");
    cliExit code = context_output(arguments, ".glb .gltf");
    if (code != CLI_DONE) return code;
    cliContext context = {0};
    code = context_open(&context, arguments);
    if (code == CLI_DONE) code = context_character(&context, onto, SN_IMAGES_NONE);
    if (code == CLI_DONE) code = bake(&context);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT", "model.glb or .gltf", NULL, 0, 0},
    {"onto", 0, CLI_FILE, "CHARACTER", "the character to which the points belong", NULL, 0, 0},
    {"clip", 0, CLI_TEXT, "NAME",
     "clip that the joints play, by name or number (default: the first); none: rest pose", NULL, 0, 0},
    {"fps", 0, CLI_NUMBER, "RATE", "frames per second (default: the file's, else 30)", NULL, 0.1f,
     CLI_MAX_FPS},
    {"target", 0, CLI_CHOICE, "WHAT", "helper joints (default), morph targets, or both", "joints|morph|both",
     0, 0},
    CLI_BAKE_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew bake cloth.pc2 --onto hero.glb -o out.glb",
    "sinew bake body.mdd hat.mdd --onto hero.glb --clip Run --helpers 96 -o out.glb",
    "sinew bake face.pc2 --onto head.glb --clip none --target morph -o out.glb", NULL};

const cliVerb verb_bake = {
    .name = "bake",
    .summary = "Convert point caches of other programs to helper joints of a character",
    .operands = "CACHE [CACHE ...]",
    .operand_min = 1,
    .operand_max = CLI_MAX_OPERANDS,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "CACHE is .pc2 or .mdd. Several caches follow each other: together they hold the vertices of\n"
        "all meshes of the character, in the order of the file. Or each belongs to one mesh, the one with "
        "as\n"
        "many vertices; meshes without a cache keep the plain skin. The character keeps its joints and its\n"
        "clip; the difference between points and skin becomes helper joints (docs/bake.md).",
    .run = run};
