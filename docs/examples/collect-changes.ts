/** A tool that works on the changes of an account in batches: LONGHAUL_FEATURES=docs/examples/collect-changes.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Your database. */
export const saved: string[][] = [];

export const collectChanges = defineTool({
  name: 'collect-changes',
  description: 'Saves changes of an account together',
  input: z.object({ account: z.string() }),
  task: 'required',
  async run({ account }, context) {
    const schema = z.string();
    const changes = [await context.waitFor('change', { schema })];
    while (changes.length < 50) {
      const next = await context.waitFor('change', { schema, timeoutMs: 5_000 });
      if (next === undefined) break;
      changes.push(next);
    }
    await context.step('save', () => void saved.push(changes));
    return context.continueAsNew({ account });
  },
});

export const features = [collectChanges];
