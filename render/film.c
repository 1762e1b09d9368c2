#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/temporary.h"
#include "sinew/io.h"

struct snFilm {
    char* path;
    char* target; // "file:" and the temporary name: one that starts with '-' would read as an option
    uint32_t width, height;
    int socket;    // frames go in here; a socket, so that writing can ask for no SIGPIPE
    int words;     // what the encoder said on stderr; an unlinked file, so that it never blocks
    pid_t encoder; // 0: none
    sniTemporary temporary;
    snAllocator allocator;
};

typedef enum Container { CONTAINER_NONE, CONTAINER_MP4, CONTAINER_GIF } Container;

static Container container_of(const char* path) {
    const char* dot = strrchr(path, '.');
    if (dot == NULL) return CONTAINER_NONE;
    if (strcasecmp(dot, ".mp4") == 0) return CONTAINER_MP4;
    if (strcasecmp(dot, ".gif") == 0) return CONTAINER_GIF;
    return CONTAINER_NONE;
}

bool sn_film_is_path(const char* path) { return container_of(path) != CONTAINER_NONE; }

static void free_film(snFilm* film) {
    snAllocator memory = film->allocator;
    if (film->socket >= 0) close(film->socket);
    if (film->words >= 0) close(film->words);
    sni_temporary_close(&film->temporary);
    sni_free(&memory, film->path);
    sni_free(&memory, film->target);
    sni_free(&memory, film);
}

static int open_words(void) {
    char name[] = "/tmp/sinew-film-XXXXXX";
    int file = mkostemp(name, O_CLOEXEC);
    if (file >= 0) unlink(name);
    return file;
}

#define MAX_ARGUMENTS 40

// H.264 wants even sizes in 4:2:0: one more row or column of the border is added where needed. A GIF's
// palette is made from the film itself, in one pass over the frames.
static void list_arguments(const char** list, const char* encoder, Container container, const char* size,
                           const char* fps, const char* output) {
    static const char* const mp4[] = {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p",
                                      "-c:v",      "libx264",
                                      "-preset",   "fast",
                                      "-crf",      "19",
                                      "-movflags", "+faststart",
                                      "-f",        "mp4",
                                      NULL};
    static const char* const gif[] = {
        "-filter_complex",
        "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a:diff_mode=rectangle",
        "-loop",
        "0",
        "-f",
        "gif",
        NULL};
    const char* const head[] = {encoder,    "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f",
                                "rawvideo", "-pix_fmt",     "rgba",      "-s",    size,       "-r", fps,
                                "-i",       "pipe:0",       NULL};
    size_t count = 0;
    for (size_t i = 0; head[i] != NULL; i++) list[count++] = head[i];
    const char* const* tail = container == CONTAINER_MP4 ? mp4 : gif;
    for (size_t i = 0; tail[i] != NULL; i++) list[count++] = tail[i];
    list[count++] = output;
    list[count] = NULL;
}

static int spawn(snFilm* film, const char* const* arguments, int input, const sigset_t* mask) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, film->words, STDERR_FILENO);
    // posix_spawn takes char* for old times' sake and changes nothing.
    failed =
        posix_spawnp(&film->encoder, arguments[0], &actions, &attributes, (char* const*)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) film->encoder = 0;
    return failed;
}

// A signal between the encoder's birth and its listing would leave it behind, to make its file anew: signals
// wait until both are done. The encoder itself takes those that we take.
static int spawn_listed(snFilm* film, const char* const* arguments, int input) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int failed = spawn(film, arguments, input, &before);
    sni_temporary_written_by(film->temporary.listed, film->encoder);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static snResult start_encoder(snFilm* film, const snFilmDef* def, snError* error) {
    int ends[2];
    film->words = open_words();
    if (film->words < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return sni_fail(error, SN_RESULT_IO, "cannot talk to the film encoder: %s", strerror(errno));
    film->socket = ends[0];
    shutdown(ends[0], SHUT_RD);
    char size[32], fps[32];
    snprintf(size, sizeof size, "%ux%u", def->width, def->height);
    snprintf(fps, sizeof fps, "%.6g", (double)def->fps);
    const char* encoder = def->encoder != NULL ? def->encoder : "ffmpeg";
    const char* arguments[MAX_ARGUMENTS];
    list_arguments(arguments, encoder, container_of(def->path), size, fps, film->target);
    int failed = spawn_listed(film, arguments, ends[1]);
    close(ends[1]);
    if (failed == 0) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_IO, "cannot start %s: %s (films need ffmpeg in PATH)", encoder,
                    strerror(failed));
}

snResult sn_film_open(const snFilmDef* def, const snAllocator* allocator, snFilm** out, snError* error) {
    if (!sn_film_is_path(def->path))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "%s: films are .mp4 or .gif", def->path);
    if (def->width == 0 || def->height == 0 || !(def->fps > 0) || !sn_finite(def->fps))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a film of %u x %u pixels at %g frames a second",
                        def->width, def->height, (double)def->fps);
    snAllocator memory = sni_allocator(allocator);
    snFilm* film = SNI_NEW(&memory, snFilm);
    if (film == NULL) return sni_fail_memory(error);
    *film = (snFilm){.width = def->width,
                     .height = def->height,
                     .socket = -1,
                     .words = -1,
                     .temporary = {.file = -1, .listed = SNI_TEMPORARY_NONE},
                     .allocator = memory};
    size_t room = strlen(def->path) + 64;
    film->path = sni_copy_text(&memory, def->path);
    film->target = sni_alloc_array(&memory, room, 1);
    snResult result = SN_RESULT_OK;
    if (film->path == NULL || film->target == NULL) {
        result = sni_fail_memory(error);
    } else if (!sni_temporary_open(def->path, &film->temporary)) {
        result = sni_fail(error, SN_RESULT_IO, "%s: %s", def->path, strerror(errno));
    } else {
        snprintf(film->target, room, "file:%s", film->temporary.name);
        result = start_encoder(film, def, error);
        if (result != SN_RESULT_OK) unlink(film->temporary.name);
    }
    if (result != SN_RESULT_OK) {
        free_film(film);
        return result;
    }
    *out = film;
    return SN_RESULT_OK;
}

snResult sn_film_add(snFilm* film, const snImage* frame, snError* error) {
    if (frame->width != film->width || frame->height != film->height)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a frame of %u x %u in a film of %u x %u",
                        frame->width, frame->height, film->width, film->height);
    const uint8_t* bytes = frame->pixels;
    size_t left = (size_t)frame->width * frame->height * 4;
    while (left > 0) {
        ssize_t sent = send(film->socket, bytes, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return sni_fail(error, SN_RESULT_IO, "%s: the film encoder stopped early", film->path);
        bytes += sent;
        left -= (size_t)sent;
    }
    return SN_RESULT_OK;
}

// The last line the encoder wrote, without its line break.
static void last_words(const snFilm* film, char* out, size_t capacity) {
    char text[1024];
    off_t end = lseek(film->words, 0, SEEK_END);
    off_t from = end > (off_t)sizeof text - 1 ? end - (off_t)(sizeof text - 1) : 0;
    ssize_t got = pread(film->words, text, sizeof text - 1, from);
    size_t length = got > 0 ? (size_t)got : 0;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) length--;
    text[length] = '\0';
    const char* line = strrchr(text, '\n');
    snprintf(out, capacity, "%.*s", (int)capacity - 1, line != NULL ? line + 1 : text);
}

// Its number is taken off the list between its end and the moment when the number may become anybody's.
static int wait_encoder(snFilm* film) {
    int status = 0;
    siginfo_t ended;
    while (waitid(P_PID, (id_t)film->encoder, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    sni_temporary_written_by(film->temporary.listed, 0);
    while (waitpid(film->encoder, &status, 0) < 0 && errno == EINTR) {
    }
    film->encoder = 0;
    return status;
}

snResult sn_film_close(snFilm* film, snError* error) {
    close(film->socket);
    film->socket = -1;
    int status = wait_encoder(film);
    snResult result = SN_RESULT_OK;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char words[256];
        last_words(film, words, sizeof words);
        result = sni_fail(error, SN_RESULT_IO, "%s: the film encoder failed: %s", film->path,
                          words[0] != '\0' ? words : "it gave no reason");
    } else if (rename(film->temporary.name, film->path) != 0) {
        result = sni_fail(error, SN_RESULT_IO, "%s: %s", film->path, strerror(errno));
    }
    if (result != SN_RESULT_OK) unlink(film->temporary.name);
    free_film(film);
    return result;
}

void sn_film_abandon(snFilm* film) {
    if (film == NULL) return;
    close(film->socket);
    film->socket = -1;
    kill(film->encoder, SIGKILL);
    wait_encoder(film);
    unlink(film->temporary.name);
    free_film(film);
}

// --------------------------------------------------------------------------------------------- whole films

snResult sn_film_shoot(const snFilmDef* def, uint32_t frames, snFilmDrawFn* draw, void* user,
                       const snProgress* progress, const snAllocator* allocator, snError* error) {
    const snProgress nobody = {0};
    if (progress == NULL) progress = &nobody;
    snFilm* film = NULL;
    snResult result = sn_film_open(def, allocator, &film, error);
    if (film == NULL) return result;
    for (uint32_t i = 0; i < frames; i++) {
        snImage* frame = NULL;
        result = sni_progress(progress, "filming", (float)i / (float)frames, error);
        if (result == SN_RESULT_OK) result = draw(user, i, &frame, error);
        if (result != SN_RESULT_OK) break;
        snResult added = sn_film_add(film, frame, error);
        sn_image_destroy(frame);
        if (added != SN_RESULT_OK) break; // closing knows the encoder's reason
    }
    if (result == SN_RESULT_OK) result = sni_progress(progress, "filming", 1.0f, error);
    if (result == SN_RESULT_OK) return sn_film_close(film, error);
    sn_film_abandon(film);
    return result;
}
