// What became of the volumes over all frames of a take.
#include <math.h>

#include "take.h"

static void note_parts(snTake* take, uint32_t frame) {
    const snPartVolumeState* states = sn_character_volumes(take->character);
    for (uint32_t j = 0; states != NULL && j < take->volume_count; j++) {
        snPartVolumeAccount* volume = &take->volumes[j];
        double before = 1.0 - (double)states[j].before, after = 1.0 - (double)states[j].after;
        volume->before_sum += before;
        volume->after_sum += after;
        if (-after > volume->gain_max) volume->gain_max = -after;
        if (frame == 0 || before > volume->before_max) volume->before_max = before;
        if (frame > 0 && after <= volume->after_max) continue;
        volume->after_max = after;
        volume->worst_frame = frame;
        volume->clamped = states[j].clamped;
    }
}

static void note_shells(snTake* take, uint32_t frame) {
    const snExactVolume* exact = sn_character_exact(take->character);
    const snShellState* states = sn_character_shells(take->character);
    for (uint32_t s = 0; s < take->shell_count; s++) {
        if (sn_exact_volume_shells(exact)[s].kind != SN_SHELL_KEPT) continue;
        snShellAccount* shell = &take->shells[s];
        double target = fabs(states[s].target), before = fabs(states[s].before - states[s].target) / target;
        double error = fabs(states[s].after - states[s].target) / target;
        if (before > shell->before_max) shell->before_max = before;
        if (frame == 0 || states[s].after < shell->smallest) shell->smallest = states[s].after;
        if (frame == 0 || states[s].after > shell->largest) shell->largest = states[s].after;
        if (!(error > shell->error_max)) continue;
        shell->error_max = error;
        shell->worst_frame = frame;
    }
}

void sni_take_note_volumes(snTake* take, uint32_t frame) {
    if (take->character == NULL) return;
    note_parts(take, frame);
    note_shells(take, frame);
}
