import type { DurableContext } from '@longhaul/mcp-features';

/** Reports are recorded at most this often; a task that has run for long, at longer intervals, so that it does not fill its history. */
const SHORTEST_INTERVAL_MS = 500;
const INTERVALS_OF_AGE = 50;

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Reports the progress of a call as progress of its task, if the client wants it. */
export function createTaskProgress(
  context: Pick<DurableContext, 'progress' | 'progressToken'>,
): (text: string, progress: Progress) => void {
  // By the machine's clock: reports come within steps only.
  let beganAt: number | undefined;
  let reportedAt = 0;
  return (_text, { progress, total, message }) => {
    if (context.progressToken === undefined) return;
    const now = Date.now();
    beganAt ??= now;
    if (now - reportedAt < Math.max(SHORTEST_INTERVAL_MS, (now - beganAt) / INTERVALS_OF_AGE)) return;
    reportedAt = now;
    context.progress({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
  };
}
