// Where no program can be started, as in a browser.
#include "base/error.h"
#include "import_process.h"
#include "sinew/io.h"

bool sni_importer_find(char out[SNI_PATH_MAX]) {
    out[0] = '\0';
    return false;
}

const char* sn_sandbox_enter(void) { return "no new privileges, capabilities, seccomp"; }

const char* sni_importer_advice(void) {
    return "and programs cannot be started here: convert them to .glb first";
}

snResult sni_importer_run(const sniImporter* importer, const sniSource* source, sniBytes* answer) {
    (void)importer, (void)answer;
    return sni_fail(source->error, SN_RESULT_UNSUPPORTED, "programs cannot be started here");
}
