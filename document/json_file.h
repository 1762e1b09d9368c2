// JSON files that say more about an edit.
#ifndef SNI_DOCUMENT_JSON_FILE_H
#define SNI_DOCUMENT_JSON_FILE_H

#include "document.h"
#include "io/json_file.h"

// {"joints": {"TARGET": "SOURCE", "OTHER": null}}, which `what` names where it is missing, as a list; free
// with sn_joint_overrides_free. `check` says whether both names are there, while the line is known.
typedef snResult sniPairFn(void* user, const char* target, const char* source, snError* error);
snResult sni_joint_pairs_read(const snDocument* document, const char* name, const void* data, size_t size,
                              const char* what, sniPairFn* check, void* user, snJointOverrides* out,
                              snError* error);

#endif
