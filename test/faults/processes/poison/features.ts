/** Tools that end their process in every way, and innocent ones beside them. Workers load this file through `LONGHAUL_FEATURES`. */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** The variable that names the file to which every start of a function or a step is written. */
export const LEDGER_VARIABLE = 'LONGHAUL_TEST_LEDGER';

/** One start. */
export interface LedgerLine {
  readonly taskId: string;
  readonly what: string;
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

function note(taskId: string, what: string): void {
  const file = process.env[LEDGER_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ taskId, what, pid: process.pid, at: Date.now() })}\n`);
}

/** Some code of a feature may end its process, no matter what it runs. */
process.once('SIGUSR2', () => process.exit(3));

const CONTAINER_MIB = 512;
export const POISONS = ['loop', 'exit', 'heap', 'buffers', 'abort', 'stray'] as const;

/** What ends a process. */
export type Poison = (typeof POISONS)[number];

/** Loaded before everything else, it has a signal throw an error that is of no feature. */
export const THROW_WHEN_SIGNALLED = `data:text/javascript,process.on('SIGUSR2',()=>{throw(Error('of-no-feature'))})`;

/** Ends this process in that way. */
export async function take(poison: Poison): Promise<string> {
  const kept: unknown[] = [];
  switch (poison) {
    case 'loop':
      for (;;) kept.length = 0;
    case 'exit':
      return process.exit(1);
    case 'abort':
      return process.abort();
    case 'stray':
      process.kill(process.pid, 'SIGUSR2');
      return new Promise(() => undefined);
    case 'heap':
      for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => `${index}`));
    case 'buffers':
      for (let mebibytes = 0; mebibytes < CONTAINER_MIB; mebibytes += 16) {
        kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
        await wait(5);
      }
      // As the kernel does in a container of this size.
      process.kill(process.pid, 'SIGKILL');
      return wait(1_000, String(kept.length));
  }
}

const poison = defineTool({
  name: 'poison',
  description: 'Ends its process',
  input: z.object({ poison: z.enum(POISONS), inStep: z.boolean() }),
  task: 'required',
  async run({ poison, inStep }, context) {
    note(context.taskId, 'poison');
    if (!inStep) return take(poison);
    return context.step('poison', () => take(poison));
  },
});

const callsPoison = defineTool({
  name: 'calls-poison',
  description: 'Calls a tool that ends its process, and says how that ended',
  input: z.object({ poison: z.enum(POISONS), inStep: z.boolean() }),
  task: 'required',
  async run(poisoned, context) {
    note(context.taskId, 'caller');
    const how = await context.call('poison', poisoned).then(
      () => 'well',
      ({ code, data }: { code: string; data: { reason: string } }) => `${code}: ${data.reason}`,
    );
    return context.step('say', () => how);
  },
});

const steps = defineTool({
  name: 'steps',
  description: 'Takes its time, and reports progress in each of its steps if it is asked to',
  input: z.object({ count: z.number().int(), ms: z.number().int(), reports: z.number().int().default(0) }),
  task: 'required',
  async run({ count, ms, reports }, context) {
    for (let step = 1; step <= count; step++)
      await context.step(`step ${step}`, async ({ signal }) => {
        note(context.taskId, `step ${step}`);
        for (let part = 1; part <= Math.max(1, reports); part++) {
          await wait(ms / Math.max(1, reports), undefined, { signal });
          if (reports > 0) context.progress({ progress: (step - 1) * reports + part });
        }
      });
    return 'done';
  },
});

const compute = defineTool({
  name: 'compute',
  description: 'Computes without a break, and then takes its time',
  input: z.object({ computeMs: z.number().int(), ms: z.number().int() }),
  task: 'required',
  async run({ computeMs, ms }, context) {
    const end = performance.now() + computeMs;
    while (performance.now() < end);
    await context.step('rest', async ({ signal }) => {
      note(context.taskId, 'rest');
      await wait(ms, undefined, { signal });
    });
    return 'done';
  },
});

export const features = [poison, callsPoison, steps, compute];
