// Pages that tell what was found: text made harmless, numbers as people read them, and one look for all.
#ifndef SNI_DOCUMENT_HTML_H
#define SNI_DOCUMENT_HTML_H

#include "io/bytes.h"

// Text with <, >, & and quotes made harmless.
void sni_html_escape(sniBytes* out, const char* text);
// The look of the page, as CSS, in light and dark.
const char* sni_html_style(void);
// The color of a line, as CSS.
const char* sni_line_color(uint32_t i);

// "12.3 %": as many digits as tell something.
typedef struct sniPercent {
    char text[32];
} sniPercent;
sniPercent sni_percent(float value);

#endif
