/** A durable tool that has something secret in everything that can be kept; it has only types that Node strips. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const features = [
  defineTool({
    name: 'secrets',
    description: 'Keeps its argument in every way there is',
    input: z.object({ secret: z.string(), fails: z.boolean().default(false) }),
    task: 'optional',
    async run({ secret, fails }, context) {
      context.status(`status ${secret}`);
      context.progress({ progress: 1, total: 2, message: `progress ${secret}` });
      context.log('info', { secret });
      await context.session.set('kept', { secret });
      await context.step('read', () => ({ secret, from: 'a step' }));
      const form = { type: 'object' as const, properties: { answer: { type: 'string' as const } } };
      const { content } = await context.elicit({ message: `question ${secret}`, requestedSchema: form });
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: `prompt ${secret}` } }];
      const said = await context.sample({ messages, maxTokens: 10 });
      await context.sleep('a while', 50);
      if (fails) throw new Error(`failure ${secret}`);
      return JSON.stringify({ secret, answer: content?.['answer'], said: said.content, kept: await context.session.get('kept') });
    },
  }),
];
