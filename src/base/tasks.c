#include "sinew/base.h"

void sn_tasks_run(const snTasks* tasks, snTaskFn* task, void* context, uint32_t count, uint32_t grain) {
    if (count == 0) return;
    if (grain == 0) grain = 1;
    if (tasks != NULL && tasks->enqueue != NULL && tasks->workers > 1 && count > grain) {
        tasks->finish(tasks->user, tasks->enqueue(tasks->user, task, context, count, grain));
        return;
    }
    // The same ranges as with workers, so that a task whose rounding depends on its range cannot tell.
    for (uint32_t begin = 0; begin < count;) {
        uint32_t end = count - begin > grain ? begin + grain : count;
        task(context, begin, end, 0);
        begin = end;
    }
}
