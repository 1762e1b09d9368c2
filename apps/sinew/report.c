#include "report.h"

#include <inttypes.h>
#include <stdio.h>

cliExit report_print(const cliContext* context, sniJsonValue* object) {
    sniBytes text = sni_bytes(&context->memory);
    if (object != NULL) sni_json_print(object, true, &text);
    sni_json_free(object);
    cliExit code = CLI_DONE;
    if (object == NULL || text.failed) {
        fputs("sinew: out of memory\n", stderr);
        code = CLI_SYSTEM;
    } else {
        fwrite(text.data, 1, text.size, stdout);
        if (text.size > 0 && text.data[text.size - 1] != '\n') putchar('\n');
    }
    sni_bytes_free(&text);
    return code;
}

sniJsonValue* report_bounds(snBounds bounds) {
    sniJsonValue* object = sni_json_object();
    if (!(bounds.min.x <= bounds.max.x)) return object;
    sni_json_set(object, "min", sni_json_floats(&bounds.min.x, 3));
    sni_json_set(object, "max", sni_json_floats(&bounds.max.x, 3));
    return object;
}

sniJsonValue* report_hash(uint64_t hash) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return sni_json_string(text);
}
