/**
 * Further tools of the kinds of runs: tasks that end their process, slow ones beside them, and some that compute without a
 * break. Workers load this file through `LONGHAUL_FEATURES`, so it has only types that Node strips.
 */
import { POISONS, take } from '../../faults/processes/poison/features.ts';
import { note, tool, work } from '../features.ts';

/** The steps of a slow task. */
export const SLOW_STEPS = 3;

/** The step in which a poison of the kind `…-in-step` ends its process, and the name of the lines of all poisons in the ledger. */
export const POISON = 'poison';

const poisons = POISONS.flatMap((poison) =>
  [false, true].map((inStep) =>
    tool(`${poison}${inStep ? '-in-step' : ''}`, 'Ends its process', async (_args, context) => {
      const end = (): Promise<string> => take(poison);
      const line = { taskId: context.taskId, key: POISON, attempt: context.attempt, stepAttempt: 1, pid: process.pid };
      note({ ...line, phase: 'start', at: Date.now() });
      return [inStep ? await context.step(POISON, end) : await end()];
    }),
  ),
);

/** Keeps the thread for a time. */
function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Read by `loadFeatures`. */
export const features = [
  ...poisons,
  tool('slow', 'Slow steps', async ({ ms }, context) => {
    const values: string[] = [];
    for (let step = 1; step <= SLOW_STEPS; step++) values.push(await work(context, 'slow', { ms }));
    return values;
  }),
  tool('reporting', 'Slow steps that report progress', async ({ ms }, context) => {
    const values: string[] = [];
    for (let step = 1; step <= SLOW_STEPS; step++) {
      const during = (): void => context.progress({ progress: step });
      values.push(await work(context, 'slow', { ms, during }));
    }
    return values;
  }),
  tool('compute', 'Computes in its steps and between them', async ({ ms }, context) => {
    const values: string[] = [];
    for (let step = 1; step <= SLOW_STEPS; step++) {
      values.push(await work(context, 'slow', { ms: 10, during: () => compute(ms) }));
      compute(ms / 2);
    }
    return values;
  }),
];

/** The text that each of the tasks with slow steps must end with. */
export const endOfSlow = (n: number): string => `${n}: slow slow:2 slow:3`;
