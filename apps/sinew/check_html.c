// The report of a check as a file.
#include "check.h"

static bool tell(void* user, const char* stage, float share) {
    cliContext* context = user;
    context_progress(context, stage, (uint32_t)(share * SN_MEASURE_COUNT + 0.5f), SN_MEASURE_COUNT);
    return true;
}

static cliExit write(const checkJob* job, const snCheckReportDef* def, const char* path) {
    snBytes page = {0};
    snError error = sn_error_none();
    snResult result = sn_checkup_report(job->checkup, def, &page, &error);
    if (result == SN_RESULT_OK) result = sn_file_write(path, page.data, page.size, &error);
    sn_bytes_free(&page);
    if (result != SN_RESULT_OK) return context_fail(job->context, &error);
    context_say(job->context, "wrote %s", path);
    return CLI_DONE;
}

cliExit check_write_html(const checkJob* job, const char* path) {
    checkPictures* pictures = NULL;
    char why[256] = "";
    cliExit code = check_pictures_open(job, &pictures, why, sizeof why);
    if (code != CLI_DONE) return code;
    snCheckReportDef def = sn_check_report_def();
    def.title = job->title;
    def.no_pictures = why;
    def.draw = pictures != NULL ? check_pictures_draw : NULL;
    def.user = pictures;
    def.side = CHECK_PICTURE;
    def.progress = (snProgress){tell, job->context};
    code = write(job, &def, path);
    check_pictures_close(pictures);
    return code;
}
