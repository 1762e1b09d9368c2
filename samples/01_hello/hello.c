// The smallest program: make a body, pose it, read the surface.
#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    snBodyDef body = sn_body_def();
    snModel* model = NULL;
    if (sn_builtin_body(&body, NULL, &model, NULL) != SN_RESULT_OK) return 1;

    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    if (sn_character_create(&def, NULL, &character, NULL) != SN_RESULT_OK) return 1;

    uint32_t walk = sn_model_find_clip(model, "walk");
    for (int frame = 0; frame < 4; frame++) {
        // Allocates nothing. A clip that is not there is an error.
        if (sn_character_pose_clip(character, walk, (float)frame / 4.0f, SN_WRAP_LOOP) != SN_RESULT_OK)
            return 1;
        snSurface skin = sn_character_surface(character, 0);
        snBounds box = sn_bounds_of(skin.positions, skin.vertex_count);
        printf("frame %d: %u vertices, %.3f m tall\n", frame, skin.vertex_count,
               (double)(box.max.y - box.min.y));
    }
    sn_character_destroy(character);
    sn_model_destroy(model);
    return 0;
}
