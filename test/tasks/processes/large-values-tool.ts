/** A tool with a large value. Workers load this file through `LONGHAUL_FEATURES`, so it has only types that Node strips. */
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const { LARGE_VALUES_LOG: log = '', LARGE_VALUES_GATE: gate = '' } = process.env;

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'export',
    description: 'Exports a text of many MiB, once a file says so',
    input: z.object({ mebibytes: z.int() }),
    task: 'optional',
    async run({ mebibytes }, context) {
      const text = await context.step('make', () => {
        appendFileSync(log, 'made\n');
        return Array.from({ length: mebibytes }, (_, index) => String.fromCodePoint(65 + (index % 26)).repeat(1024 * 1024)).join('');
      });
      await context.step('wait', async ({ signal }) => {
        appendFileSync(log, 'waiting\n');
        while (!existsSync(gate)) await wait(50, undefined, { signal });
      });
      return text;
    },
  }),
];
