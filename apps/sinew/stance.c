#include "stance.h"

#include <string.h>

snAxis stance_axis(const cliArguments* arguments, const char* option) {
    const char* text = cli_text(arguments, option);
    for (int a = SN_AXIS_AUTO; a <= SN_AXIS_MINUS_Z && text != NULL; a++)
        if (strcmp(sn_axis_name((snAxis)a), text) == 0) return (snAxis)a;
    return SN_AXIS_AUTO;
}

static const char* how_text(snStanceHow how) {
    static const char* const words[] = {"assumed: the shape does not show it", "by the shape", "as given",
                                        "by the format"};
    return words[how];
}

void stance_say(const cliContext* context, const snStance* stance, bool turned) {
    if (stance->up_how == SN_STANCE_FORMAT && stance->facing_how == SN_STANCE_FORMAT) return;
    context_say(context, "%s: up is %s (%s), facing %s (%s)%s", context->arguments->operands[0],
                sn_axis_name(stance->up), how_text(stance->up_how), sn_axis_name(stance->facing),
                how_text(stance->facing_how),
                !turned                   ? ""
                : stance->up != SN_AXIS_Y ? "; turned to +Y up"
                                          : "; turned about +Y");
    bool doubt = stance->up_how == SN_STANCE_ASSUMED || stance->facing_how == SN_STANCE_ASSUMED;
    if (doubt) context_say(context, "  --up and --facing say it where this is wrong");
}

sniJsonValue* stance_report(const snStance* stance, bool turned) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "up", sni_json_string(sn_axis_name(stance->up)));
    sni_json_set(object, "up_how", sni_json_string(sn_stance_how_name(stance->up_how)));
    sni_json_set(object, "facing", sni_json_string(sn_axis_name(stance->facing)));
    sni_json_set(object, "facing_how", sni_json_string(sn_stance_how_name(stance->facing_how)));
    sni_json_set(object, "turned", sni_json_bool(turned));
    return object;
}

cliExit stance_apply(cliContext* context) {
    const cliArguments* a = context->arguments;
    if (!cli_given(a, "up") && !cli_given(a, "facing")) return CLI_DONE;
    snError error = sn_error_none();
    snStance stance;
    snProgress progress = context_listen(context);
    if (sn_document_orient(context->document, stance_axis(a, "up"), stance_axis(a, "facing"), &progress,
                           &stance, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    stance_say(context, &stance, stance.up != SN_AXIS_Y || stance.facing != SN_AXIS_Z);
    return CLI_DONE;
}
