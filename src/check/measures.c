// The measures: names, limits and advice.
#include <string.h>

#include "sinew/check.h"

// Limits were moved until the verdicts on a dozen characters, with their own and with automatic weights,
// agreed with the pictures (docs/check.md).
static const snMeasureInfo infos[SN_MEASURE_COUNT] = {
    [SN_MEASURE_VOLUME] = {"volume", "volume", 0.03f, 0.08f, true,
                           "how far the volume of a closed piece is from that at rest",
                           "Keep it with --volume parts or --volume exact, or use --skin spline or dual."},
    [SN_MEASURE_JOINT_VOLUME] =
        {"joint-volume", "volume around joints", 0.4f, 0.8f, true,
         "how far the volume of what bends around a joint is from that at rest",
         "Give volume back with --volume parts or exact; widen the blend of the weights "
         "there."},
    [SN_MEASURE_SECTION] = {"section", "cross-sections", 0.25f, 0.4f, true,
                            "area that a limb's thinnest cross-section loses: the candy wrapper",
                            "Use --skin dual, spline or lattice, or spread the twist over more joints."},
    [SN_MEASURE_STRETCH] = {"stretch", "stretched faces", 0.1f, 0.3f, true,
                            "share of a joint's surface stretched to more than twice its length",
                            "Smooth the weights there or bind anew; a finer mesh helps too."},
    [SN_MEASURE_FLIP] = {"flip", "flipped faces", 0.05f, 0.2f, true,
                         "share of a joint's surface that is turned inside out",
                         "Blend the weights over a wider stretch; dual skins fold less."},
    [SN_MEASURE_CROSSING] =
        {"crossing", "self-intersections", 0.3f, 1.0f, true,
         "length of the lines along which a joint's surface cuts through other surface, and does not at "
         "rest, of the border of a disc as large as that surface",
         "Bend less far, let flesh push it apart (--flesh on), or mend the weights in the "
         "fold."},
    [SN_MEASURE_SEAM] = {"seam", "opened seams", 2e-4f, 1e-3f, true,
                         "gap between vertices that are one at rest, of the model's diagonal",
                         "Give both sides of the seam the same weights; sinew bind does."},
    [SN_MEASURE_BLEED] = {"bleed", "weights across gaps", 0.1f, 0.3f, false,
                          "largest weight of a joint on surface that only a gap parts from it",
                          "Take that weight away, or bind with --weights auto, which does not jump gaps."},
    [SN_MEASURE_DROPPED] = {"dropped", "influences dropped", 0.02f, 0.1f, false,
                            "weight of a vertex beyond its four heaviest joints, or missing from one",
                            "Limit influences to four before export, or bind with --influences 4."},
};

const snMeasureInfo* sn_measure_info(snMeasure measure) {
    return (unsigned)measure < SN_MEASURE_COUNT ? &infos[measure] : NULL;
}

snMeasure sn_measure_find(const char* name) {
    for (int i = 0; i < SN_MEASURE_COUNT; i++)
        if (strcmp(infos[i].name, name) == 0) return (snMeasure)i;
    return SN_MEASURE_COUNT;
}

const char* sn_verdict_name(snVerdict verdict) {
    static const char* const names[] = {"ok", "warn", "fail"};
    return (unsigned)verdict < 3 ? names[verdict] : "none";
}

snLimits sn_limits(void) {
    snLimits limits;
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        limits.warn[i] = infos[i].warn;
        limits.fail[i] = infos[i].fail;
    }
    return limits;
}
