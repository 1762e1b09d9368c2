// sinew convert: a model from one format to another, nothing else changed.
#include <string.h>

#include "report.h"
#include "stance.h"
#include "verbs.h"

static cliExit convert(cliContext* context) {
    cliExit code = stance_apply(context);
    if (code != CLI_DONE) return code;
    const snModel* model = context_model(context);
    const char* output = cli_text(context->arguments, "output");
    snWriteDef def = sn_write_def();
    def.compress = cli_given(context->arguments, "compress");
    code = context_write(context, output, &def, false);
    if (code != CLI_DONE) return code;
    if (!context->json) {
        context_say(context, "wrote %s", output);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "input", sni_json_string(context->arguments->operands[0]));
    sni_json_set(object, "output", sni_json_string(output));
    sni_json_set(object, "parts", sni_json_uint(model->part_count));
    sni_json_set(object, "clips", sni_json_uint(model->clip_count));
    return report_print(context, object);
}

static cliExit run(const cliArguments* arguments) {
    cliExit code = context_output(arguments, ".glb .gltf .obj .bvh .snproject");
    // A model that turns leaves its document and takes its pictures along.
    bool turns = cli_given(arguments, "up") || cli_given(arguments, "facing");
    return code == CLI_DONE ? context_run(arguments, turns ? SN_IMAGES_ALL : SN_IMAGES_NONE, convert) : code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT", "file to write: .glb, .gltf, .obj, .bvh or .snproject", NULL, 0, 0},
    {"compress", 0, CLI_FLAG, NULL, "pack a glTF without loss, for viewers with EXT_meshopt_compression",
     NULL, 0, 0},
    CLI_STANCE_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew convert hero.gltf -o hero.glb",
                                       "sinew convert builtin:body -o body.obj",
                                       "sinew convert scan.stl --up z -o scan.glb", NULL};

const cliVerb verb_convert = {
    .name = "convert",
    .summary = "Read a model and write it in another format",
    .operands = "IN",
    .operand_min = 1,
    .operand_max = 1,
    .options = options,
    .common = CLI_JSON | CLI_QUIET | CLI_MEMORY | CLI_UNIT,
    .examples = examples,
    .notes = "glTF to glTF keeps materials, textures, cameras, extras and extensions.\n"
             "Nothing is rotated unless --up or --facing is given; auto finds the direction.",
    .run = run};
