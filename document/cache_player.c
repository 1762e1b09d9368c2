// Point caches as frames of the document's character, for takes: simulations of other programs leave through
// the same doors.
#include <stdio.h>

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
    uint32_t clip;
    uint32_t plain_count; // of parts without a cache
    snCharacter* plain;   // that shows them; NULL: there are none
    Track* tracks;        // one a part; no points: it has the plain skin
    snVec3** positions;   // one a part; of the frame in hand, or NULL: they are those of the cache
    snVec3** normals;
    const snVec3** shown;
    snAllocator allocator;
};

// ------------------------------------------------------------------------------------------------- tracks

static uint32_t vertices_of(const snCachePlayer* player, uint32_t part) {
    return player->model->parts[part].mesh->vertex_count;
}

// Whether the caches one after another have as many points as all parts do.
static bool is_whole(const snCachePlayer* player, const snPointCache* const* caches, uint32_t count) {
    uint64_t points = 0, vertices = 0;
    for (uint32_t c = 0; c < count; c++) points += caches[c]->point_count;
    for (uint32_t p = 0; p < player->model->part_count; p++) vertices += vertices_of(player, p);
    return points == vertices;
}

// Parts one after another, as they are in the caches one after another. False: a part would lie in two.
static bool lay_in_order(snCachePlayer* player, const snPointCache* const* caches, uint32_t count) {
    uint32_t c = 0;
    size_t at = 0;
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        uint32_t vertices = vertices_of(player, p);
        while (c < count && at == caches[c]->point_count) c++, at = 0;
        if (vertices > (c < count ? caches[c]->point_count - at : 0)) return false;
        if (c < count) player->tracks[p] = (Track){caches[c]->points + at, caches[c]->point_count};
        at += vertices;
    }
    return true;
}

static snResult fail_fit(const snCachePlayer* player, uint32_t points, uint32_t caches, uint32_t parts,
                         snError* error) {
    char list[160] = "";
    size_t length = 0;
    if (parts > 0)
        return sni_fail(
            error, SN_RESULT_BAD_DATA,
            "%u meshes have %u vertices, and %u caches; each mesh needs one cache, in the order of the file",
            parts, points, caches);
    for (uint32_t p = 0; p < player->model->part_count && length + 1 < sizeof list; p++) {
        int more = snprintf(list + length, sizeof list - length, "%s\"%.40s\" %u", p > 0 ? ", " : "",
                            player->model->parts[p].name, vertices_of(player, p));
        length += more > 0 ? (size_t)more : 0;
    }
    return sni_fail(error, SN_RESULT_BAD_DATA,
                    "a cache of %u points matches no mesh; the meshes have these vertices: %s; it must be "
                    "made from the same meshes, unchanged",
                    points, list);
}

// Every cache to the mesh that has as many vertices; of several such each needs one, in their order.
static snResult lay_by_count(snCachePlayer* player, const snPointCache* const* caches, uint32_t count,
                             snError* error) {
    for (uint32_t c = 0; c < count; c++) {
        uint32_t points = caches[c]->point_count, before = 0, same = 0, parts = 0, found = SN_NONE;
        for (uint32_t i = 0; i < count; i++) {
            same += caches[i]->point_count == points;
            before += i < c && caches[i]->point_count == points;
        }
        for (uint32_t p = 0; p < player->model->part_count; p++) {
            if (vertices_of(player, p) != points) continue;
            if (parts++ == before) found = p;
        }
        if (parts != same) return fail_fit(player, points, same, parts, error);
        player->tracks[found] = (Track){caches[c]->points, points};
    }
    return SN_RESULT_OK;
}

// The plain skin, for parts without a cache.
static snResult make_plain(snCachePlayer* player, const snDocument* document, snError* error) {
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_create(&player->allocator, &settings, error));
    settings->skin = SN_SKIN_LINEAR;
    settings->flesh = false;
    settings->volume = SN_VOLUME_NONE;
    snCharacterDef def = sn_character_def();
    def.model = player->model;
    def.settings = settings;
    def.tasks = document->def.tasks;
    def.level = document->def.level;
    snResult result = sn_character_create(&def, &player->allocator, &player->plain, error);
    sn_settings_destroy(settings);
    return result;
}

static snResult lay_tracks(snCachePlayer* player, const snDocument* document,
                           const snPointCache* const* caches, uint32_t count, snError* error) {
    if (is_whole(player, caches, count) && lay_in_order(player, caches, count)) return SN_RESULT_OK;
    memset(player->tracks, 0, player->model->part_count * sizeof *player->tracks);
    SNI_TRY(lay_by_count(player, caches, count, error));
    for (uint32_t p = 0; p < player->model->part_count; p++)
        player->plain_count += player->tracks[p].points == NULL && vertices_of(player, p) > 0;
    return player->plain_count > 0 ? make_plain(player, document, error) : SN_RESULT_OK;
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
                                uint32_t clip, float fps, snCachePlayer** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (clip != SN_CLIP_REST && clip >= document->state.body.model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "clip %u of %u", clip,
                        document->state.body.model->clip_count);
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
    player->clip = clip;
    player->frame_count = caches[0]->frame_count;
    player->fps = fps > 0.0f ? fps : caches[0]->fps > 0.0f ? caches[0]->fps : 30.0f;
    snQuat turn;
    player->turns = sni_own_axes(&document->state.body, &turn);
    if (player->turns) player->turn = sn_quat_conjugate(turn);
    snResult result = make_room(player, error);
    if (result == SN_RESULT_OK) result = lay_tracks(player, document, caches, count, error);
    if (result == SN_RESULT_OK)
        *out = player;
    else
        sn_cache_player_destroy(player);
    return result;
}

void sn_cache_player_destroy(snCachePlayer* player) {
    if (player == NULL) return;
    snAllocator memory = player->allocator;
    sn_character_destroy(player->plain);
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        if (player->positions != NULL) sni_free(&memory, player->positions[p]);
        if (player->normals != NULL) sni_free(&memory, player->normals[p]);
    }
    void* arrays[] = {player->tracks, player->positions, player->normals, player->shown};
    for (int i = 0; i < 4; i++) sni_free(&memory, arrays[i]);
    sni_free(&memory, player);
}

uint32_t sn_cache_player_plain_count(const snCachePlayer* player) { return player->plain_count; }
bool sn_cache_player_has(const snCachePlayer* player, uint32_t part) {
    return player->tracks[part].points != NULL;
}

void sn_cache_player_plan(const snCachePlayer* player, snTakeDef* out) {
    out->clip = player->clip;
    out->fps = player->fps;
    out->frames = player->frame_count;
    out->from = 0.0f;
    out->to = (float)(player->frame_count - 1) / player->fps;
}

static snResult pose(void* user, uint32_t frame) {
    snCachePlayer* player = user;
    if (player->plain != NULL)
        SNI_TRY(
            sn_character_pose_clip(player->plain, player->clip, (float)frame / player->fps, SN_WRAP_CLAMP));
    for (uint32_t p = 0; p < player->model->part_count; p++) {
        const snPart* part = &player->model->parts[p];
        if (player->tracks[p].points == NULL) { // or it has no vertices
            player->shown[p] =
                player->plain != NULL ? sn_character_surface(player->plain, p).positions : NULL;
            continue;
        }
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
    if (player->plain != NULL && player->tracks[part].points == NULL)
        return sn_character_surface(player->plain, part);
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
