// Blends for searches. A search changes one weight and asks again: what was loaded before that example
// stands.
#include "poses/evaluate.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- memory

typedef struct Room {
    unsigned char* base; // or NULL
    size_t used;
} Room;

static void* take(Room* room, size_t count, size_t size) {
    size_t at = room->used;
    room->used += (count * size + 63) / 64 * 64;
    return room->base != NULL ? room->base + at : NULL;
}

size_t sni_evaluator_place(sniEvaluator* ev, const snPoseSpace* space, void* scratch) {
    size_t poses = space->pose_count, padded = space->padded_poses, handles = space->handle_count;
    Room room = {scratch, 0};
    *ev = (sniEvaluator){.space = space};
    ev->numbers = take(&room, handles, sizeof *ev->numbers);
    ev->order = take(&room, poses, sizeof *ev->order);
    ev->first_step = take(&room, poses + 1, sizeof *ev->first_step);
    ev->steps = take(&room, space->step_count, sizeof *ev->steps);
    ev->moved = take(&room, space->moved_count, sizeof *ev->moved);
    ev->halves = take(&room, space->step_count, sizeof *ev->halves);
    ev->halves_for = take(&room, poses, sizeof *ev->halves_for);
    ev->loaded = take(&room, poses, sizeof *ev->loaded);
    ev->slots = take(&room, poses + 1, sizeof *ev->slots);
    // One more for the state between steps.
    ev->states = take(&room, (poses + 2) * handles, sizeof *ev->states);
    ev->places = take(&room, 3 * (size_t)space->padded_handles, sizeof *ev->places);
    ev->group_count = (uint32_t)(padded / SNI_POSE_LANES);
    ev->twists = take(&room, handles * ev->group_count, sizeof *ev->twists);
    ev->drive = take(&room, ev->group_count, sizeof *ev->drive);
    ev->rows = take(&room, 6 * padded, sizeof *ev->rows);
    ev->row = take(&room, padded, sizeof *ev->row);
    ev->gradient = take(&room, padded, sizeof *ev->gradient);
    ev->hessian = take(&room, padded * padded, sizeof *ev->hessian);
    ev->solve = take(&room, poses * (poses + 2), sizeof *ev->solve);
    float** rows[] = {&ev->low, &ev->high, &ev->weights, &ev->best, &ev->base, &ev->trial};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) *rows[i] = take(&room, padded, sizeof(float));
    return room.used;
}

size_t sn_pose_space_scratch_size(const snPoseSpace* space) {
    sniEvaluator measured;
    return sni_evaluator_place(&measured, space, NULL);
}

// -------------------------------------------------------------------------------------------------- order

// How far an example by itself is from the targets.
static float distance_alone(const snPoseSearchJob* job, uint32_t example) {
    const snRigid* alone = job->space->alone + (size_t)example * job->space->handle_count;
    snVec3 shift = sni_target_shift(job, alone, NULL); // to the anchor
    float sum = 0.0f;
    for (uint32_t t = 0; t < job->target_count; t++) {
        const snPoseTarget* target = &job->targets[t];
        snVec3 at = sn_add(sn_rigid_point(alone[target->handle], target->point), shift);
        sum += target->strength * sn_distance(at, target->place);
    }
    return sum;
}

// Examples by rising key; equal ones as they come. Insertion, because there are few.
static void sort_order(uint32_t* order, const float* keys, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && keys[i] < keys[order[at - 1]]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

static void choose_order(sniEvaluator* ev, const float* weights) {
    const snPoseSearchJob* job = ev->job;
    uint32_t count = ev->space->pose_count;
    float* keys = ev->trial; // not in use before the search
    for (uint32_t e = 0; e < count; e++) {
        ev->order[e] = job->order == SN_POSE_ORDER_GIVEN && job->given != NULL ? job->given[e] : e;
        keys[e] = job->order == SN_POSE_ORDER_DISTANCE ? distance_alone(job, e) : -weights[e];
    }
    if (job->order != SN_POSE_ORDER_GIVEN) sort_order(ev->order, keys, count);
}

// ------------------------------------------------------------------------------------------ what matters

static void number_handles(sniEvaluator* ev) {
    const snPoseSpace* space = ev->space;
    const snPoseSearchJob* job = ev->job;
    for (uint32_t h = 0; h < space->handle_count; h++) ev->numbers[h] = ev->all_handles ? 0 : SN_NONE;
    bool targets = job->objective.target > 0.0f && !ev->all_handles;
    for (uint32_t t = 0; t < job->target_count && targets; t++) {
        const uint32_t* needs = space->needs + (size_t)job->targets[t].handle * space->need_words;
        for (uint32_t h = 0; h < space->handle_count; h++) {
            if ((needs[h / 32] >> (h % 32) & 1u) != 0) ev->numbers[h] = 0;
        }
    }
    ev->handle_count = 0;
    for (uint32_t h = 0; h < space->handle_count; h++) {
        if (ev->numbers[h] != SN_NONE) ev->numbers[h] = ev->handle_count++;
    }
}

static void choose_steps(sniEvaluator* ev) {
    const snPoseSpace* space = ev->space;
    uint32_t next = 0, moved = 0;
    for (uint32_t k = 0; k < space->pose_count; k++) {
        ev->first_step[k] = next;
        uint32_t example = ev->order[k];
        for (uint32_t i = space->first_step[example]; i < space->first_step[example + 1]; i++) {
            sniStep step = space->steps[i];
            uint32_t first = moved;
            for (uint32_t m = 0; m < step.count; m++) {
                uint32_t number = ev->numbers[space->moved[step.first + m]];
                if (number != SN_NONE) ev->moved[moved++] = number;
            }
            if (moved == first) continue;
            step.first = first;
            step.count = moved - first;
            if (step.act == SN_POSE_ROTATE) {
                step.frame = ev->numbers[step.frame];
                step.center = ev->numbers[step.center];
            }
            ev->steps[next++] = step;
        }
    }
    ev->first_step[space->pose_count] = next;
}

void sni_evaluator_begin(sniEvaluator* ev, const snPoseSearchJob* job, const float* weights) {
    const snObjective* objective = &job->objective;
    ev->job = job;
    float size = ev->space->handles->size;
    ev->unit = size > 0.0f ? 1.0f / size : 1.0f;
    ev->all_handles = objective->examples > 0.0f || (objective->last > 0.0f && job->last != NULL);
    choose_order(ev, weights);
    number_handles(ev);
    choose_steps(ev);
    ev->valid = 0;
    ev->slots[0] = 0;
    for (uint32_t k = 0; k < ev->space->pose_count; k++) ev->halves_for[k] = 0.0f;
    for (uint32_t h = 0; h < ev->handle_count; h++) {
        ev->states[h].rotation = sn_quat_identity();
        ev->states[h].translation = sn_vec3(0.0f, 0.0f, 0.0f);
    }
    memset(ev->places, 0, 3 * (size_t)ev->space->padded_handles * sizeof *ev->places);
}

// -------------------------------------------------------------------------------------------------- blend

static void load_example(sniEvaluator* ev, uint32_t k, float weight, snRigid* state) {
    for (uint32_t i = ev->first_step[k]; i < ev->first_step[k + 1]; i++) {
        const sniStep* step = &ev->steps[i];
        const uint32_t* moved = ev->moved + step->first;
        if (step->act == SN_POSE_MOVE) {
            snVec3 move = sn_scale(step->pivot, weight);
            for (uint32_t m = 0; m < step->count; m++) {
                state[moved[m]].translation = sn_add(state[moved[m]].translation, move);
            }
            continue;
        }
        sniTurn turn =
            sni_turn(state[step->frame], state[step->center], step->axis, step->pivot, ev->halves[i]);
        for (uint32_t m = 0; m < step->count; m++) state[moved[m]] = sni_turn_apply(turn, state[moved[m]]);
    }
}

static void make_halves(sniEvaluator* ev, uint32_t k, float weight) {
    if (ev->halves_for[k] == weight) return;
    for (uint32_t i = ev->first_step[k]; i < ev->first_step[k + 1]; i++) {
        if (ev->steps[i].act == SN_POSE_ROTATE) ev->halves[i] = sni_half_turn(ev->steps[i].angle, weight);
    }
    ev->halves_for[k] = weight;
}

const snRigid* sni_evaluate(sniEvaluator* ev, const float* weights) {
    uint32_t count = ev->space->pose_count, handles = ev->handle_count, k = 0;
    while (k < ev->valid && ev->loaded[k] == weights[ev->order[k]]) k++;
    for (; k < count; k++) {
        float weight = weights[ev->order[k]];
        ev->loaded[k] = weight;
        ev->slots[k + 1] = ev->slots[k];
        if (weight == 0.0f) continue;
        make_halves(ev, k, weight);
        ev->slots[k + 1] = k + 1;
        snRigid* state = ev->states + (size_t)(k + 1) * handles;
        memcpy(state, ev->states + (size_t)ev->slots[k] * handles, handles * sizeof *state);
        load_example(ev, k, weight, state);
    }
    ev->valid = count;
    return ev->states + (size_t)ev->slots[count] * handles;
}
