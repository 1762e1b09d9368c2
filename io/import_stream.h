// A model as the importer process hands it over: a private, versioned form, written and read on one machine.
//
// Everything is in units of four bytes, in the machine's own order. A text is its length, its bytes and one
// to four zeros. The head is eight words: "SNIMPORT", version, kind, result, 0, and the length of the body as
// two words. The reader trusts none of it: the importer may have been taken over by the file it read.
#ifndef SNI_IO_IMPORT_STREAM_H
#define SNI_IO_IMPORT_STREAM_H

#include "source.h"

#define SNI_STREAM_VERSION 2

// Appends the whole stream of a model; failure is sticky in `out`. Of materials the pictures stay behind.
void sni_stream_write(const snModel* model, const snNotes* notes, sniBytes* out);
// Appends the stream of a refusal.
void sni_stream_write_error(snResult result, const char* text, sniBytes* out);

// Reads a stream from the source's data. A refusal comes back as its own result and sentence. Everything is
// checked here or by sn_model_create; errors name source->name.
snResult sni_stream_read(const sniSource* source, snModel** out);

// Shared by both sides.
enum { SNI_STREAM_MODEL = 1, SNI_STREAM_ERROR = 2 };
enum { SNI_STREAM_HEAD = 32 };
extern const char sni_stream_magic[8];

#endif
