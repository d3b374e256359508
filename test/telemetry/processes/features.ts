/** Tools whose traces are looked at. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const asking = defineTool({
  name: 'ask-and-fetch',
  description: 'Fetches, asks, sleeps, and fetches again.',
  input: z.object({ url: z.string() }),
  task: 'required',
  async run({ url }, context) {
    await context.step('before', async () => (await fetch(`${url}/before`)).text());
    const { action } = await context.elicit({
      message: 'Go on?',
      requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
    });
    await context.sleep('night', 10);
    return context.step('after', async () => `${action} ${await (await fetch(`${url}/after`)).text()}`);
  },
});

const slow = defineTool({
  name: 'slow',
  description: 'Fetches in two steps; the second one waits for what it fetches.',
  input: z.object({ url: z.string() }),
  task: 'required',
  async run({ url }, context) {
    await context.step('first', async () => (await fetch(`${url}/first`)).text());
    return context.step('second', async ({ signal }) => (await fetch(`${url}/second`, { signal })).text());
  },
});

const failing = defineTool({
  name: 'failing',
  description: 'Fails.',
  input: z.object({}),
  task: 'optional',
  run() {
    throw new Error('It cannot be done.');
  },
});

const askingWithin = defineTool({
  name: 'ask-within',
  description: 'Asks within its request.',
  input: z.object({}),
  async run(_args, context) {
    const { action } = await context.elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } });
    return action;
  },
});

export const features = [asking, slow, failing, askingWithin];
