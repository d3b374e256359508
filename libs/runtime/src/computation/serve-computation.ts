/** Runs in the process of a computation: see `computeInProcess`. */
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Computes the input that the parent sends, and sends it the result. The parent ends the process. */
export function serveComputation(compute: (input: never) => unknown): void {
  try {
    // When memory runs out, the kernel must end this process before any other one.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // The system is not Linux: then the kernel only picks in another order.
  }
  // While this thread computes, it does not notice that the parent has ended.
  const watch = new Worker(new URL('parent-watch.js', import.meta.url), {
    workerData: Number(process.argv[2]),
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
  // The listener keeps the process alive: the parent ends it once it has the answer.
  process.on('message', (input) => process.send?.(compute(input as never)));
}
