/** Defines features that run within the request, and ask their client in every way. */
import { definePrompt, defineResource, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { pageNeeded, visitedPages } from './task-tools.js';

const Name = z.object({ name: z.string() });

/** How often each tool has begun to run. */
export const runs = new Map<string, number>();

const count = (name: string): number => {
  const times = (runs.get(name) ?? 0) + 1;
  runs.set(name, times);
  return times;
};

const question = (message: string) => ({
  method: 'elicitation/create' as const,
  params: { message, requestedSchema: { type: 'object', properties: { text: { type: 'string' } } } },
});

const tools = [
  defineTool({
    name: 'in-turn',
    description: 'Asks the user twice, the second time about the first answer',
    input: z.object({ topic: z.string().default('work') }),
    async run({ topic }, context) {
      count('in-turn');
      const first = await context.elicit(Name, `You, about ${topic}?`);
      if (first.action !== 'accept') return `No name: ${first.action}`;
      const second = await context.elicit(Name, `A friend of ${first.content.name}?`);
      return `${first.content.name} and ${second.action === 'accept' ? second.content.name : 'nobody'}`;
    },
  }),
  defineTool({
    name: 'at-once',
    description: 'Asks the user, the model and the client at once',
    input: z.object({}),
    async run(_args, context) {
      const [answer, message, roots] = await Promise.all([context.elicit(Name, 'You?'), context.sample('A word?'), context.roots()]);
      return JSON.stringify([answer, message.content, roots]);
    },
  }),
  defineTool({
    name: 'by-key',
    description: 'Asks under names of its own',
    input: z.object({}),
    async run(_args, context) {
      const first = await context.ask('first_word', question('First?'));
      const second = await context.ask('second_word', question('Second?'));
      return JSON.stringify([first['content'], second['content']]);
    },
  }),
  defineTool({
    name: 'same-key',
    description: 'Asks two questions under one name',
    input: z.object({}),
    async run(_args, context) {
      const first = await context.ask('word', question('First?'));
      const second = await context.ask('word', question('Second?'));
      return JSON.stringify([first['content'], second['content']]);
    },
  }),
  defineTool({
    name: 'long-answers',
    description: 'Keeps the answer while it asks again',
    input: z.object({}),
    async run(_args, context) {
      const first = await context.elicit(Name, 'All of it?');
      await context.elicit(Name, 'And now?');
      return String(first.action === 'accept' && first.content.name.length);
    },
  }),
  defineTool({
    name: 'ping-client',
    description: 'Pings its client',
    input: z.object({}),
    async run(_args, context) {
      await context.ping();
      return 'there';
    },
  }),
  defineTool({
    name: 'offer-tools',
    description: 'Offers the model tools, or context of servers',
    input: z.object({ context: z.boolean().default(false) }),
    run: async (args, context) =>
      JSON.stringify(
        args.context
          ? await context.sample('Where am I?', { includeContext: 'allServers' })
          : await context.sample('What time is it?', { tools: [{ name: 'clock', inputSchema: { type: 'object' } }] }),
      ),
  }),
  defineTool({
    name: 'visit',
    description: 'Cannot go on before its user has visited a page',
    input: z.object({ page: z.string() }),
    run({ page }) {
      count('visit');
      if (!visitedPages.has(page)) throw pageNeeded(page);
      return `${page} was visited`;
    },
  }),
  defineTool({
    name: 'open-url',
    description: 'Asks the user to open a URL',
    input: z.object({}),
    run: async (_args, context) =>
      (await context.elicit({ mode: 'url', elicitationId: 'e-1', url: 'https://example.com/', message: 'Open it?' })).action,
  }),
  defineTool({
    name: 'report-and-ask',
    description: 'Reports progress and logs before it asks',
    input: z.object({}),
    async run(_args, context) {
      context.progress(10);
      context.info('about to ask');
      return (await context.elicit(Name, 'You?')).action;
    },
  }),
  defineTool({
    name: 'announce',
    description: 'Notifies everybody that something has changed',
    input: z.object({ list: z.enum(['tools', 'prompts', 'resources']).optional(), uri: z.string().optional() }),
    run({ list, uri }, { everyone }) {
      if (list !== undefined) everyone.listChanged(list);
      if (uri !== undefined) everyone.resourceUpdated(uri);
      return 'notified';
    },
  }),
];

const letter = definePrompt({
  name: 'letter',
  description: 'A letter to somebody',
  async run(_args, context) {
    const answer = await context.elicit(Name, 'To whom?');
    return `Write to ${answer.action === 'accept' ? answer.content.name : 'nobody'}.`;
  },
});

const pagePrompt = definePrompt({
  name: 'page-prompt',
  description: 'Needs a page to be visited',
  arguments: z.object({ page: z.string() }),
  run({ page }) {
    if (!visitedPages.has(page)) throw pageNeeded(page);
    return `${page} was visited`;
  },
});

const diary = defineResource({
  uri: 'test://diary',
  name: 'diary',
  read: async (_uri, context) => JSON.stringify(await context.elicit(Name, 'Whose?')),
});

const samples = defineResource({
  uri: 'test://samples',
  name: 'samples',
  needs: ['sampling'],
  read: async (_uri, context) => JSON.stringify((await context.sample('A word?')).content),
});

export const inlineFeatures = [...tools, letter, pagePrompt, diary, samples];
