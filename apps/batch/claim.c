#include "claim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"

// Locks of an open file, not of a process: a second one of the same process is refused as well.
static bool lock(int file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &whole) == 0;
}

// The name may have got another file since: whoever releases a claim removes it.
static bool is_still(int file, const char* path) {
    struct stat open_one, named;
    return fstat(file, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

batchClaimed batch_claim_take(const char* state, uint64_t id, batchClaim* out) {
    out->file = -1;
    batch_state_path(state, "claims", id, "lock", out->path);
    for (;;) {
        int file = open(out->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) return BATCH_CLAIM_ERROR;
        if (!lock(file)) {
            int reason = errno;
            close(file);
            errno = reason;
            return reason == EAGAIN || reason == EACCES ? BATCH_CLAIM_THEIRS : BATCH_CLAIM_ERROR;
        }
        if (is_still(file, out->path)) {
            out->file = file;
            return BATCH_CLAIM_OURS;
        }
        close(file);
    }
}

void batch_claim_release(batchClaim* claim) {
    if (claim->file < 0) return;
    unlink(claim->path);
    close(claim->file);
    claim->file = -1;
}

bool batch_claim_is_held(const char* state, uint64_t id) {
    char path[4096];
    snprintf(path, sizeof path, "%.3900s/claims/%02x/%016" PRIx64 ".lock", state, (unsigned)(id >> 56), id);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return false;
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool held = fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    close(file);
    return held;
}
