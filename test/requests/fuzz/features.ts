/** Small features of every kind, none of which takes long, beside the built-in ones. */
import { definePrompt, defineResource, defineResourceTemplate, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const name = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };
const Sum = z.object({ a: z.number(), b: z.number().default(1) });

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'add',
    description: 'Adds numbers',
    input: Sum,
    output: z.object({ sum: z.number() }),
    run: ({ a, b }) => ({ sum: a + b }),
  }),
  defineTool({
    name: 'talk',
    description: 'Reports its progress',
    input: z.looseObject({ words: z.array(z.string()).max(5) }),
    run({ words }, context) {
      for (const [index, word] of words.entries()) context.progress({ progress: index, total: words.length, message: word });
      return words.join(' ');
    },
  }),
  defineTool({
    name: 'later',
    description: 'Is a task when asked',
    input: Sum,
    task: 'optional',
    run: ({ a, b }) => Promise.resolve(`${a + b}`),
  }),
  defineTool({
    name: 'always-later',
    description: 'Is always a task',
    input: Sum,
    task: 'required',
    run: ({ a, b }) => Promise.resolve(`${a + b}`),
  }),
  defineTool({
    name: 'ask-inline',
    description: 'Asks within its request',
    input: z.object({}),
    run: async (_, context) => `Hello ${JSON.stringify(await context.elicit({ message: 'Your name?', requestedSchema: name }))}`,
  }),
  defineTool({
    name: 'ask-later',
    description: 'Asks as a task',
    input: z.object({}),
    task: 'optional',
    ttlMs: 120_000,
    run: async (_, context) => `Hello ${JSON.stringify(await context.elicit({ message: 'Your name?', requestedSchema: name }))}`,
  }),
  definePrompt({
    name: 'greeting',
    description: 'Greets someone',
    arguments: z.object({ who: z.string(), how: z.enum(['shortly', 'at length']).default('shortly') }),
    complete: { who: (value) => ['Ann', 'Anton', 'Bob'].filter((item) => item.startsWith(value)) },
    run: ({ who, how }) => `Greet ${who} ${how}.`,
  }),
  defineResource({ uri: 'fuzz://text', name: 'text', description: 'A text', mimeType: 'text/plain', read: () => 'A text.' }),
  defineResource({ uri: 'fuzz://bytes', name: 'bytes', description: 'Bytes', mimeType: 'image/png', read: () => Buffer.from([1, 2, 3]) }),
  defineResourceTemplate({
    uriTemplate: 'fuzz://item/{id}/{+rest}',
    name: 'items',
    description: 'An item for every id',
    mimeType: 'application/json',
    complete: { id: (value) => [value, `${value}0`] },
    read: ({ id, rest }) => ({ id, rest }),
  }),
];
