// The solver of sinew::sparse poses a tube by its handles.
#include <sinew/sinew.h>
#include <stdio.h>

// The target says that it is there.
#ifdef SINEW_HAVE_SPARSE
static const bool told = true;
#else
static const bool told = false;
#endif

int main(void) {
    snTubeDef tube = sn_tube_def();
    snModel* model = NULL;
    if (sn_builtin_tube(&tube, NULL, &model, NULL) != SN_RESULT_OK) return 1;
    snPuppetDef def = sn_puppet_def();
    def.model = model;
    def.sparse = sn_sparse_cholmod();
    snPuppet* puppet = NULL;
    if (sn_puppet_create(&def, NULL, &puppet, NULL) != SN_RESULT_OK) return 1;
    uint64_t rest = sn_puppet_hash(puppet);
    const char* last = sn_puppet_handles(puppet)->handles[sn_puppet_handles(puppet)->handle_count - 1].name;
    snResult result = sn_puppet_rotate(puppet, last, sn_vec3(0, 0, 1), 1.0f, NULL);
    if (result == SN_RESULT_OK) result = sn_puppet_run(puppet, NULL);
    bool moved = told && result == SN_RESULT_OK && sn_puppet_hash(puppet) != rest;
    printf("sinew::sparse: the tube %s\n", moved ? "bends" : "does not bend");
    sn_puppet_destroy(puppet);
    sn_model_destroy(model);
    return moved ? 0 : 1;
}
