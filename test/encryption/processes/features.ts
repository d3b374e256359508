/** Features that have something secret in everything that can be kept or reported; they have only types that Node strips. */
import { definePrompt, defineResource, defineResourceTemplate, defineSessionJob, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Throws where nobody catches it. */
function forget(secret: unknown): void {
  setTimeout(() => {
    throw new Error(`stray ${String(secret)}`);
  }, 0);
}

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
      await context.step('read', () => {
        forget(secret);
        return { secret, from: 'a step' };
      });
      const form = { type: 'object' as const, properties: { answer: { type: 'string' as const } } };
      const { content } = await context.elicit({ message: `question ${secret}`, requestedSchema: form });
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: `prompt ${secret}` } }];
      const said = await context.sample({ messages, maxTokens: 10 });
      await context.sleep('a while', 50);
      if (fails) {
        const broken = (): never => {
          throw new Error(`broken ${secret}`);
        };
        await context.step('break', broken, { attempts: 1 }).catch(() => undefined);
        throw new Error(`failure ${secret}`);
      }
      return JSON.stringify({ secret, answer: content?.['answer'], said: said.content, kept: await context.session.get('kept') });
    },
  }),
  defineTool({
    name: 'inline',
    description: 'Has a session job begin that fails, and fails itself, also later',
    input: z.object({ secret: z.string() }),
    async run({ secret }, { session }) {
      forget(secret);
      await session?.set('said', secret);
      await session?.startJob('failing');
      throw new Error(`inline ${secret}`);
    },
  }),
  defineSessionJob({
    name: 'failing',
    everyMs: 100,
    async run({ session }) {
      throw new Error(`job ${JSON.stringify(await session.get('said'))}`);
    },
  }),
  defineResource({ uri: 'open://list', name: 'list', description: 'Nothing secret', read: () => 'nothing' }),
  defineResourceTemplate({
    uriTemplate: 'secrets://{name}',
    name: 'secret',
    description: 'Says its name, unless that is one that cannot be read',
    read({ name }) {
      if (name.startsWith('broken')) throw new Error(`unreadable ${name}`);
      return name.startsWith('missing') ? undefined : `contents of ${name}`;
    },
  }),
  definePrompt({
    name: 'confide',
    description: 'Says its argument',
    arguments: z.object({ secret: z.string() }),
    complete: { secret: (typed) => [`completed ${typed}`] },
    run: ({ secret }) => `Keep ${secret} to yourself.`,
  }),
];
