// Many motions on one character, in one file: each becomes a clip named after its file. One that fails is
// reported and left out; the others are written, and the exit code says that something is missing.
#include <stdio.h>
#include <string.h>

#include "animate.h"
#include "base/memory.h"
#include "io/folder.h"
#include "report.h"

// What is taken from a folder.
static const char* const KINDS[] = {".amc", ".bvh", ".fbx", ".glb", ".gltf"};

typedef struct Entry {
    char path[1024];
    char name[128]; // of the clip
    cliExit code;   // CLI_DONE: it became a clip
    uint32_t clip;
    cliMotion motion;
    snTake* take;
} Entry;

typedef struct Many {
    cliContext* context;
    uint32_t count;
    Entry* entries; // CLI_MAX_MOTIONS
    snTake** takes; // likewise; of those that became clips
    uint32_t made;
    cliBound bound;
    bool bare;
} Many;

enum { CLI_MAX_MOTIONS = 1024 };

bool animate_is_many(const cliArguments* a) {
    return !cli_given(a, "rig") &&
           (a->operand_count > 2 || (a->operand_count == 2 && sni_is_folder(a->operands[1])));
}

// ------------------------------------------------------------------------------------------------- the list

// The name of the file without folders and ending, counted where there is one of that name already.
static void name_entry(const Many* many, Entry* entry) {
    const char* slash = strrchr(entry->path, '/');
    const char* base = slash != NULL ? slash + 1 : entry->path;
    const char* dot = strrchr(base, '.');
    int length = dot != NULL && dot != base ? (int)(dot - base) : (int)strlen(base);
    uint32_t same = 0;
    snprintf(entry->name, sizeof entry->name, "%.*s", length, base);
    for (const Entry* e = many->entries; e < entry; e++) {
        const char* other = strrchr(e->path, '/');
        other = other != NULL ? other + 1 : e->path;
        same += strncmp(other, base, (size_t)length) == 0 && (other[length] == '.' || other[length] == '\0');
    }
    if (same > 0) snprintf(entry->name, sizeof entry->name, "%.*s_%u", length, base, same + 1);
}

static cliExit add_entry(Many* many, const char* folder, const char* file) {
    if (many->count == CLI_MAX_MOTIONS)
        return cli_usage(many->context->arguments->verb, "more than %d motions", CLI_MAX_MOTIONS);
    Entry* entry = &many->entries[many->count];
    size_t end = folder != NULL ? strlen(folder) : 0;
    while (end > 1 && folder[end - 1] == '/') end--;
    int length = folder != NULL ? snprintf(entry->path, sizeof entry->path, "%.*s/%s", (int)end, folder, file)
                                : snprintf(entry->path, sizeof entry->path, "%s", file);
    if (length < 0 || (size_t)length >= sizeof entry->path)
        return cli_usage(many->context->arguments->verb, "%.200s: the path is too long", file);
    name_entry(many, entry);
    many->count++;
    return CLI_DONE;
}

// All motions of a folder, by kind and name.
static cliExit add_folder(Many* many, const char* folder) {
    cliExit code = CLI_DONE;
    uint32_t before = many->count;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0] && code == CLI_DONE; k++) {
        snNameList list = {0};
        snError error = sn_error_none();
        if (sn_folder_list(folder, KINDS[k], &many->context->memory, &list, &error) != SN_RESULT_OK)
            return context_fail(many->context, &error);
        for (uint32_t i = 0; i < list.count && code == CLI_DONE; i++)
            code = add_entry(many, folder, list.names[i]);
        sn_name_list_free(&list);
    }
    if (code != CLI_DONE || many->count > before) return code;
    fprintf(stderr, "%s: there is no motion in this folder (.amc .bvh .fbx .glb .gltf)\n", folder);
    return CLI_BAD_INPUT;
}

static cliExit list_motions(Many* many) {
    const cliArguments* a = many->context->arguments;
    cliExit code = CLI_DONE;
    for (uint32_t i = 1; i < a->operand_count && code == CLI_DONE; i++)
        code = sni_is_folder(a->operands[i]) ? add_folder(many, a->operands[i])
                                             : add_entry(many, NULL, a->operands[i]);
    return code;
}

// --------------------------------------------------------------------------------------------------- clips

// One that fails has said why.
static void add_motion(Many* many, Entry* entry) {
    cliContext* context = many->context;
    snSource* motion = NULL;
    entry->code = context_source(context, entry->path, SN_IMAGES_NONE, &motion);
    if (entry->code == CLI_DONE && many->bare) entry->code = binding_bare(context, motion, &many->bound);
    if (entry->code == CLI_DONE) many->bare = false;
    if (entry->code == CLI_DONE)
        entry->code = motion_apply(context, motion, entry->name, &entry->clip, &entry->motion);
    sn_source_close(motion);
}

static cliExit make_take(Many* many, Entry* entry) {
    cliContext* context = many->context;
    snTakeDef def = sn_take_def();
    def.clip = entry->clip;
    def.fps = cli_number(context->arguments, "fps", 30);
    def.clock = context_clock;
    def.progress = context_listen(context);
    def.loop = cli_given(context->arguments, "loop-bake");
    if (many->made > 0) def.with = many->takes[0];
    snError error = sn_error_none();
    if (sn_take_create(context->document, &def, NULL, &entry->take, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    many->takes[many->made++] = entry->take;
    return CLI_DONE;
}

// -------------------------------------------------------------------------------------------------- report

static sniJsonValue* describe(const Many* many, const Entry* entry) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "file", sni_json_string(entry->path));
    if (entry->code != CLI_DONE) return object;
    const snTakeReport* take = sn_take_report(entry->take);
    sni_json_set(object, "clip", sni_json_string(context_model(many->context)->clips[entry->clip]->name));
    sni_json_set(object, "frames", sni_json_uint(take->frames));
    sni_json_set(object, "fps", sni_json_real((double)take->fps));
    sni_json_set(object, "hash", report_hash(take->hash));
    motion_report(&entry->motion, object);
    return object;
}

static cliExit report_many(const Many* many, const char* output) {
    uint32_t failed = many->count - many->made;
    if (!many->context->json) {
        context_say(many->context, "wrote %s: %u clip%s", output, many->made, many->made == 1 ? "" : "s");
        bake_say_take(many->context, context_model(many->context), many->takes[0]);
        for (uint32_t i = 0; i < many->count && failed > 0; i++)
            if (many->entries[i].code != CLI_DONE)
                context_say(many->context, "left out: %s", many->entries[i].path);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sniJsonValue *clips = sni_json_array(), *missing = sni_json_array();
    for (uint32_t i = 0; i < many->count; i++)
        sni_json_add(many->entries[i].code == CLI_DONE ? clips : missing, describe(many, &many->entries[i]));
    sni_json_set(object, "output", sni_json_string(output));
    sni_json_set(object, "clips", clips);
    sni_json_set(object, "failed", missing);
    bake_report_take(context_model(many->context), many->takes[0], object);
    return report_print(many->context, object);
}

// ------------------------------------------------------------------------------------------------------ all

static cliExit write_many(Many* many, const snSettings* settings, const char* output) {
    const cliArguments* a = many->context->arguments;
    bool beyond = sn_settings_beyond_skin(settings, context_model(many->context));
    snBakeTarget target = bake_target(a, beyond ? SN_BAKE_JOINTS : SN_BAKE_SKIN);
    cliExit code = bake_check(a, target);
    if (code != CLI_DONE) return code;
    snNotes notes = {0};
    snTakeWriteDef def = bake_options(a, target, &notes);
    snError error = sn_error_none();
    if (sn_takes_write(many->takes, many->made, output, &def, &error) != SN_RESULT_OK)
        return context_fail(many->context, &error);
    context_say_notes(many->context, output, "note: ", &notes);
    return report_many(many, output);
}

static cliExit run_many(Many* many) {
    cliContext* context = many->context;
    cliExit code = list_motions(many), worst = CLI_DONE;
    snSettings* settings = NULL;
    for (uint32_t i = 0; i < many->count && code == CLI_DONE; i++) {
        add_motion(many, &many->entries[i]);
        cliExit one = many->entries[i].code;
        if (one == CLI_USAGE || context_interrupted || context_late) code = one;
        if (one > worst) worst = one;
    }
    if (code == CLI_DONE) code = deformation_settings(context, &settings);
    if (code == CLI_DONE) code = deformation_use(context, settings);
    for (uint32_t i = 0; i < many->count && code == CLI_DONE; i++)
        if (many->entries[i].code == CLI_DONE) code = make_take(many, &many->entries[i]);
    if (code == CLI_DONE && many->made > 0)
        code = write_many(many, settings, cli_text(context->arguments, "output"));
    sn_settings_destroy(settings);
    return code != CLI_DONE ? code : worst;
}

cliExit animate_many(cliContext* context) {
    const char* output = cli_text(context->arguments, "output");
    if (!path_has_extension(output, ".glb") && !path_has_extension(output, ".gltf"))
        return cli_usage(context->arguments->verb, "%s: several motions go into one .glb or .gltf", output);
    Many many = {.context = context,
                 .entries = SNI_NEW_ARRAY(&context->memory, Entry, CLI_MAX_MOTIONS),
                 .takes = SNI_NEW_ARRAY(&context->memory, snTake*, CLI_MAX_MOTIONS),
                 .bare =
                     context_model(context)->part_count > 0 && !sn_document_has_skeleton(context->document)};
    cliExit code =
        many.entries != NULL && many.takes != NULL ? run_many(&many) : context_fail_memory(context);
    for (uint32_t i = 0; i < many.count; i++) {
        sn_take_destroy(many.entries[i].take);
        motion_free(&many.entries[i].motion);
    }
    binding_free(&many.bound);
    sni_free(&context->memory, many.entries);
    sni_free(&context->memory, (void*)many.takes);
    return code;
}
