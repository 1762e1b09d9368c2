// A process that gives away what it will not need: for programs that read strangers' files with others' code.
#ifndef SNI_IO_SANDBOX_H
#define SNI_IO_SANDBOX_H

#include "bytes.h"

// What was tried against a sandbox, and what became of it.
typedef struct sniProbe {
    const char* act;
    bool refused;
    int reason; // errno
} sniProbe;
#define SNI_PROBE_COUNT 11u

// Tries what a sandbox refuses: files, processes, the network, and more. Leaves nothing behind.
void sni_sandbox_probe(sniProbe out[SNI_PROBE_COUNT]);

// A child between fork and exec, by system calls alone: it dies with its parent, has no more than its three
// streams open, and writes no file.
void sni_sandbox_prepare(int parent);

#endif
