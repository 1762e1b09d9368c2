// Handles led by paths or keyframes, frame by frame.
#include <math.h>

#include "document.h"

// Frames a second that paths are played with at least: a landing is over in a seventh of a second. Of a
// slower film as many frames lie between two of its own.
#define LEAST_RATE 30.0f

struct snHandlePlayer {
    snDocument* document;
    snHandlePlayerDef def;
    const snPathFile* file; // or NULL
    snPathPlayer* player;   // NULL: keyframes
    uint32_t steps;         // frames of the player in one
    uint32_t next;          // frame that the player makes next
    uint32_t path_count;
    uint32_t* path_handles; // path_count
    float* weights;         // pose_count; of keyframes
    snRigid* moves;         // handle_count; of keyframes
    sniPosed posed;
    float from, to, fps;
    uint32_t frames;
    uint32_t counted; // frames that the next has
    double seconds;   // spent on finding poses
    snAllocator allocator;
};

snHandlePlayerDef sn_handle_player_def(void) { return (snHandlePlayerDef){.both_ends = true}; }

// --------------------------------------------------------------------------------------------------- making

// What the file says about playing; captured paths by themselves are played with the defaults, turned as they
// go.
static snPathPlayerDef player_def(const snHandlePlayer* play) {
    const sniHandled* handled = &play->document->state.handled;
    bool captured = play->def.captured != NULL;
    snPathPlayerDef def = sn_path_player_def();
    def.handles = handled->rig;
    def.mesh = play->document->mesh;
    def.pose_count = handled->poses.count;
    def.poses = (const snHandlePose* const*)handled->poses.poses;
    def.fps = play->fps * (float)play->steps;
    def.heading = captured ? 0.6f : 0.0f;
    const snPathFile* file = play->file;
    if (file == NULL) return def;
    def.duration = file->duration;
    def.blend = file->blend;
    def.smooth = file->smooth;
    def.steady = file->steady;
    def.base = file->base;
    def.change = file->change;
    def.search = file->search;
    def.objective = file->objective;
    def.order = file->order;
    def.terrain = file->grounded ? &file->terrain : NULL;
    if (file->heading > 0.0f || !captured) def.heading = file->heading;
    return def;
}

// Captured paths behind those of the file.
static snResult make_player(snHandlePlayer* play, snError* error) {
    const snAllocator* memory = &play->allocator;
    const snPaths* lists[2] = {play->file != NULL ? play->file->paths : NULL, play->def.captured};
    snPathPlayerDef def = player_def(play);
    for (int i = 0; i < 2; i++) def.path_count += lists[i] != NULL ? lists[i]->path_count : 0;
    if (def.path_count == 0) return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no path to follow");
    snPathDef* all = SNI_NEW_ARRAY(memory, snPathDef, def.path_count);
    play->path_handles = SNI_NEW_ARRAY(memory, uint32_t, def.path_count);
    snResult result = all != NULL && play->path_handles != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (int i = 0; i < 2 && result == SN_RESULT_OK; i++)
        for (uint32_t p = 0; lists[i] != NULL && p < lists[i]->path_count; p++) {
            play->path_handles[play->path_count] = lists[i]->paths[p].handle;
            all[play->path_count++] = lists[i]->paths[p];
        }
    def.paths = all;
    if (result == SN_RESULT_OK) result = sn_path_player_create(&def, memory, &play->player, error);
    sni_free(memory, all);
    if (result != SN_RESULT_OK) return result;
    play->frames = (sn_path_player_frame_count(play->player) - 1) / play->steps + 1;
    play->to = (float)(play->frames - 1) / play->fps;
    return SN_RESULT_OK;
}

static snResult make_keyframes(snHandlePlayer* play, snError* error) {
    const snKeyframes* keyframes = &play->file->keyframes;
    const sniHandled* handled = &play->document->state.handled;
    play->weights = SNI_NEW_ARRAY(&play->allocator, float, handled->poses.count);
    play->moves = SNI_NEW_ARRAY(&play->allocator, snRigid, handled->rig->handle_count);
    if (play->weights == NULL || play->moves == NULL) return sni_fail_memory(error);
    play->from = keyframes->keys[0].time;
    play->to = keyframes->keys[keyframes->key_count - 1].time;
    if (play->file->duration > 0.0f) play->to = play->from + play->file->duration;
    return sn_take_count(play->from, play->to, play->fps, play->def.both_ends, &play->frames, error);
}

snResult sn_handle_player_create(snDocument* document, const snHandlePlayerDef* given, snHandlePlayer** out,
                                 snError* error) {
    const snMesh* mesh = NULL;
    snHandlePlayerDef fallback = sn_handle_player_def();
    const snHandlePlayerDef* def = given != NULL ? given : &fallback;
    SNI_TRY(sni_need_rig(document, error));
    SNI_TRY(sni_document_mesh(document, &mesh, error));
    snHandlePlayer* play = SNI_NEW(&document->allocator, snHandlePlayer);
    if (play == NULL) return sni_fail_memory(error);
    play->document = document;
    play->def = *def;
    play->allocator = document->allocator;
    play->file = sn_document_path(document);
    play->fps = def->fps > 0.0f ? def->fps : play->file != NULL ? play->file->fps : 30.0f;
    play->steps = play->fps < LEAST_RATE ? (uint32_t)sn_minf(ceilf(LEAST_RATE / play->fps), 1e6f) : 1;
    bool keyed = play->file != NULL && play->file->keyframes.key_count > 0;
    snResult result = keyed ? make_keyframes(play, error) : make_player(play, error);
    if (result == SN_RESULT_OK)
        *out = play;
    else
        sn_handle_player_destroy(play);
    return result;
}

void sn_handle_player_destroy(snHandlePlayer* play) {
    if (play == NULL) return;
    snAllocator memory = play->allocator;
    sn_path_player_destroy(play->player);
    sni_posed_free(&play->posed, &memory);
    sni_free(&memory, play->path_handles);
    sni_free(&memory, play->weights);
    sni_free(&memory, play->moves);
    sni_free(&memory, play);
}

void sn_handle_player_plan(const snHandlePlayer* play, snTakeDef* out) {
    out->from = play->from;
    out->to = play->to;
    out->fps = play->fps;
    out->frames = play->frames;
}

snResult sn_handle_player_build(snHandlePlayer* play, const snPuppetDef* options, snError* error) {
    sniPosed posed = {0};
    SNI_TRY(sni_posed_create(play->document, options, &play->allocator, &posed, error));
    sni_posed_free(&play->posed, &play->allocator);
    play->posed = posed;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- posing

static void find_keyframes(const snHandlePlayer* play, uint32_t frame) {
    const sniHandled* handled = &play->document->state.handled;
    const snHandlePose* const* poses = (const snHandlePose* const*)handled->poses.poses;
    float time = play->from + (float)frame / play->fps;
    sn_keyframes_at(&play->file->keyframes, time, handled->poses.count, play->weights);
    sn_handle_poses_blend(handled->rig, poses, play->weights, NULL, handled->poses.count, play->moves);
}

// Frames follow from those before: another one is reached through them.
static snResult find_path(snHandlePlayer* play, uint32_t frame, snPathFrame* out) {
    uint32_t last = frame * play->steps;
    if (last < play->next) play->next = 0;
    while (play->next <= last) SNI_TRY(sn_path_player_run(play->player, play->next++, out));
    return SN_RESULT_OK;
}

snResult sn_handle_player_find(snHandlePlayer* play, uint32_t frame, snPathFrame* out) {
    if (play == NULL || out == NULL || frame >= play->frames) return SN_RESULT_INVALID_ARGUMENT;
    snPathFrame made = {
        .time = play->from + (float)frame / play->fps, .handles = play->moves, .weights = play->weights};
    double start = play->def.clock != NULL ? play->def.clock() : 0.0;
    if (play->player != NULL)
        SNI_TRY(find_path(play, frame, &made));
    else
        find_keyframes(play, frame);
    if (frame >= play->counted) {
        play->counted = frame + 1;
        if (play->def.clock != NULL) play->seconds += play->def.clock() - start;
    }
    *out = made;
    return SN_RESULT_OK;
}

snResult sn_handle_player_pose(snHandlePlayer* play, uint32_t frame) {
    snPathFrame made;
    if (play->posed.puppet == NULL) return SN_RESULT_INVALID_ARGUMENT;
    SNI_TRY(sn_handle_player_find(play, frame, &made));
    return sni_posed_run(play->document, &play->posed, made.handles, made.weights);
}

static snResult pose_frame(void* user, uint32_t frame) { return sn_handle_player_pose(user, frame); }
static snSurface frame_surface(void* user, uint32_t part) {
    return sn_puppet_surface(((snHandlePlayer*)user)->posed.puppet, part);
}
static uint64_t frame_hash(void* user) { return sn_puppet_hash(((snHandlePlayer*)user)->posed.puppet); }

snTakeSource sn_handle_player_source(snHandlePlayer* play) {
    return (snTakeSource){pose_frame, frame_surface, frame_hash, play};
}

const snPuppet* sn_handle_player_puppet(const snHandlePlayer* play) { return play->posed.puppet; }
uint32_t sn_handle_player_path_count(const snHandlePlayer* play) { return play->path_count; }
uint32_t sn_handle_player_path_handle(const snHandlePlayer* play, uint32_t path) {
    return path < play->path_count ? play->path_handles[path] : SN_NONE;
}
snContactReport sn_handle_player_contact(const snHandlePlayer* play, uint32_t path) {
    if (path >= play->path_count) return (snContactReport){0};
    snContactReport report = sn_path_player_report(play->player, path);
    report.frames = (report.frames + play->steps / 2) / play->steps; // of the film, to the nearest
    return report;
}
double sn_handle_player_seconds(const snHandlePlayer* play) { return play->seconds; }
