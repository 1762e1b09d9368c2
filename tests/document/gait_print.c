// Curves of a walk or a jump, for scripts/walk_curves.sh: gait_print WHAT (MOTION.bvh | RIG EXAMPLES
// PATH.json [MODEL]). WHAT is two numbers, seconds between which cycles begin: a line for each share of a
// cycle from heel strike to heel strike; or "jump" and a number, seconds before and after the center of mass
// is highest: a line for each frame. Comma-separated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gait.h"

static void print_walk(const Gait* gait, float from, float to) {
    GaitCycle cycle = gait_cycle(gait, from, to);
    printf("# cycles %u, seconds %.3f, stride %.3f m, lead %.1f mm, trailing knee %.1f, acceleration %.0f\n",
           cycle.cycles, (double)cycle.seconds, (double)cycle.stride, (double)cycle.strike_lead * 1e3,
           (double)cycle.trailing_knee, (double)cycle.knee_speed_up);
    printf("share");
    for (int c = 0; c < GAIT_CURVE_COUNT; c++) printf(",%s", gait_curve_name((GaitCurve)c));
    printf("\n");
    for (uint32_t s = 0; s < GAIT_SAMPLES; s++) {
        printf("%.2f", (double)s / (GAIT_SAMPLES - 1));
        for (int c = 0; c < GAIT_CURVE_COUNT; c++) printf(",%.4f", (double)cycle.curves[c][s]);
        printf("\n");
    }
}

static float mass_height(const Gait* gait, uint32_t frame) {
    return gait_mass_center(&gait->frames[frame]).y;
}

// Over so many frames before and after: a capture trembles.
#define APART 2u
static float fall_at(const Gait* gait, uint32_t frame) {
    float change =
        mass_height(gait, frame + APART) - 2.0f * mass_height(gait, frame) + mass_height(gait, frame - APART);
    return change * gait->fps * gait->fps / (float)(APART * APART);
}

static void print_jump(const Gait* gait, float around) {
    uint32_t top = 0, reach = (uint32_t)(around * gait->fps);
    for (uint32_t f = 0; f < gait->frame_count; f++)
        if (mass_height(gait, f) > mass_height(gait, top)) top = f;
    printf("# highest at %.2f s, %.0f mm over the first frame\n", (double)top / (double)gait->fps,
           (double)(mass_height(gait, top) - mass_height(gait, 0)) * 1e3);
    printf("seconds,mass,fall,knee,trunk,hip,arm\n");
    for (uint32_t f = APART; f + APART < gait->frame_count; f++) {
        if (f + reach < top || f > top + reach) continue;
        printf("%.4f,%.4f,%.3f", ((double)f - (double)top) / (double)gait->fps,
               (double)(mass_height(gait, f) - mass_height(gait, 0)), (double)fall_at(gait, f));
        const GaitCurve curves[4] = {GAIT_KNEE, GAIT_TRUNK, GAIT_HIP, GAIT_ARM};
        for (int c = 0; c < 4; c++) printf(",%.3f", (double)gait_value(gait, curves[c], f, 0));
        printf("\n");
    }
}

int main(int count, char** words) {
    if (count != 4 && count != 6 && count != 7) return 3;
    Gait gait = count == 4
                    ? gait_of_motion(words[3])
                    : gait_of_path(count == 7 ? words[6] : "builtin:body", words[3], words[4], words[5]);
    if (strcmp(words[1], "jump") == 0)
        print_jump(&gait, strtof(words[2], NULL));
    else
        print_walk(&gait, strtof(words[1], NULL), strtof(words[2], NULL));
    gait_destroy(&gait);
    return 0;
}
