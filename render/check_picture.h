// Pictures of what a check found: the worst moments, hot where it hurts.
#ifndef SINEW_CHECK_PICTURE_H
#define SINEW_CHECK_PICTURE_H

#include "render.h"
#include "sinew/check.h"

// Checks of one model side by side.
typedef struct snCheckPicturesDef {
    snRenderer* renderer;              // must outlive the pictures, as the model and each check
    const snModel* model;              // that the checks are of
    uint32_t count;                    // of the checks, 1 or more
    const snSettings* const* settings; // count; those that each was made with
    snCheck* const* checks;            // count
    uint32_t side;                     // pixels; default 380
    snTasks tasks;                     // of the characters that are posed; default: the calling thread
    snCpuLevel level;                  // the same; default SN_CPU_AUTO
    snProgress progress;               // of each drawing; default: nobody listens
} snCheckPicturesDef;
snCheckPicturesDef sn_check_pictures_def(void);

typedef struct snCheckPictures snCheckPictures;
snResult sn_check_pictures_create(const snCheckPicturesDef* def, const snAllocator* allocator,
                                  snCheckPictures** out, snError* error);
// Before the renderer it was made with.
void sn_check_pictures_destroy(snCheckPictures* pictures);

// One check at the worst moment of a measure.
typedef struct snCheckPicture {
    snImage* image;
    float value; // of the measure there and then
    bool marked; // the worst vertex is in the picture
    float x, y;  // where, in percent of the picture from the left and the top
} snCheckPicture;
// Draws every check (`count` of `out`, whose images belong to the caller) at the moment that is worst in any
// of them, from where the place is seen that is worst there. SN_RESULT_NOT_FOUND: the measure found nothing,
// or nothing that could be seen.
snResult sn_check_pictures_draw(snCheckPictures* pictures, snMeasure measure, snCheckPicture* out,
                                snError* error);

#endif
