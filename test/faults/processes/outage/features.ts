/** What the tasks of these tests do. Gateways and workers load this file through `LONGHAUL_FEATURES`, so it has only types that Node strips. */
import { appendFileSync } from 'node:fs';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'errand',
    description: 'Notes in a file that each of its two steps has run, and sleeps between them',
    input: z.object({ id: z.string(), ms: z.number() }),
    task: 'optional',
    async run({ id, ms }, context) {
      const note = (step: string) => context.step(step, () => appendFileSync(process.env['OUTAGE_NOTES'] ?? '', `${id} ${step}\n`));
      await note('before');
      await context.sleep('sleep', ms);
      await note('after');
      return `done ${id}`;
    },
  }),
];
