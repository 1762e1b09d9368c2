// A model in front of the camera: poses it and turns each pose into a picture, a still or a film.
#ifndef SINEW_STAGE_H
#define SINEW_STAGE_H

#include "extent.h"
#include "render.h"
#include "sinew/character.h"
#include "sinew/paths.h"

typedef struct snStage snStage;

typedef struct snStageDef {
    snRenderer* renderer; // must outlive the stage; several stages may share one
    const snModel* model; // must outlive the stage; its images, too
    const char* path;     // file of the model, named in errors about it; must outlive the stage; or NULL
    // How a character of the model is deformed; copied. NULL: as the model says, or the defaults.
    const snSettings* settings;
    // One per part, posed by the caller: drawn instead of a character's, and must outlive the stage. NULL:
    // the stage has a character.
    const snSurface* surfaces;
    snTasks tasks;    // of the character; default: the calling thread
    snCpuLevel level; // the same; default SN_CPU_AUTO
} snStageDef;
snStageDef sn_stage_def(void);

snResult sn_stage_create(const snStageDef* def, const snAllocator* allocator, snStage** out, snError* error);
// Before the renderer it was made with.
void sn_stage_destroy(snStage* stage);

// The character that is drawn; NULL where there are surfaces instead. Whoever poses it calls sn_stage_begin.
snCharacter* sn_stage_character(snStage* stage);
// How clips go on behind their end; SN_WRAP_CLAMP unless set.
void sn_stage_set_wrap(snStage* stage, snWrap wrap);
// Forgets the moment drawn last: the next is one that flesh comes to from the clip's start.
void sn_stage_begin(snStage* stage);
// Draws this terrain as well, instead of the scene's flat floor: over the x and z of the bounds and a margin.
// NULL: none.
snResult sn_stage_set_ground(snStage* stage, const snTerrain* terrain, snBounds bounds, snError* error);

// ------------------------------------------------------------------------------------------------ showing

// What pictures show from now on; the last call counts. A failed one leaves the plain surface.
void sn_stage_show_surface(snStage* stage);
// The weights of a joint of the skeleton as a heat map. `name` is what the legend calls it; copied, NULL: its
// own.
snResult sn_stage_show_weights(snStage* stage, uint32_t joint, const char* name, snError* error);
// All weights: a color for every joint, mixed.
snResult sn_stage_show_all_weights(snStage* stage, snError* error);
// How far the surface is from where the skin alone would put it, in millimetres, as a heat map.
// SN_RESULT_NOT_FOUND: there is no lattice, and nothing else moves it.
snResult sn_stage_show_moves(snStage* stage, snError* error);
// Where the ways of binding disagree (sn_model_doubt of this model), in hundredths of its size, as a
// heat map.
snResult sn_stage_show_doubt(snStage* stage, const snBindDoubt* doubt, snError* error);
// The cells of the lattice instead of the parts, colored by their kind: surface, inside, copies; or by joint
// part. SN_RESULT_NOT_FOUND: there is no lattice.
snResult sn_stage_show_lattice(snStage* stage, snError* error);
snResult sn_stage_show_parts(snStage* stage, snError* error);

// ------------------------------------------------------------------------------------------------ framing

// Adds what the surface reaches over a stretch of a clip (or SN_CLIP_REST), flesh at rest; surfaces: what
// they reach now.
void sn_stage_reach(snStage* stage, uint32_t clip, float from, float to, snExtent* extent);

// Whether the camera goes along with a character. AUTO: where it travels, further than its own size.
typedef enum snStageFollow { SN_FOLLOW_AUTO = 0, SN_FOLLOW_ON, SN_FOLLOW_OFF } snStageFollow;

typedef struct snStageSceneDef {
    snView view;            // default from the front
    bool from_character;    // the view's yaw counts from where the character faces; default false: from +Z
    snStageFollow follow;   // default SN_FOLLOW_AUTO
    uint32_t width, height; // pixels; default 960 x 720
    uint32_t clip;          // default SN_CLIP_REST
    float from, to;         // seconds; equal: one moment
    uint32_t focus;         // a close-up of this joint all along; none, the default SN_NONE: the whole model
    bool film;              // many pictures: each takes less time; default false
    // Surfaces that move: what each of the frames reaches, at least one, and how many there are a second.
    // NULL, the default: they are held as they are now.
    const snBounds* frames;
    uint32_t frame_count;
    float fps;
} snStageSceneDef;
snStageSceneDef sn_stage_scene_def(void);
// The scene, less its items, whose camera holds everything that the stretch reaches, or the joint in focus.
// Surfaces have no focus. Where the camera follows, it holds the character itself, and what is drawn of this
// clip (of surfaces: of the frames, SN_CLIP_REST) from now on is seen from where the camera is at that
// moment; a focus that is no film stays on its joint. Until the next scene.
snShot sn_stage_scene(snStage* stage, const snStageSceneDef* def);

// ------------------------------------------------------------------------------------------------ drawing

// Everywhere below `scene` says everything but the items. SN_RESULT_UNSUPPORTED is a limit of the OpenGL
// driver.

// Poses (a moment of a clip, or SN_CLIP_REST) and draws. Flesh has moved from the clip's start to there, or
// from the last moment drawn. The image belongs to the caller. Not for surfaces.
snResult sn_stage_draw(snStage* stage, uint32_t clip, float time, const snShot* scene, snImage** out,
                       snError* error);
// Draws the surfaces as they are now, by a camera that stays.
snResult sn_stage_draw_surfaces(snStage* stage, const snShot* scene, snImage** out, snError* error);

// Draws a moment into a .png; surfaces as they are now, as the camera sees the frame of that moment.
snResult sn_stage_still(snStage* stage, uint32_t clip, float time, const snShot* scene, const char* path,
                        snError* error);

// Moments of a clip side by side, labelled with their times, from its start to its end less the last moment,
// which is the first again in a loop. Tells "drawing"; `progress` may be NULL.
#define SN_STAGE_MAX_MOMENTS 24
snResult sn_stage_sheet(snStage* stage, uint32_t clip, uint32_t moments, const snShot* scene,
                        const snProgress* progress, snImage** out, snError* error);

// Poses the surfaces as frame i of a film shows them; frames come in order.
typedef snResult snStagePoseFn(void* user, uint32_t frame, snError* error);

typedef struct snStageFilmDef {
    const char* path; // .mp4 or .gif
    float fps;        // above 0; default 30
    uint32_t frames;  // 1 or more; default 1
    uint32_t clip;    // default SN_CLIP_REST
    float from;       // seconds of the clip at the first frame
    // Surfaces instead of a clip.
    snStagePoseFn* pose;
    void* pose_user;
    snProgress progress; // "filming"
} snStageFilmDef;
snStageFilmDef sn_stage_film_def(void);
// Films frame by frame. After a failure, SN_RESULT_CANCELLED too, nothing is left of the film.
snResult sn_stage_film(snStage* stage, const snStageFilmDef* def, const snShot* scene, snError* error);

#endif
