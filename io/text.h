// Text files read token by token, with the line each error is about. Lines end with LF, CR LF or CR.
#ifndef SNI_IO_TEXT_H
#define SNI_IO_TEXT_H

#include "source.h"

typedef struct sniText {
    const char* p;
    const char* begin;
    const char* end;
    uint64_t line; // of p, 1-based
    char comment;  // starts a comment that lasts to the end of the line; 0: none
    const char* name;
    snError* error;
    const sniSource* source;
    uint32_t ticks; // calls of sni_text_tell
} sniText;

sniText sni_text(const sniSource* source, char comment);

// Called for every row, tells now and then how far the text is read.
snResult sni_text_tell(sniText* text);

// An error about the current line.
snResult sni_text_fail(const sniText* text, const char* format, ...) SNI_PRINTF(2, 3);
// "expected `what`, found ..." with the token that stands there.
snResult sni_text_expected(const sniText* text, const char* what);

size_t sni_text_left(const sniText* text); // bytes
// True at a line break, a comment and the end of the file.
bool sni_text_at_line_end(const sniText* text);
void sni_text_blanks(sniText* text);    // skips blanks within the line
void sni_text_space(sniText* text);     // skips blanks, line breaks and comments
void sni_text_next_line(sniText* text); // to the first byte of the next line

// Length of the run of bytes up to the next blank, line end or comment.
size_t sni_text_token(const sniText* text);
// Whether that token is the given lower-case word, in any case; `take` moves behind it.
bool sni_text_is(const sniText* text, const char* word);
bool sni_text_take(sniText* text, const char* word);

// One finite number or one whole number up to `most` on the current line, a blank or the line's end behind.
snResult sni_text_float(sniText* text, float* out);
snResult sni_text_floats(sniText* text, uint32_t count, float* out);
snResult sni_text_whole(sniText* text, uint64_t most, uint64_t* out);

// ------------------------------------------------------------------------------------------------- lists

typedef struct sniList {
    void* items;
    size_t count;
    size_t capacity;
} sniList;

// Appends a copy of an item of `size` bytes. False when out of memory.
bool sni_list_push(const snAllocator* allocator, sniList* list, const void* item, size_t size);

#endif
