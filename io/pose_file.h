// Poses as text, for those who do not want a file.
#ifndef SNI_IO_POSE_FILE_H
#define SNI_IO_POSE_FILE_H

#include "bytes.h"
#include "sinew/io.h"

// What sn_handle_pose_write writes; out of memory is the sticky failure of `out`.
void sni_pose_print(sniBytes* out, const snHandlePose* pose, const snHandles* handles);

#endif
