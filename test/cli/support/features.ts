/** Features that the tests of `longhaul stdio` load by LONGHAUL_FEATURES: it has only types that Node strips. */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { definePrompt, defineResource, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** The resource that `touch` says has changed. */
const NOTE = 'test://note';

/** The variable that names the file in which `stages` notes what it does. */
const LEDGER_VARIABLE = 'LONGHAUL_TEST_LEDGER';

function note(line: string): void {
  const path = process.env[LEDGER_VARIABLE];
  if (path !== undefined) appendFileSync(path, `${line}\n`);
}

/** Read by `loadFeatures`. */
export const features = [
  definePrompt({
    name: 'greet',
    description: 'Greets somebody',
    arguments: z.object({ name: z.string() }),
    run: ({ name }) => `Say hello to ${name}.`,
  }),
  defineResource({ uri: NOTE, name: 'note', description: 'A note', mimeType: 'text/plain', read: () => 'noted' }),
  defineTool({
    name: 'touch',
    description: 'Says that the note has changed',
    input: z.object({}),
    run: (_args, { everyone }) => {
      everyone.resourceUpdated(NOTE);
      return 'touched';
    },
  }),
  defineTool({
    name: 'regional',
    description: 'Has an argument that clients on HTTP repeat in a header',
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    run: ({ region }) => `in ${region}`,
  }),
  defineTool({
    name: 'noisy',
    description: 'Writes where it should not',
    input: z.object({}),
    run: () => {
      // oxlint-disable-next-line no-console -- what a careless author does
      console.log('noise by console');
      process.stdout.write('noise by stream\n');
      return 'quiet';
    },
  }),
  defineTool({
    name: 'slow',
    description: 'Answers within the request, after a while',
    input: z.object({ ms: z.number() }),
    run: async ({ ms }, { signal }) => {
      await wait(ms, undefined, { signal });
      return `after ${ms} ms`;
    },
  }),
  defineTool({
    name: 'size',
    description: 'Answers with a text of a length',
    input: z.object({ length: z.number() }),
    run: ({ length }) => 'x'.repeat(length),
  }),
  defineTool({
    name: 'stages',
    description: 'Three steps, each noted in a file',
    input: z.object({ ms: z.number() }),
    task: 'optional',
    pollIntervalMs: 100,
    async run({ ms }, context) {
      for (const stage of [1, 2, 3]) {
        context.progress({ progress: stage, total: 3 });
        await context.step(`stage ${stage}`, async ({ signal }) => {
          note(`begin ${stage}`);
          await wait(ms, undefined, { signal });
          note(`end ${stage}`);
        });
      }
      return 'all stages done';
    },
  }),
];
