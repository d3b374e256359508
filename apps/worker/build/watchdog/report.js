/** What a forked process says of its end on a pipe of its own, by writes that are done when they return. */
import { writeSync } from 'node:fs';
/** The file descriptor of the pipe in the forked process. */
export const REPORT_FD = 4;
const STOOD_STILL = 'stood still';
/** Says that the process stood still, and is ended for it. */
export function reportStandstill(fd) {
    write(fd, `${STOOD_STILL}\n`);
}
/** Says of which task the code is that runs next. */
export function reportTask(fd, taskId) {
    write(fd, `task ${taskId}\n`);
}
/** Reads what was said. */
export function readReport(text) {
    const taskId = [...text.matchAll(/^task (\S+)$/gm)].at(-1)?.[1];
    return { stoodStill: text.includes(STOOD_STILL), ...(taskId !== undefined && { taskId }) };
}
function write(fd, text) {
    try {
        writeSync(fd, text);
    }
    catch {
        // The worker is gone, and nobody asks.
    }
}
//# sourceMappingURL=report.js.map