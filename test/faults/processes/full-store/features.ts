/** The tools of the tests with a full Redis, loaded by name through `LONGHAUL_FEATURES`. */
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const Name = z.object({ name: z.string() });

/** Resolves when the file is there. */
async function opened(gate: string): Promise<void> {
  while (!existsSync(gate)) await wait(10);
}

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'ask',
    description: 'Keeps what it is given, and waits for its user',
    input: z.object({ payload: z.string().default(''), withStep: z.boolean().default(true) }),
    task: 'required',
    run: async ({ withStep }, context) => {
      const answer = await context.elicit(Name, 'Your name?');
      const name = answer.action === 'accept' ? answer.content.name : answer.action;
      const greet = (): string => `Hello ${name}`;
      return withStep ? context.step('greet', greet) : greet();
    },
  }),
  defineTool({
    name: 'run',
    description: 'Runs until a file is there',
    input: z.object({ gate: z.string() }),
    task: 'required',
    run: async ({ gate }) => {
      await opened(gate);
      return 'done';
    },
  }),
  defineTool({
    name: 'keep',
    description: 'Has a large value recorded once a file is there',
    input: z.object({ gate: z.string(), bytes: z.number(), starts: z.string() }),
    task: 'required',
    run: async ({ gate, bytes, starts }, context) => {
      const value = await context.step('value', async () => {
        await appendFile(starts, 'started\n');
        await opened(gate);
        return 'x'.repeat(bytes);
      });
      return String(value.length);
    },
  }),
];
