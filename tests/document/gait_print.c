// Curves of a walk, for scripts/walk_curves.sh: gait_print FROM TO (MOTION.bvh | RIG EXAMPLES PATH.json
// [MODEL]), seconds between which cycles begin; comma-separated, a line for each share of a cycle from heel
// strike to heel strike.
#include <stdio.h>
#include <stdlib.h>

#include "gait.h"

int main(int count, char** words) {
    if (count != 4 && count != 6 && count != 7) return 3;
    Gait gait = count == 4
                    ? gait_of_motion(words[3])
                    : gait_of_path(count == 7 ? words[6] : "builtin:body", words[3], words[4], words[5]);
    GaitCycle cycle = gait_cycle(&gait, strtof(words[1], NULL), strtof(words[2], NULL));
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
    gait_destroy(&gait);
    return 0;
}
