// Parts of pages.
#include "html.h"

#include <stdio.h>

void sni_html_escape(sniBytes* out, const char* text) {
    for (; *text != '\0'; text++) {
        const char* safe = *text == '<'    ? "&lt;"
                           : *text == '>'  ? "&gt;"
                           : *text == '&'  ? "&amp;"
                           : *text == '"'  ? "&quot;"
                           : *text == '\'' ? "&#39;"
                                           : NULL;
        if (safe != NULL)
            sni_bytes_text(out, safe);
        else if ((unsigned char)*text >= 32)
            sni_bytes_add(out, text, 1);
    }
}

static const char style[] =
    ":root{--bg:#fbfbfa;--fg:#22252b;--dim:#6c727d;--line:#dcdde0;--card:#fff;--ok:#2f7d4f;--warn:#b97800;"
    "--fail:#c2362b;--okb:#e4f2e9;--warnb:#fdf0d5;--failb:#fbe1de;--band:#f2f3f4;"
    "--l0:#c2362b;--l1:#2766b0;--l2:#2f7d4f;--l3:#b97800;--l4:#7a4fb5;--l5:#0d8a93;--l6:#a8487e;--l7:#5c6470}"
    "@media(prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e6e7ea;--dim:#9aa1ad;--line:#33373f;"
    "--card:#1e2127;--ok:#6fcf97;--warn:#f2c14e;--fail:#ff7b6e;--okb:#1d3327;--warnb:#3a2f15;--failb:#402220;"
    "--band:#22262c;--l0:#ff7b6e;--l1:#6aa9f0;--l2:#6fcf97;--l3:#f2c14e;--l4:#b596e8;--l5:#5fd0d8;"
    "--l6:#e08fbf;--l7:#a7aebb}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "main{max-width:1040px;margin:0 auto;padding:32px 24px 64px}h1{font-size:26px;margin:0 0 4px}"
    "h2{font-size:19px;margin:0 0 2px}p{margin:4px 0 12px}.dim{color:var(--dim)}"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;"
    "margin:18px 0}"
    ".badge{display:inline-block;border-radius:6px;padding:1px 9px;font-size:13px;font-weight:600;"
    "vertical-align:middle;margin-left:8px}"
    ".ok{color:var(--ok);background:var(--okb)}.warn{color:var(--warn);background:var(--warnb)}"
    ".fail{color:var(--fail);background:var(--failb)}"
    "table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}"
    "th{text-align:left;font-weight:600;color:var(--dim);font-size:13px}"
    "td,th{padding:5px 10px;border-bottom:1px solid var(--line);white-space:nowrap}"
    "td.n,th.n{text-align:right}td.w{white-space:normal}tr:last-child td{border-bottom:0}a{color:inherit}"
    ".wide{overflow-x:auto}svg{width:100%;height:auto;display:block;margin:10px 0 0}"
    "svg text{font-size:11px;fill:var(--dim)}svg polyline{fill:none;stroke-width:1.6}"
    "svg .axis{stroke:var(--line)}svg .limit{stroke-dasharray:5 4}svg .limit.warn{stroke:var(--warn)}"
    "svg .limit.fail{stroke:var(--fail)}.band0{fill:transparent}.band1{fill:var(--band)}"
    ".band0:hover,.band1:hover{fill:var(--line)}"
    ".keys{margin:2px 0 12px 46px}.key{margin-right:16px;font-size:13px}"
    ".key i{display:inline-block;width:14px;height:3px;border-radius:2px;margin-right:6px;"
    "vertical-align:middle}"
    ".pics{display:flex;flex-wrap:wrap;gap:14px;margin:12px 0}figure{margin:0;flex:1 1 170px;max-width:320px}"
    ".pic{position:relative;border-radius:8px;overflow:hidden;border:1px solid var(--line)}"
    ".pic img{display:block;width:100%;height:auto}"
    ".ring{position:absolute;width:46px;height:46px;margin:-23px 0 0 -23px;border:2.5px solid #e0342a;"
    "border-radius:50%;box-shadow:0 0 0 1.5px #fff9}"
    "figcaption{font-size:13px;color:var(--dim);padding:3px 2px}"
    ".one{display:grid;grid-template-columns:300px minmax(0,1fr);gap:22px;align-items:start}"
    "@media(max-width:760px){.one{grid-template-columns:1fr}}"
    ".advice{border-left:3px solid var(--line);padding-left:12px;margin:12px 0 0}";

const char* sni_html_style(void) { return style; }

const char* sni_line_color(uint32_t i) {
    static const char* const colors[] = {"var(--l0)", "var(--l1)", "var(--l2)", "var(--l3)",
                                         "var(--l4)", "var(--l5)", "var(--l6)", "var(--l7)"};
    return colors[i % 8];
}

sniPercent sni_percent(float value) {
    sniPercent out;
    float percent = 100.0f * value;
    snprintf(out.text, sizeof out.text,
             percent == 0.0f    ? "0 %%"
             : percent < 0.995f ? "%.2f %%"
             : percent < 9.95f  ? "%.1f %%"
                                : "%.0f %%",
             (double)percent);
    return out;
}
