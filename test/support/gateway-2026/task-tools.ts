/** Defines durable tools that ask their client in every way. */
import { defineTool, ProtocolError, UrlElicitationRequired } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Pages that the user has visited, by their ids. */
export const visitedPages = new Set<string>();

const Name = z.object({ name: z.string() });
const Friend = z.object({ friend: z.string() });

const said = (answer: { readonly action: string; readonly content?: unknown }): string =>
  answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action;

/** A page that the user must visit before a tool can continue. */
export function pageNeeded(id: string): UrlElicitationRequired {
  return new UrlElicitationRequired([
    { mode: 'url', elicitationId: id, url: `https://example.com/pages/${id}`, message: 'Please visit the page.' },
  ]);
}

export const taskTools = [
  defineTool({
    name: 'ask-both',
    description: 'Asks for two names at once',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) =>
      (await Promise.all([context.elicit(Name, 'You?'), context.elicit(Friend, 'Your friend?')])).map(said).join(),
  }),
  defineTool({
    name: 'ask-everything',
    description: 'Asks the user, the model and the client at once',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      const [answer, message, roots] = await Promise.all([context.elicit(Name, 'You?'), context.sample('A word?'), context.roots()]);
      return JSON.stringify([said(answer), message.content, roots.map(({ uri }) => uri)]);
    },
  }),
  defineTool({
    name: 'ask-and-fail',
    description: 'Asks, fails once, and asks again in its second attempt',
    input: z.object({}),
    task: 'optional',
    retry: { attempts: 2, initialMs: 1, jitter: 0 },
    async run(_args, context) {
      const first = await context.elicit(Name, 'You?');
      if (context.attempt === 1) throw new Error('on purpose');
      return `${said(first)} ${said(await context.elicit(Friend, 'Your friend?'))}`;
    },
  }),
  defineTool({
    name: 'prepare-and-ask',
    description: 'Asks for a name before it becomes a task, and for a friend after that',
    input: z.object({ name: z.string(), alone: z.boolean().default(false) }),
    task: 'optional',
    async prepare(args, context) {
      if (args['name'] !== undefined) return args;
      const answer = await context.elicit(Name, 'You?');
      return { ...args, name: answer.action === 'accept' ? answer.content.name : answer.action };
    },
    run: async ({ name, alone }, context) => (alone ? `Only ${name}` : `${name} and ${said(await context.elicit(Friend, 'Your friend?'))}`),
  }),
  defineTool({
    name: 'ask-and-count',
    description: 'Reports progress before it asks and after that',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      context.progress({ progress: 1, total: 2 });
      await context.elicit(Name, 'You?');
      context.progress({ progress: 2, total: 2 });
      await context.sleep('end', 1);
      return 'done';
    },
  }),
  defineTool({
    name: 'sleep-and-ask',
    description: 'Waits before it asks',
    input: z.object({ forMs: z.number() }),
    task: 'optional',
    async run({ forMs }, context) {
      await context.sleep('before', forMs);
      const answer = await context.elicit(Name, 'You?');
      return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
    },
  }),
  defineTool({
    name: 'visit-in-task',
    description: 'Ends with the page that its user has to visit first',
    input: z.object({ page: z.string() }),
    task: 'optional',
    async run({ page }, context) {
      if (!(await context.step('look', () => visitedPages.has(page)))) throw pageNeeded(page);
      return `${page} was visited`;
    },
  }),
  defineTool({
    name: 'ask-with-client-task',
    description: 'Lets the client run the question as a task of its own, if it can',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) => {
      const params = { messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }], maxTokens: 10 };
      return JSON.stringify(await context.clientTask({ method: 'sampling/createMessage', params }));
    },
  }),
  defineTool({
    name: 'refuse',
    description: 'Ends with a JSON-RPC error',
    input: z.object({}),
    task: 'optional',
    run: () => Promise.reject(new ProtocolError(-32010, 'refused', { why: 'test' })),
  }),
  defineTool({
    name: 'shout',
    description: 'Has output of a schema',
    input: z.object({ text: z.string(), forMs: z.number().default(0) }),
    output: z.object({ shouted: z.string() }),
    task: 'optional',
    ttlMs: 1_000,
    async run({ text, forMs }, context) {
      await context.sleep('breath', forMs);
      return { shouted: text.toUpperCase() };
    },
  }),
];
