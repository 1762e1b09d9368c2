// What an outside project does first: make a shape, bend it, print something that depends on the result.
#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    snTubeDef tube = sn_tube_def();
    snModel* model = NULL;
    if (sn_builtin_tube(&tube, NULL, &model, NULL) != SN_RESULT_OK) return 1;
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    if (sn_character_create(&def, NULL, &character, NULL) != SN_RESULT_OK) return 1;
    uint64_t rest = sn_character_hash(character);
    sn_character_pose_clip(character, 0, 0.5f, SN_WRAP_LOOP);
    bool moved = sn_character_hash(character) != rest;
    printf("sinew %s: the tube %s\n", SN_VERSION_STRING, moved ? "bends" : "does not bend");
    sn_character_destroy(character);
    sn_model_destroy(model);
    return moved ? 0 : 1;
}
