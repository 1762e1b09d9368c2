// Opens a character, edits it, takes an edit back, and saves the whole as a project. What every front end
// does goes through a document like this one.
#include <sinew/document.h>
#include <stdio.h>

int main(void) {
    snDocumentDef def = sn_document_def();
    snBindDef bind = sn_bind_def();
    snError error = sn_error_none();
    snDocument* document = NULL;
    snResult result = sn_document_create(&def, NULL, &document, &error);
    if (result == SN_RESULT_OK) result = sn_document_open(document, "builtin:tube", NULL, &error);
    if (result == SN_RESULT_OK) result = sn_document_bind(document, &bind, NULL, NULL, &error);
    if (result == SN_RESULT_OK) result = sn_document_set(document, "flesh.delta", "0.9", &error);
    if (result == SN_RESULT_OK) result = sn_document_set(document, "skin", "spline", &error);
    if (result == SN_RESULT_OK) result = sn_document_undo(document, &error); // the skin is the default again
    for (uint32_t i = 0; result == SN_RESULT_OK && i < sn_document_undo_count(document); i++)
        printf("undo %u: %s\n", i + 1, sn_document_undo_name(document, i));
    // A frame of it, while the flesh moves.
    for (int i = 0; i < 15 && result == SN_RESULT_OK; i++)
        result = sn_document_play(document, 0, (float)i / 30.0f, SN_WRAP_LOOP, &error);
    if (result == SN_RESULT_OK) result = sn_document_save(document, "tube.snproject", &error);
    uint64_t hash = document != NULL ? sn_document_hash(document) : 0;
    if (result == SN_RESULT_OK) result = sn_document_open(document, "tube.snproject", NULL, &error);
    if (result == SN_RESULT_OK)
        printf("saved and opened: %s\n", hash == sn_document_hash(document) ? "the same" : "not the same");
    else
        fprintf(stderr, "%s\n", error.text);
    sn_document_destroy(document);
    return result == SN_RESULT_OK ? 0 : 1;
}
