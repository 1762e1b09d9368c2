// JPEG pictures through libjpeg-turbo, to 8-bit RGBA.
//
// libjpeg reports errors by a long jump; what must be freed lives in a Session outside of the function that
// sets it.
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "base/error.h"
#include "base/progress.h"
#include "picture.h"

// Bytes that the decoder may hold: coefficients of a whole picture that comes in several scans.
#define DECODER_BYTES ((long)512 << 20)
// A picture of few bytes can ask for the work of thousands of scans.
#define MOST_SCANS 100

typedef struct Session {
    struct jpeg_error_mgr errors; // first: libjpeg hands back its address
    struct jpeg_progress_mgr scans;
    jmp_buf jump;
    const snProgress* progress;
    snImage* image;
    snResult result;
    snError* error;
} Session;

static void on_error(j_common_ptr info) {
    Session* session = (Session*)(void*)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    if (session->result == SN_RESULT_OK)
        session->result = sni_fail(session->error, SN_RESULT_BAD_DATA, "JPEG: %s", text);
    longjmp(session->jump, 1);
}

static void on_message(j_common_ptr info) { (void)info; }

static void on_progress(j_common_ptr info) {
    Session* session = (Session*)(void*)info->err;
    const struct jpeg_decompress_struct* jpeg = (const struct jpeg_decompress_struct*)info;
    if (jpeg->input_scan_number > MOST_SCANS)
        session->result =
            sni_fail(session->error, SN_RESULT_BAD_DATA, "JPEG: more than %d scans", MOST_SCANS);
    else
        session->result = sni_progress(session->progress, "reading", 0.0f, session->error);
    if (session->result != SN_RESULT_OK) longjmp(session->jump, 1);
}

static void read_pixels(Session* session, struct jpeg_decompress_struct* jpeg, const void* data, size_t size,
                        const snAllocator* allocator) {
    if (setjmp(session->jump) != 0) return;
    jpeg_create_decompress(jpeg);
    jpeg->mem->max_memory_to_use = DECODER_BYTES;
    jpeg->progress = &session->scans;
    jpeg_mem_src(jpeg, data, (unsigned long)size);
    jpeg_read_header(jpeg, TRUE);
    jpeg->out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(jpeg);
    session->result = sn_image_create(jpeg->output_width, jpeg->output_height, allocator, &session->image);
    if (session->result != SN_RESULT_OK) return;
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = session->image->pixels + (size_t)jpeg->output_scanline * jpeg->output_width * 4;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
}

snResult sni_jpeg_decode(const void* data, size_t size, const snProgress* progress,
                         const snAllocator* allocator, snImage** out, snError* error) {
    Session session = {.progress = progress, .result = SN_RESULT_OK, .error = error};
    struct jpeg_decompress_struct jpeg = {.err = jpeg_std_error(&session.errors)};
    session.errors.error_exit = on_error;
    session.errors.output_message = on_message;
    session.scans.progress_monitor = on_progress;
    read_pixels(&session, &jpeg, data, size, allocator);
    jpeg_destroy_decompress(&jpeg);
    if (session.result == SN_RESULT_OK) {
        *out = session.image;
        return SN_RESULT_OK;
    }
    sn_image_destroy(session.image);
    return session.result == SN_RESULT_OUT_OF_MEMORY ? sni_fail_memory(error) : session.result;
}
