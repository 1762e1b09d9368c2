// Weights of vertices by brush.
#include "paint.h"

typedef struct Painting {
    const sniStroke* stroke;
    snWeights* weights;
    snWeights old; // as they were when the stroke began
    uint32_t joint_count;
    float* row;      // joint_count; weights of one point
    float* sum;      // joint_count; of its neighbours
    uint32_t* edges; // where the neighbours of each point begin; point_count + 1; for smoothing only
    uint32_t* neighbours;
} Painting;

static void free_painting(Painting* p) {
    const snAllocator* memory = &p->stroke->allocator;
    void* all[] = {p->old.joints, p->old.weights, p->row, p->sum, p->edges, p->neighbours};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
}

// Neighbours of every point, one list behind the other.
static void list_neighbours(Painting* p) {
    const snTopology* t = p->stroke->topology;
    for (uint32_t e = 0; e < t->edge_count; e++)
        for (int k = 0; k < 2; k++) p->edges[t->edges[e][k] + 1]++;
    for (uint32_t i = 0; i < t->point_count; i++) p->edges[i + 1] += p->edges[i];
    for (uint32_t e = t->edge_count; e-- > 0;)
        for (int k = 0; k < 2; k++) p->neighbours[--p->edges[t->edges[e][k] + 1]] = t->edges[e][1 - k];
    // Filling has moved every end to its beginning, which is one place further on.
    for (uint32_t i = 0; i < t->point_count; i++) p->edges[i] = p->edges[i + 1];
    p->edges[t->point_count] = 2 * t->edge_count;
}

static snResult make_painting(Painting* p, bool smooth, snError* error) {
    const snAllocator* memory = &p->stroke->allocator;
    const snTopology* t = p->stroke->topology;
    p->row = SNI_NEW_ARRAY(memory, float, p->joint_count);
    p->sum = SNI_NEW_ARRAY(memory, float, p->joint_count);
    if (!sni_weights_copy(p->weights, memory, &p->old) || p->row == NULL || p->sum == NULL)
        return sni_fail_memory(error);
    if (!smooth) return SN_RESULT_OK;
    p->edges = SNI_NEW_ARRAY(memory, uint32_t, (size_t)t->point_count + 1);
    p->neighbours = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)t->edge_count);
    if (p->edges == NULL || p->neighbours == NULL) return sni_fail_memory(error);
    list_neighbours(p);
    return SN_RESULT_OK;
}

static void read_row(const Painting* p, uint32_t vertex, float factor, float* row) {
    uint32_t n = p->old.influences;
    for (uint32_t i = 0; i < n; i++)
        row[p->old.joints[(size_t)vertex * n + i]] += factor * p->old.weights[(size_t)vertex * n + i];
}

// One joint gets `weight`, the others share the rest as they did.
static void set_joint(const Painting* p, uint32_t joint, float weight) {
    float others = 0.0f;
    for (uint32_t j = 0; j < p->joint_count; j++) others += j != joint ? p->row[j] : 0.0f;
    if (!(others > 0.0f)) return; // there is nobody to share it with
    for (uint32_t j = 0; j < p->joint_count; j++) p->row[j] *= (1.0f - weight) / others;
    p->row[joint] = weight;
}

static void mix_neighbours(const Painting* p, uint32_t point, float amount) {
    const snWeld* weld = p->stroke->part->weld;
    uint32_t begin = p->edges[point], end = p->edges[point + 1];
    if (begin == end) return;
    memset(p->sum, 0, p->joint_count * sizeof *p->sum);
    for (uint32_t i = begin; i < end; i++)
        read_row(p, weld->vertex_of_point[p->neighbours[i]], 1.0f / (float)(end - begin), p->sum);
    for (uint32_t j = 0; j < p->joint_count; j++)
        p->row[j] = (1.0f - amount) * p->row[j] + amount * p->sum[j];
}

static uint32_t heaviest(const Painting* p) {
    uint32_t best = 0;
    for (uint32_t j = 1; j < p->joint_count; j++)
        if (p->row[j] > p->row[best]) best = j;
    return best;
}

// The largest of the row, as many as a vertex has, one together. Ties go to the first joint.
static void write_row(const Painting* p, uint32_t vertex) {
    uint32_t n = p->weights->influences;
    uint16_t* joints = p->weights->joints + (size_t)vertex * n;
    float* weights = p->weights->weights + (size_t)vertex * n;
    float sum = 0.0f;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t best = heaviest(p);
        joints[i] = p->row[best] > 0.0f ? (uint16_t)best : 0;
        weights[i] = sn_maxf(p->row[best], 0.0f);
        sum += weights[i];
        p->row[best] = 0.0f;
    }
    for (uint32_t i = 0; i < n && sum > 0.0f; i++) weights[i] /= sum;
}

static void paint_point(const Painting* p, uint32_t point, uint32_t joint, snPaint how, float amount) {
    memset(p->row, 0, p->joint_count * sizeof *p->row);
    read_row(p, p->stroke->part->weld->vertex_of_point[point], 1.0f, p->row);
    uint32_t most = how == SN_PAINT_RIGID ? heaviest(p) : joint;
    float now = p->row[most];
    if (how == SN_PAINT_SMOOTH)
        mix_neighbours(p, point, amount);
    else if (how == SN_PAINT_TAKE)
        set_joint(p, most, sn_maxf(now - amount, 0.0f));
    else if (how == SN_PAINT_RIGID)
        set_joint(p, most, now + (1.0f - now) * amount);
    else
        set_joint(p, most, sn_minf(now + amount, 1.0f));
}

// Seams stay closed: what the first vertex of a point gets, all of them get.
static void paint(const Painting* p, const float* amounts, uint32_t joint, snPaint how) {
    const snWeld* weld = p->stroke->part->weld;
    uint32_t n = p->weights->influences;
    for (uint32_t point = 0; point < weld->point_count; point++) {
        uint32_t first = weld->vertex_of_point[point];
        if (!(amounts[first] > 0.0f)) continue;
        paint_point(p, point, joint, how, amounts[first]);
        write_row(p, first);
    }
    for (uint32_t v = 0; v < weld->vertex_count; v++) {
        uint32_t first = weld->vertex_of_point[weld->point_of_vertex[v]];
        if (first == v || !(amounts[first] > 0.0f)) continue;
        memcpy(p->weights->joints + (size_t)v * n, p->weights->joints + (size_t)first * n,
               n * sizeof(uint16_t));
        memcpy(p->weights->weights + (size_t)v * n, p->weights->weights + (size_t)first * n,
               n * sizeof(float));
    }
}

// ---------------------------------------------------------------------------------------------------- joints

static uint32_t find_in_skin(const snSkin* skin, uint32_t joint) {
    for (uint32_t i = 0; i < skin->joint_count; i++)
        if (skin->joints[i] == joint) return i;
    return SN_NONE;
}

void sni_following_forget(snDocument* document) {
    sn_weight_follower_destroy(document->following.follower);
    document->following = (sniFollowing){0};
}

// The particles of the lattice follow the vertices.
static snResult follow(snDocument* document, uint32_t part, const snWeights* before, snError* error) {
    sniFollowing* following = &document->following;
    snModel* model = document->state.body.model;
    if (model->binding == NULL) return SN_RESULT_OK;
    if (following->binding != model->binding) sni_following_forget(document);
    if (following->follower == NULL)
        SNI_TRY(sn_weight_follower_create(model, &document->allocator, &following->follower, error));
    following->binding = model->binding;
    model->rebound = true;
    return sn_weight_follower_run(following->follower, model, part, before, document->def.level, NULL, error);
}

static snResult run(snDocument* document, const snBrush* brush, const uint32_t joints[2], snPaint how,
                    const sniStroke* stroke, snError* error) {
    snModel* model = document->state.body.model;
    snPart* part = &model->parts[brush->part];
    Painting p = {.stroke = stroke, .weights = &part->weights};
    p.joint_count = model->skins[part->skin].joint_count;
    snResult result = make_painting(&p, how == SN_PAINT_SMOOTH, error);
    if (result == SN_RESULT_OK) {
        paint(&p, stroke->amounts, joints[0], how);
        result = follow(document, brush->part, &p.old, error);
        if (stroke->mirrored != NULL && result == SN_RESULT_OK) {
            // Where both sides meet, the second goes on from what the first has made.
            size_t count = (size_t)p.old.vertex_count * p.old.influences;
            memcpy(p.old.joints, p.weights->joints, count * sizeof *p.old.joints);
            memcpy(p.old.weights, p.weights->weights, count * sizeof *p.old.weights);
            paint(&p, stroke->mirrored, joints[1], how);
            result = follow(document, brush->part, &p.old, error);
        }
        model->reskinned = true;
    }
    free_painting(&p);
    return result;
}

snResult sn_document_paint_weights(snDocument* document, const snBrush* brush, uint32_t joint, snPaint how,
                                   float strength, snError* error) {
    sniStroke stroke = {0};
    SNI_TRY(sni_stroke_open(document, brush, how, strength, &stroke, error));
    const snModel* model = document->state.body.model;
    const snPart* part = &model->parts[brush->part];
    uint32_t joints[2] = {SN_NONE, SN_NONE};
    if (part->skin != SN_NONE && joint < model->skeleton->joint_count) {
        joints[0] = find_in_skin(&model->skins[part->skin], joint);
        joints[1] = find_in_skin(&model->skins[part->skin], sn_document_mirror_joint(document, joint));
    }
    bool known = joints[0] != SN_NONE && (joints[1] != SN_NONE || !brush->mirror);
    // Writers take the file's own weights until they hear of newer ones, which is the model's to know.
    bool told = model->reskinned && (model->binding == NULL || model->rebound);
    uint32_t bits = told ? SNI_BIT(SNI_ITEM_WEIGHTS) : SNI_BITS_MODEL;
    snResult result = known
                          ? sni_edit_begin(document, "Paint weights", bits, SNI_COPY_RIG, error)
                          : sni_fail(error, SN_RESULT_NOT_FOUND, "joint %u is not in the part's skin", joint);
    if (result == SN_RESULT_OK) {
        stroke.part = &document->state.body.model->parts[brush->part];
        result = sni_edit_end(document, run(document, brush, joints, how, &stroke, error), error);
    }
    sni_stroke_close(&stroke);
    return result;
}
