// Prints curves of walks for scripts/walk_curves.sh: gait_print [--frames] FROM TO (MOTION.bvh | RIG EXAMPLES
// PATH.json [MODEL]).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gait.h"

int main(int count, char** words) {
    bool frames = count > 1 && strcmp(words[1], "--frames") == 0;
    char** a = words + (frames ? 1 : 0);
    count -= frames ? 1 : 0;
    if (count != 4 && count != 6 && count != 7) return 3;
    float from = strtof(a[1], NULL), to = strtof(a[2], NULL);
    Gait gait = count == 4 ? gait_of_motion(a[3], 0.0f, 0.0f)
                           : gait_of_path(count == 7 ? a[6] : "builtin:body", a[3], a[4], a[5]);
    if (to <= from) to = (float)gait.frame_count / gait.fps;
    if (frames) {
        printf("frame");
        for (int c = 0; c < GAIT_CURVE_COUNT; c++)
            printf(",%s,%s_right", gait_curve_name((GaitCurve)c), gait_curve_name((GaitCurve)c));
        printf("\n");
        for (uint32_t f = 0; f < gait.frame_count; f++) {
            printf("%u", f);
            for (int c = 0; c < GAIT_CURVE_COUNT; c++)
                printf(",%.4f,%.4f", (double)gait_value(&gait, (GaitCurve)c, f, 0),
                       (double)gait_value(&gait, (GaitCurve)c, f, 1));
            printf("\n");
        }
    } else {
        GaitCycle cycle = gait_cycle(&gait, from, to);
        printf("# cycles %u seconds %.3f stride %.3f lead %.1f mm trailing knee %.1f acceleration %.0f\n",
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
    gait_destroy(&gait);
    return 0;
}
