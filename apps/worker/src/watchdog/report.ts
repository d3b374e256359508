/** A forked process reports its end on a pipe of its own, with synchronous writes. */
import { writeSync } from 'node:fs';

/** The file descriptor of the pipe in the forked process. */
export const REPORT_FD = 4;

const STOOD_STILL = 'stood still';

/** The known facts about the end of a process. */
export interface Report {
  readonly stoodStill: boolean;
  /** The task that the last running code belonged to. */
  readonly taskId?: string;
}

/** Reports that the process is ended because it blocked. */
export function reportStandstill(fd: number): void {
  write(fd, `${STOOD_STILL}\n`);
}

/** Reports the task that the next running code belongs to. */
export function reportTask(fd: number, taskId: string): void {
  write(fd, `task ${taskId}\n`);
}

/** Reads the reports. */
export function readReport(text: string): Report {
  const taskId = [...text.matchAll(/^task (\S+)$/gm)].at(-1)?.[1];
  return { stoodStill: text.includes(STOOD_STILL), ...(taskId !== undefined && { taskId }) };
}

function write(fd: number, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // The worker has ended, and so nothing reads the pipe.
  }
}
