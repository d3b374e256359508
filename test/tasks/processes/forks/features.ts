/** A tool whose last steps wait for a file. Workers load this file through `LONGHAUL_FEATURES`. */
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** One start of a step. */
export interface LedgerLine {
  readonly taskId: string;
  readonly step: string;
  readonly idempotencyKey: string;
}

const LOOK_MS = 20;

function note(line: LedgerLine): void {
  appendFileSync(process.env['LONGHAUL_TEST_LEDGER'] ?? '', `${JSON.stringify(line)}\n`);
}

/** Resolves when the file is there. */
async function opened(gate: string): Promise<void> {
  while (!existsSync(gate)) await wait(LOOK_MS);
}

const order = defineTool({
  name: 'order',
  description: 'Reserves, waits at the gate, and charges',
  input: z.object({ gate: z.string(), item: z.string() }),
  task: 'required',
  async run({ gate, item }, context) {
    const { taskId } = context;
    const done: string[] = [];
    for (const step of ['reserve', 'pass the gate', 'charge'])
      done.push(
        await context.step(step, async ({ idempotencyKey }) => {
          note({ taskId, step, idempotencyKey });
          if (step === 'pass the gate') await opened(gate);
          return `${step} ${item}`;
        }),
      );
    return done.join(', ');
  },
});

export const features = [order];
