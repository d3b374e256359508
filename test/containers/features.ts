/**
 * The tools of the container tests. Gateways and workers load this file through `LONGHAUL_FEATURES`, so it has only
 * types that Node strips. Every step says when it starts and ends in the log of its container, which no crash takes back.
 */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** What a line of the ledger starts with, which distinguishes it from other lines of the log. */
export const LEDGER_MARK = 'ledger ';

/** One line of the ledger. */
export interface LedgerLine {
  readonly taskId: string;
  readonly key: string;
  readonly phase: 'start' | 'end';
  /** Name of the container. */
  readonly host: string;
}

function note(line: Omit<LedgerLine, 'host'>): void {
  process.stdout.write(`${LEDGER_MARK}${JSON.stringify({ ...line, host: hostname() } satisfies LedgerLine)}\n`);
}

const work = defineTool({
  name: 'work',
  description: 'Steps that take their time, one after the other',
  input: z.object({ steps: z.number().int().min(1), ms: z.number().int().min(0) }),
  task: 'required',
  pollIntervalMs: 200,
  async run({ steps, ms }, context) {
    const keys: string[] = [];
    for (let part = 1; part <= steps; part++)
      keys.push(
        await context.step(`part ${part}`, async ({ signal }) => {
          note({ taskId: context.taskId, key: `part ${part}`, phase: 'start' });
          await wait(ms, undefined, { signal });
          note({ taskId: context.taskId, key: `part ${part}`, phase: 'end' });
          return `part ${part}`;
        }),
      );
    return keys.join(', ');
  },
});

/** The file in a worker's container that ends its patrols. */
export const END_OF_PATROLS = '/tmp/end-of-patrols';

const patrol = defineTool({
  name: 'patrol',
  description: 'Rounds, until a file says that it ends',
  input: z.object({ ms: z.number().int() }),
  task: 'required',
  async run({ ms }, context) {
    for (let round = 1; ; round++) {
      const ended = await context.step(`round ${round}`, async ({ signal }) => {
        await wait(ms, undefined, { signal });
        return existsSync(END_OF_PATROLS);
      });
      if (ended) return `${round} rounds`;
    }
  },
});

const hog = defineTool({
  name: 'hog',
  description: 'A step that never yields',
  input: z.object({ ms: z.number().int() }),
  task: 'required',
  run: ({ ms }, context) =>
    context.step('loop', () => {
      note({ taskId: context.taskId, key: 'loop', phase: 'start' });
      const end = Date.now() + ms;
      while (Date.now() < end);
      return Promise.resolve('yielded');
    }),
});

const bulk = defineTool({
  name: 'bulk',
  description: 'Steps with large values',
  input: z.object({ steps: z.number().int().min(1), bytes: z.number().int().min(1) }),
  task: 'required',
  pollIntervalMs: 1_000,
  async run({ steps, bytes }, context) {
    for (let part = 1; part <= steps; part++) await context.step(`part ${part}`, () => 'x'.repeat(bytes));
    return `${steps} parts`;
  },
});

/** Read by `loadFeatures`. */
export const features = [work, patrol, hog, bulk];
