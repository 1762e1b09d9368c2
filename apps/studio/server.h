// Serves the studio's folder, and files that were named, to browsers on this machine: loopback alone, with
// the headers that let a page have threads. Nothing that is not in the list can be asked for, whatever the
// path says.
#ifndef SINEW_STUDIO_SERVER_H
#define SINEW_STUDIO_SERVER_H

#include "sinew/base.h"

typedef struct snServer snServer;

// Lists what is in `folder` now, with its folders, and the files (`open` of them), which are to be had as
// open/NAME, and listens on 127.0.0.1. `port` 0: a free one. SN_RESULT_NOT_FOUND: there is no index.html in
// the folder.
snResult sn_server_create(const char* folder, const char* const* open, uint32_t count, uint16_t port,
                          const snAllocator* allocator, snServer** out, snError* error);
void sn_server_destroy(snServer* server);
uint16_t sn_server_port(const snServer* server);
// The page's address, with the files that it opens.
snResult sn_server_address(const snServer* server, char* out, size_t capacity);
// Answers until `stop` says so, which is asked at least five times a second.
typedef bool snServerStopFn(void* user);
snResult sn_server_run(snServer* server, snServerStopFn* stop, void* user, snError* error);

#endif
