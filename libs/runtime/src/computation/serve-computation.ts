/** What the process of a computation does: see `computeInProcess`. */
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Computes the input that the parent sends, and sends it the result. The parent ends the process. */
export function serveComputation(compute: (input: never) => unknown): void {
  try {
    // When memory runs out, the kernel is to end this process before any other one.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not on Linux: nothing is different then but the order.
  }
  // While this thread computes, it does not notice that the parent is gone.
  const watch = new Worker(new URL('parent-watch.js', import.meta.url), {
    workerData: Number(process.argv[2]),
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
  // Listening keeps it alive: the parent ends it once it has the answer.
  process.on('message', (input) => process.send?.(compute(input as never)));
}
