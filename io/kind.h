// Which of Sinew's files a JSON text is: "sinew_rig": 1, "sinew_pose": 1, "sinew_path": 1.
#ifndef SNI_IO_KIND_H
#define SNI_IO_KIND_H

#include "settings_json.h"

// Whether the root says version 1 of the kind under `key`; else a fault, which names the other kind that it
// is. Asked before all else: a pose given by mistake is no rig with an unknown key.
static inline bool sni_expect_kind(sniReading* reading, const sniJson* root, const char* key,
                                   const char* kind) {
    static const struct {
        const char *key, *kind;
    } kinds[] = {
        {"sinew_rig", "a rig (.snrig)"}, {"sinew_pose", "a pose (.snpose)"}, {"sinew_path", "a path file"}};
    sniJson version = sni_json_get(root, key);
    int64_t number = 0;
    if (sni_json_whole(&version, &number) && number == 1) return true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && version.value == NULL; i++) {
        if (sni_json_get(root, kinds[i].key).value == NULL) continue;
        sni_fault(reading, root, "is %s, expected %s", kinds[i].kind, kind);
        return false;
    }
    char expected[64];
    snprintf(expected, sizeof expected, "version 1 of %s", kind);
    sni_fault_kind(reading, &version, expected);
    return false;
}

#endif
