// sinew::document binds a tube, takes it back, and saves a project into the folder given.
#include <sinew/document.h>
#include <stdio.h>

int main(int argc, char** argv) {
    if (argc < 2) return 1;
    char path[4096];
    snprintf(path, sizeof path, "%s/tube.snproject", argv[1]);
    snDocumentDef def = sn_document_def();
    snBindDef bind = sn_bind_def();
    snDocument* document = NULL;
    snError error = sn_error_none();
    if (sn_document_create(&def, NULL, &document, &error) != SN_RESULT_OK) return 1;
    snResult result = sn_document_open(document, "builtin:tube", NULL, &error);
    uint64_t hash = sn_document_hash(document);
    if (result == SN_RESULT_OK) result = sn_document_bind(document, &bind, NULL, NULL, &error);
    if (result == SN_RESULT_OK) result = sn_document_undo(document, &error);
    if (result == SN_RESULT_OK) result = sn_document_save(document, path, &error);
    if (result != SN_RESULT_OK) printf("%s\n", error.text);
    bool same = result == SN_RESULT_OK && sn_document_hash(document) == hash;
    printf("sinew::document: the tube is %s\n", same ? "as it was" : "not as it was");
    sn_document_destroy(document);
    return same ? 0 : 1;
}
