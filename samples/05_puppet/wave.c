// A body waves, posed by handles: no weights and no clip, one solve a frame.
#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    snBodyDef body = sn_body_def();
    snModel* model = NULL;
    if (sn_builtin_body(&body, NULL, &model, NULL) != SN_RESULT_OK) return 1;

    snPuppetDef def = sn_puppet_def();
    def.model = model; // handles come from its skin; those of a bare scan from its shape
    def.sparse = sn_sparse_cholmod();
    snPuppet* puppet = NULL;
    if (sn_puppet_create(&def, NULL, &puppet, NULL) != SN_RESULT_OK) return 1;

    const snVec3 forward = sn_vec3(0, 0, 1);
    const snMesh* mesh = sn_puppet_mesh(puppet);
    double rest = sn_mesh_volume(mesh, NULL), volume = rest;
    snResult result = sn_puppet_rotate(puppet, "LeftUpperArm", forward, 1.0f, NULL); // the hand goes along
    for (int frame = 0; frame < 4 && result == SN_RESULT_OK; frame++) {
        result = sn_puppet_rotate(puppet, "LeftLowerArm", forward, frame % 2 == 0 ? 0.5f : -0.5f, NULL);
        if (result == SN_RESULT_OK) result = sn_puppet_run(puppet, NULL); // allocates nothing
        snSurface skin = sn_puppet_surface(puppet, 0);
        snBounds box = sn_bounds_of(skin.positions, skin.vertex_count);
        volume = sn_mesh_volume(mesh, skin.positions);
        printf("frame %d: %.3f m from the ground to the hand, %.2f %% of the volume\n", frame,
               (double)(box.max.y - box.min.y), 100.0 * volume / rest);
    }
    sn_puppet_destroy(puppet);
    sn_model_destroy(model);
    return result == SN_RESULT_OK && volume > 0.98 * rest && volume < 1.02 * rest ? 0 : 1;
}
