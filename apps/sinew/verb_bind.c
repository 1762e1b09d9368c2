// sinew bind: a skin and a lattice for a mesh and a skeleton.
#include <stdio.h>
#include <string.h>

#include "binding.h"
#include "report.h"
#include "verbs.h"

static cliExit check(const cliArguments* a) {
    bool keep = cli_given(a, "keep-weights");
    if (keep && (cli_given(a, "weights") || cli_given(a, "joints") || cli_given(a, "fit-joints") ||
                 cli_given(a, "skeleton")))
        return cli_usage(a->verb, "--keep-weights keeps the file's own skin; --skeleton, --joints, --weights "
                                  "and --fit-joints replace it");
    cliExit code = binding_check(a);
    return code == CLI_DONE ? context_output(a, ".glb .gltf .snproject") : code;
}

static cliExit prepare(cliContext* context, cliBound* bound) {
    const cliArguments* a = context->arguments;
    const char* skeleton = cli_text(a, "skeleton");
    if (context_model(context)->part_count == 0) {
        fprintf(stderr, "%s: there is no mesh in this file, only a skeleton\n", a->operands[0]);
        return CLI_BAD_INPUT;
    }
    if (skeleton != NULL) {
        snSource* joints = NULL;
        cliExit code = context_source(context, skeleton, SN_IMAGES_NONE, &joints);
        if (code == CLI_DONE) code = binding_join(context, joints, cli_given(a, "fit-joints"), bound);
        sn_source_close(joints);
        return code;
    }
    if (!sn_document_has_skeleton(context->document)) {
        fprintf(stderr, "%s: there is no skeleton in this file; --skeleton FILE names one\n", a->operands[0]);
        return CLI_BAD_INPUT;
    }
    cliExit code = stance_apply(context);
    return code == CLI_DONE && cli_given(a, "fit-joints") ? binding_refit(context, bound) : code;
}

static cliExit report(const cliContext* context, const cliBound* bound) {
    const char* output = cli_text(context->arguments, "output");
    if (!context->json) {
        if (bound->fit.clips_left > 0)
            context_say(
                context, "the clips of %s are left out: sinew animate %s %s brings them onto the new joints",
                cli_text(context->arguments, "skeleton"), output, cli_text(context->arguments, "skeleton"));
        context_say(context, "wrote %s", output);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(output));
    binding_report(bound, context_model(context), object);
    return report_print(context, object);
}

static cliExit bind_model(cliContext* context) {
    const cliArguments* a = context->arguments;
    cliBound bound = {0};
    cliExit code = prepare(context, &bound);
    if (code == CLI_DONE) code = binding_apply(context, cli_given(a, "keep-weights"), &bound);
    if (code == CLI_DONE) {
        snWriteDef def = sn_write_def();
        code = context_write(context, cli_text(a, "output"), &def, false);
    }
    if (code == CLI_DONE) code = report(context, &bound);
    binding_free(&bound);
    return code;
}

static cliExit run(const cliArguments* arguments) {
    cliExit code = check(arguments);
    if (code != CLI_DONE) return code;
    // A mesh that moves to another document takes its pictures along.
    bool moves = cli_given(arguments, "skeleton") || cli_given(arguments, "fit-joints");
    return context_run(arguments, moves ? SN_IMAGES_ALL : SN_IMAGES_NONE, bind_model);
}

static const cliOption options[] = {
    CLI_HEADING("What goes in and out"),
    {"output", 'o', CLI_FILE, "OUT", "file to write: .glb, .gltf or .snproject", NULL, 0, 0},
    {"skeleton", 0, CLI_FILE, "FILE", "take the joints of this file (.bvh .asf .glb ...)", NULL, 0, 0},
    {"fit-joints", 0, CLI_FLAG, NULL, "move the joints into the mesh first", NULL, 0, 0},
    {"keep-weights", 0, CLI_FLAG, NULL, "keep the file's own weights and build only the lattice", NULL, 0, 0},
    {"doubt", 0, CLI_FLAG, NULL, "report where other methods would bind differently", NULL, 0, 0},
    CLI_HEADING("How it is bound"),
    CLI_BIND_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew bind hero.obj --skeleton hero.bvh -o hero.glb",
                                       "sinew bind person.obj --skeleton walk.bvh --fit-joints -o person.glb",
                                       "sinew bind rigged.glb --keep-weights -o rigged_lattice.glb",
                                       "sinew bind builtin:body --weights heat --cells 48 -o body.glb", NULL};

const cliVerb verb_bind = {
    .name = "bind",
    .summary = "Compute the weights of a mesh for a skeleton, and the lattice for its flesh",
    .operands = "MESH",
    .operand_min = 1,
    .operand_max = 1,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes = "Without --skeleton, the joints of the mesh's file are used. The result plays in every viewer "
             "with its "
             "plain skin;\nthe lattice is stored in the extension SINEW_deformation.\n"
             "Which joints deform: those of --joints, else of the file's skins, else all but end sites and "
             "joints\nnamed like controls (ik, pole, ctrl, ...).",
    .run = run};
