// Films: frames handed to ffmpeg, a child process started without a shell.
#ifndef SINEW_FILM_H
#define SINEW_FILM_H

#include "sinew/rig.h"

typedef struct snFilmDef {
    const char* path; // .mp4 (H.264, plays everywhere) or .gif
    uint32_t width, height;
    float fps;           // above 0
    const char* encoder; // program to run, found in PATH; NULL: "ffmpeg"
} snFilmDef;

typedef struct snFilm snFilm;

// True when the path ends in .mp4 or .gif.
bool sn_film_is_path(const char* path);

// Starts the encoder, which writes to a temporary name beside `path`. SN_RESULT_UNSUPPORTED: another
// extension; SN_RESULT_IO: the encoder cannot be started.
snResult sn_film_open(const snFilmDef* def, const snAllocator* allocator, snFilm** out, snError* error);
// Appends one frame of the Def's size. SN_RESULT_IO when the encoder died; sn_film_close then says why.
snResult sn_film_add(snFilm* film, const snImage* frame, snError* error);
// Waits for the encoder and gives the file its name. On failure the error carries the encoder's last words
// and nothing is left behind. Frees the film in any case.
snResult sn_film_close(snFilm* film, snError* error);
// Stops the encoder, removes the temporary file, frees the film. NULL is fine.
void sn_film_abandon(snFilm* film);

// Makes frame i of a film, in order; the image is handed over.
typedef snResult snFilmDrawFn(void* user, uint32_t frame, snImage** out, snError* error);
// A whole film: opens it, asks for its frames one by one and closes it. Tells "filming"; `progress` may be
// NULL. After a failure, SN_RESULT_CANCELLED too, nothing is left of the film.
snResult sn_film_shoot(const snFilmDef* def, uint32_t frames, snFilmDrawFn* draw, void* user,
                       const snProgress* progress, const snAllocator* allocator, snError* error);

#endif
