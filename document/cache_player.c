// Point caches as frames of the document's character, for takes: simulations of other programs leave through
// the same doors.
#include "document.h"
#include "take.h"

typedef struct Track {
    const snVec3* points; // of frame 0
    size_t stride;        // points from frame to frame
} Track;

struct snCachePlayer {
    const snModel* model;
    uint32_t frame_count;
    float fps;
    bool turns; // the file's axes are not the character's
    snQuat turn;
    Track* tracks;      // one a part
    snVec3** positions; // one a part; of the frame in hand, or NULL: they are those of the cache
    snVec3** normals;
    const snVec3** shown;
    snAllocator allocator;
};

// Parts one after another, as they are in the caches one after another.
static snResult lay_tracks(snCachePlayer* player, const snPointCache* const* caches, uint32_t count,
                           snError* error) {
    uint32_t c = 0;
    size_t at = 0;
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        uint32_t vertices = player->model->parts[p].mesh->vertex_count;
        while (c < count && at == caches[c]->point_count) c++, at = 0;
        size_t left = c < count ? caches[c]->point_count - at : 0;
        if (vertices > left)
            return sni_fail(
                error, SN_RESULT_BAD_DATA,
                "the cache has %zu points where the mesh \"%.80s\" has %u vertices; it must be of "
                "the same meshes, in the same order",
                left, player->model->parts[p].name, vertices);
        if (c < count) player->tracks[p] = (Track){caches[c]->points + at, caches[c]->point_count};
        at += vertices;
    }
    if (c + 1 < count || (c < count && at < caches[c]->point_count))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the cache has more points than the character's meshes");
    return SN_RESULT_OK;
}

static snResult make_room(snCachePlayer* player, snError* error) {
    const snAllocator* memory = &player->allocator;
    uint32_t parts = player->model->part_count;
    player->tracks = SNI_NEW_ARRAY(memory, Track, parts);
    player->positions = SNI_NEW_ARRAY(memory, snVec3*, parts);
    player->normals = SNI_NEW_ARRAY(memory, snVec3*, parts);
    player->shown = SNI_NEW_ARRAY(memory, const snVec3*, parts);
    if (player->tracks == NULL || player->positions == NULL || player->normals == NULL ||
        player->shown == NULL)
        return sni_fail_memory(error);
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t count = player->model->parts[p].mesh->vertex_count;
        player->normals[p] = SNI_NEW_ARRAY(memory, snVec3, count);
        if (player->turns) player->positions[p] = SNI_NEW_ARRAY(memory, snVec3, count);
        if (player->normals[p] == NULL || (player->turns && player->positions[p] == NULL))
            return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

snResult sn_cache_player_create(const snDocument* document, const snPointCache* const* caches, uint32_t count,
                                float fps, snCachePlayer** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (count == 0) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a point cache is needed");
    for (uint32_t c = 1; c < count; c++) {
        if (caches[c]->frame_count != caches[0]->frame_count)
            return sni_fail(error, SN_RESULT_BAD_DATA, "one cache has %u frames, another %u",
                            caches[0]->frame_count, caches[c]->frame_count);
    }
    snCachePlayer* player = SNI_NEW(&document->allocator, snCachePlayer);
    if (player == NULL) return sni_fail_memory(error);
    player->allocator = document->allocator;
    player->model = document->state.body.model;
    player->frame_count = caches[0]->frame_count;
    player->fps = fps > 0.0f ? fps : caches[0]->fps > 0.0f ? caches[0]->fps : 30.0f;
    snQuat turn;
    player->turns = sni_own_axes(&document->state.body, &turn);
    if (player->turns) player->turn = sn_quat_conjugate(turn);
    snResult result = make_room(player, error);
    if (result == SN_RESULT_OK) result = lay_tracks(player, caches, count, error);
    if (result == SN_RESULT_OK)
        *out = player;
    else
        sn_cache_player_destroy(player);
    return result;
}

void sn_cache_player_destroy(snCachePlayer* player) {
    if (player == NULL) return;
    snAllocator memory = player->allocator;
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        if (player->positions != NULL) sni_free(&memory, player->positions[p]);
        if (player->normals != NULL) sni_free(&memory, player->normals[p]);
    }
    void* arrays[] = {player->tracks, player->positions, player->normals, player->shown};
    for (int i = 0; i < 4; i++) sni_free(&memory, arrays[i]);
    sni_free(&memory, player);
}

void sn_cache_player_plan(const snCachePlayer* player, snTakeDef* out) {
    out->fps = player->fps;
    out->frames = player->frame_count;
    out->from = 0.0f;
    out->to = (float)(player->frame_count - 1) / player->fps;
}

static snResult pose(void* user, uint32_t frame) {
    snCachePlayer* player = user;
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        const snPart* part = &player->model->parts[p];
        const snVec3* points = player->tracks[p].points + frame * player->tracks[p].stride;
        for (uint32_t v = 0; v < part->mesh->vertex_count && player->turns; v++)
            player->positions[p][v] = sn_quat_rotate(player->turn, points[v]);
        player->shown[p] = player->turns ? player->positions[p] : points;
        snNormalsJob job = {part->mesh, part->weld, player->shown[p], player->normals[p]};
        if (part->mesh->vertex_count > 0) SNI_TRY(sn_normals_run(&job));
    }
    return SN_RESULT_OK;
}

static snSurface surface(void* user, uint32_t part) {
    const snCachePlayer* player = user;
    return (snSurface){player->model->parts[part].mesh->vertex_count, player->shown[part],
                       player->normals[part]};
}

static uint64_t hash(void* user) {
    const snCachePlayer* player = user;
    uint64_t sum = SN_HASH_SEED;
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        size_t count = player->model->parts[p].mesh->vertex_count;
        if (count > 0) sum = sn_hash_floats(sum, &player->shown[p]->x, 3 * count);
    }
    return sum;
}

snTakeSource sn_cache_player_source(snCachePlayer* player) {
    return (snTakeSource){pose, surface, hash, player};
}
