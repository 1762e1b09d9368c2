// Points of helper joints: vertices that stand in one place in every frame, their neighbours, the weights
// they have, and the frames that are fitted.
#include "bake/joint_bake.h"
#include "base/sort.h"

// -------------------------------------------------------------------------------------------------- points

// A vertex is the point of the first vertex of its weld where both go the same way, whatever weights the file
// gives to either: weights of their own would open the seam between them.
static void number_points(sniJointBaker* b) {
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        sniJointState* s = &b->states[p];
        const snWeld* weld = s->part->weld;
        for (uint32_t v = 0; v < s->vertex_count && s->active; v++) {
            uint32_t first = weld != NULL ? weld->vertex_of_point[weld->point_of_vertex[v]] : v;
            s->points[v] = first == v || s->apart[v] ? b->point_count++ : s->points[first];
        }
    }
}

static snResult list_points(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    number_points(b);
    b->points = sni_joint_new(b, "points", b->point_count, sizeof *b->points, &result);
    b->rests = sni_joint_new(b, "points", b->point_count, sizeof *b->rests, &result);
    b->stands = sni_joint_new(b, "points", b->point_count, sizeof *b->stands, &result);
    b->rows = sni_joint_new(b, "weights", b->point_count, sizeof *b->rows, &result);
    b->next_rows = sni_joint_new(b, "weights", b->point_count, sizeof *b->rows, &result);
    b->errors = sni_joint_new(b, "points", b->point_count, sizeof(float), &result);
    b->strengths = sni_joint_new(b, "points", b->point_count, sizeof(float), &result);
    b->holds = sni_joint_new(b, "points", b->point_count, sizeof(float), &result);
    SNI_TRY(result);
    uint32_t next = 0;
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        const sniJointState* s = &b->states[p];
        for (uint32_t v = 0; v < s->vertex_count && s->active; v++) {
            if (s->points[v] != next) continue;
            b->points[next] = (sniJointPoint){p, v, s->skin};
            b->strengths[next] = 1.0f;
            b->holds[next] = SNI_JOINT_HOLD;
            b->rests[next++] = s->base[v];
        }
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- weights

static uint32_t own_shares(const sniJointBaker* b, const sniJointPoint* point, sniJointShare* out) {
    const snPart* part = b->states[point->part].part;
    const sniJointSkin* skin = &b->skins[point->skin];
    if (part->skin == SN_NONE) {
        out[0] = (sniJointShare){skin->bones[0], 1.0f};
        return 1;
    }
    uint32_t count = 0;
    size_t at = (size_t)point->vertex * part->weights.influences;
    for (uint32_t i = 0; i < part->weights.influences; i++) {
        float weight = part->weights.weights[at + i];
        uint32_t bone = skin->bones[part->weights.joints[at + i]], k = 0;
        if (!(weight > 0.0f)) continue;
        while (k < count && out[k].bone != bone) k++;
        if (k == count) out[count++] = (sniJointShare){bone, 0.0f};
        out[k].weight += weight;
    }
    return count;
}

// The heaviest first; of equal ones the first.
static void start_row(const sniJointShare* owns, uint32_t count, uint32_t limit, sniJointShare* row) {
    float sum = 0.0f;
    bool used[64] = {false};
    uint32_t known = count < 64 ? count : 64;
    for (uint32_t k = 0; k < limit && k < known; k++) {
        uint32_t best = SN_NONE;
        for (uint32_t i = 0; i < known; i++) {
            if (!used[i] && (best == SN_NONE || owns[i].weight > owns[best].weight)) best = i;
        }
        if (best == SN_NONE) break;
        used[best] = true;
        row[k] = owns[best];
        sum += row[k].weight;
    }
    for (uint32_t k = 0; k < limit; k++) row[k].weight = sum > 0.0f ? row[k].weight / sum : 0.0f;
}

static snResult list_owns(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    size_t total = 0;
    uint32_t most = 1;
    for (uint32_t i = 0; i < b->point_count; i++) {
        const snPart* part = b->states[b->points[i].part].part;
        uint32_t n = part->skin != SN_NONE ? part->weights.influences : 1;
        most = n > most ? n : most;
        total += n;
    }
    b->own_starts = sni_joint_new(b, "weights", (size_t)b->point_count + 1, sizeof(uint32_t), &result);
    b->owns = sni_joint_new(b, "weights", total, sizeof(sniJointShare), &result);
    sniJointShare* row = SNI_NEW_ARRAY(&b->allocator, sniJointShare, most);
    if (result == SN_RESULT_OK && row == NULL) result = sni_fail_memory(b->error);
    for (uint32_t i = 0; i < b->point_count && result == SN_RESULT_OK; i++) {
        uint32_t count = own_shares(b, &b->points[i], row);
        memcpy(b->owns + b->own_starts[i], row, count * sizeof *row);
        b->own_starts[i + 1] = b->own_starts[i] + count;
        start_row(row, count, b->def->influences, b->rows[i]);
    }
    sni_free(&b->allocator, row);
    return result;
}

// Where points stand in the rest pose: parts may have spaces of their own, distances need one.
static void stand_points(sniJointBaker* b) {
    sn_skeleton_world(b->model->skeleton, NULL, b->pose);
    for (uint32_t i = 0; i < b->point_count; i++) {
        for (uint32_t k = b->own_starts[i]; k < b->own_starts[i + 1]; k++) {
            const sniJointBone* bone = &b->bones[b->owns[k].bone];
            snVec3 place = sn_mat4_point(&b->pose[bone->joint], sn_mat4_point(&bone->bind, b->rests[i]));
            b->stands[i] = sn_add(b->stands[i], sn_scale(place, b->owns[k].weight));
        }
    }
}

// ---------------------------------------------------------------------------------------------- neighbours

static size_t list_edges(const sniJointBaker* b, uint64_t* edges) {
    size_t count = 0;
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        const sniJointState* s = &b->states[p];
        const snMesh* mesh = s->part->mesh;
        for (uint32_t f = 0; f < mesh->face_count && s->active; f++) {
            uint32_t begin = mesh->face_starts[f], end = mesh->face_starts[f + 1];
            for (uint32_t c = begin; c < end; c++) {
                uint32_t next = c + 1 < end ? c + 1 : begin;
                uint64_t from = s->points[mesh->corners[c]], to = s->points[mesh->corners[next]];
                if (from == to) continue;
                if (edges != NULL) edges[count] = from << 32 | to, edges[count + 1] = to << 32 | from;
                count += 2;
            }
        }
    }
    return count;
}

static snResult list_neighbours(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    size_t count = list_edges(b, NULL), kept = 0;
    b->neighbour_starts = sni_joint_new(b, "edges", (size_t)b->point_count + 1, sizeof(uint32_t), &result);
    b->neighbours = sni_joint_new(b, "edges", count, sizeof(uint32_t), &result);
    uint64_t* edges = SNI_NEW_ARRAY(&b->allocator, uint64_t, count);
    if (result == SN_RESULT_OK && edges == NULL) result = sni_fail_memory(b->error);
    if (result == SN_RESULT_OK) {
        list_edges(b, edges);
        sni_sort_u64(edges, count);
        for (size_t i = 0; i < count; i++) {
            if (i > 0 && edges[i - 1] == edges[i]) continue;
            b->neighbours[kept++] = (uint32_t)edges[i];
            b->neighbour_starts[(edges[i] >> 32) + 1]++;
        }
        for (uint32_t i = 0; i < b->point_count; i++) b->neighbour_starts[i + 1] += b->neighbour_starts[i];
    }
    sni_free(&b->allocator, edges);
    return result;
}

// -------------------------------------------------------------------------------------------------- frames

// How many frames are fitted. All of a short clip; further ones add less than they cost: weights of every
// fourth frame of ten seconds gave the same errors.
static uint32_t wanted_frames(const sniJointBaker* b) {
    uint32_t all = b->frame_total, few = 64;
    uint32_t wanted = all <= few ? all : few + (all - few) / 8;
    size_t left = b->def->memory_limit > b->memory ? b->def->memory_limit - b->memory : 0;
    size_t block = (size_t)b->point_count * SNI_JOINT_POINT * sizeof(float) +
                   (size_t)b->bone_cap * SNI_JOINT_MATRIX * sizeof(float) +
                   (size_t)b->helper_cap * (SNI_JOINT_PLACE + 3 * SNI_JOINT_MATRIX) * sizeof(float) +
                   (size_t)SNI_JOINT_LANES * b->model->skeleton->joint_count * sizeof(snMat4);
    size_t fitting = left / 4 * 3 / block * SNI_JOINT_LANES; // the rest is for what comes later
    if (fitting < SNI_JOINT_LANES) fitting = SNI_JOINT_LANES;
    return wanted < fitting ? wanted : (uint32_t)fitting;
}

// Evenly over every clip, its first and last frame among them.
static uint32_t choose_frames(sniJointBaker* b) {
    uint32_t wanted = wanted_frames(b), count = 0;
    for (uint32_t c = 0; c < b->def->clip_count; c++) {
        uint32_t frames = b->def->clips[c].frame_count, first = sni_joint_frame_number(b, c, 0);
        uint32_t share = (uint32_t)((uint64_t)wanted * frames / b->frame_total);
        if (share < 2) share = 2;
        if (share > frames) share = frames;
        for (uint32_t f = 0; f < frames; f++) b->fitted[first + f] = SN_NONE;
        for (uint32_t i = 0; i < share; i++) {
            uint32_t f = share > 1 ? (uint32_t)((uint64_t)i * (frames - 1) / (share - 1)) : 0;
            b->fitted[first + f] = count++;
        }
    }
    return count;
}

static snVec3 plain_offset(const sniJointBaker* b, uint32_t i, snVec3 offset) {
    snVec3 sum = sn_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t k = b->own_starts[i]; k < b->own_starts[i + 1]; k++) {
        const sniJointBone* bone = &b->bones[b->owns[k].bone];
        snVec3 turned = sn_mat4_vector(&b->pose[bone->joint], sn_mat4_vector(&bone->bind, offset));
        sum = sn_add(sum, sn_scale(turned, b->owns[k].weight));
    }
    return sum;
}

// Where a point is wanted in the frame in hand. What its part's own targets do is left to them: it is taken
// away here as the plain skin turns it.
static snVec3 target_of(const sniJointBaker* b, uint32_t i, uint32_t frame) {
    const sniJointPoint* point = &b->points[i];
    const sniJointState* s = &b->states[point->part];
    snVec3 target = sn_sub(b->surfaces[point->part].positions[point->vertex], b->origins[frame]);
    if (s->own == NULL) return target;
    return sn_sub(target, plain_offset(b, i, sn_sub(s->own[point->vertex], s->base[point->vertex])));
}

void sni_joint_take_frame(sniJointBaker* b, sniJointBlocks* blocks, uint32_t place, uint32_t frame) {
    uint32_t joints = b->model->skeleton->joint_count;
    snMat4* world = blocks->world + (size_t)place * joints;
    memcpy(world, b->pose, joints * sizeof *world);
    for (uint32_t j = 0; j < joints; j++) {
        world[j].m[12] -= b->origins[frame].x;
        world[j].m[13] -= b->origins[frame].y;
        world[j].m[14] -= b->origins[frame].z;
    }
    size_t stride = (size_t)blocks->block_count * SNI_JOINT_POINT;
    float* to =
        blocks->targets + (size_t)(place / SNI_JOINT_LANES) * SNI_JOINT_POINT + place % SNI_JOINT_LANES;
    for (uint32_t i = 0; i < b->point_count; i++, to += stride) {
        snVec3 target = target_of(b, i, frame);
        to[0] = target.x;
        to[SNI_JOINT_LANES] = target.y;
        to[2 * SNI_JOINT_LANES] = target.z;
    }
}

static snResult load_frame(sniJointBaker* b, uint32_t clip, uint32_t frame, bool middle) {
    (void)middle;
    uint32_t number = sni_joint_frame_number(b, clip, frame);
    if (b->fitted[number] != SN_NONE) sni_joint_take_frame(b, &b->blocks, b->fitted[number], number);
    return SN_RESULT_OK;
}

static void take_samples(sniJointBaker* b) {
    size_t stride = (size_t)b->blocks.block_count * SNI_JOINT_POINT;
    for (uint32_t lane = 0; lane < SNI_JOINT_LANES; lane++)
        b->samples[lane] = (uint32_t)((uint64_t)lane * b->blocks.frame_count / SNI_JOINT_LANES);
    for (uint32_t i = 0; i < b->point_count; i++) {
        for (uint32_t lane = 0; lane < SNI_JOINT_LANES; lane++) {
            uint32_t f = b->samples[lane];
            const float* from = b->blocks.targets + i * stride +
                                (size_t)(f / SNI_JOINT_LANES) * SNI_JOINT_POINT + f % SNI_JOINT_LANES;
            float* to = b->sample_targets + (size_t)i * SNI_JOINT_POINT + lane;
            for (size_t k = 0; k < 3; k++) to[k * SNI_JOINT_LANES] = from[k * SNI_JOINT_LANES];
        }
    }
}

snResult sni_joint_points(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    SNI_TRY(list_points(b));
    SNI_TRY(list_owns(b));
    stand_points(b);
    SNI_TRY(list_neighbours(b));
    b->sample_targets = sni_joint_new(b, "points", b->point_count, SNI_JOINT_POINT * sizeof(float), &result);
    b->sample_bones = sni_joint_new(b, "joints", b->bone_cap, SNI_JOINT_MATRIX * sizeof(float), &result);
    SNI_TRY(result);
    uint32_t count = choose_frames(b);
    SNI_TRY(sni_joint_blocks_create(b, count, &b->blocks));
    SNI_TRY(sni_joint_each_frame(b, false, load_frame));
    sni_joint_place_own(b, &b->blocks);
    take_samples(b);
    sni_joint_place_bones(b, &b->blocks);
    return SN_RESULT_OK;
}

void sni_joint_points_free(sniJointBaker* b) {
    void* arrays[] = {b->points,           b->rests,       b->stands,      b->own_starts,     b->owns,
                      b->neighbour_starts, b->neighbours,  b->rows,        b->next_rows,      b->errors,
                      b->strengths,        b->fitted,      b->origins,     b->sample_targets, b->sample_bones,
                      b->share_starts,     b->shares,      b->pull_starts, b->pulls,          b->pair_slots,
                      b->pair_sums,        b->pair_starts, b->pairs,       b->moments,        b->ridges,
                      b->stiffs,           b->scratch,     b->numbers,     b->holds};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&b->allocator, arrays[i]);
    sni_joint_blocks_free(b, &b->blocks);
}
