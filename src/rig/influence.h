// Which joints move what.
#ifndef SNI_RIG_INFLUENCE_H
#define SNI_RIG_INFLUENCE_H

#include "sinew/rig.h"

// What a joint has of a point, in whichever entries of its row.
static inline float sni_weight_of(const snWeights* weights, uint32_t point, uint16_t joint) {
    const uint16_t* joints = weights->joints + (size_t)point * weights->influences;
    const float* values = weights->weights + (size_t)point * weights->influences;
    float sum = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        if (joints[i] == joint) sum += values[i];
    }
    return sum;
}

// Whether a joint is one of some skin.
static inline bool sni_joint_has_skin(const snModel* model, uint32_t joint) {
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++) {
            if (model->skins[s].joints[j] == joint) return true;
        }
    }
    return false;
}

#endif
