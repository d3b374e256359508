/** A tool with a budget: LONGHAUL_FEATURES=docs/examples/summarize.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const askModel = (page: string) => ({ text: page.slice(0, 5), tokens: 400 });

export const summarize = defineTool({
  name: 'summarize',
  description: 'Summarizes pages',
  input: z.object({ pages: z.array(z.string()) }),
  task: 'optional',
  budget: { tokens: 1_000 },
  async run({ pages }, context) {
    const ask = (page: string) =>
      context.step('ask', () => {
        const { text, tokens } = askModel(page);
        context.spend({ tokens });
        return text;
      });
    return (await context.all(pages, ask, { concurrency: 1 })).join(' ');
  },
});

export const features = [summarize];
