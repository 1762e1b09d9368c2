// Writes the reference of all settings: settings_reference FILE. scripts/settings_page.sh shows it in docs.
#include <stdio.h>

#include "sinew/io.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: settings_reference FILE\n");
        return 3;
    }
    snError error = sn_error_none();
    if (sn_settings_write_reference(argv[1], &error) == SN_RESULT_OK) return 0;
    fprintf(stderr, "%s: %s\n", argv[1], error.text);
    return 4;
}
