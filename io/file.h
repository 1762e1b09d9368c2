// Whole files, bounded.
#ifndef SNI_IO_FILE_H
#define SNI_IO_FILE_H

#include "sinew/base.h"

// Reads a whole regular file into memory from `allocator`; pipes and devices are refused without waiting for
// them. Adds a terminating zero that is not counted in `out_size`. Files above `limit` bytes are refused
// before anything is allocated.
snResult sni_file_read(const char* path, size_t limit, const snAllocator* allocator, uint8_t** out,
                       size_t* out_size, snError* error);
// The same for what is open already, pipes too, until it ends; `name` appears in errors.
snResult sni_stream_read_all(int file, const char* name, size_t limit, const snAllocator* allocator,
                             uint8_t** out, size_t* out_size, snError* error);
// sni_file_read for a file that another one names: the first `folder` characters of the path are where that
// one lies, and no link leads out of there.
snResult sni_file_read_beneath(const char* path, size_t folder, size_t limit, const snAllocator* allocator,
                               uint8_t** out, size_t* out_size, snError* error);
// Opens for that; -1: errno says why, EXDEV or ELOOP for a link that leads out. `walking`: step by step, as
// on systems that know no better; then no link is followed at all.
int sni_open_beneath(int folder, const char* relative, bool walking);
// sni_file_read, or a copy of `size` bytes where `data` is given, without a zero behind them: a reader may
// write into what it gets.
snResult sni_file_take(const char* path, const void* data, size_t size, size_t limit,
                       const snAllocator* allocator, uint8_t** out, size_t* out_size, snError* error);
bool sni_file_exists(const char* path);
// True when both paths lie in the same existing folder.
bool sni_file_same_folder(const char* a, const char* b);
// True when both paths lead to one existing file.
bool sni_file_same(const char* a, const char* b);
// Length of the folder part of a path with its last slash; 0 for a bare name.
size_t sni_path_folder(const char* path);
// The extension with its point, "" when there is none. Points into `path`.
const char* sni_path_extension(const char* path);
// Compares an extension with a lower-case one, ignoring ASCII case.
bool sni_extension_is(const char* extension, const char* lower);

#endif
