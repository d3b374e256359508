/** Defines tools for each possible result of a call. */
import { createFeatureRegistry, defineTool, type FeatureRegistry, ProtocolError } from '@longhaul/mcp-features';
import { z } from 'zod';

const never = new Promise<string>(() => undefined);

/** Signals of running `wait-inline` calls, so that tests see whether they were aborted. */
export const inlineSignals: AbortSignal[] = [];

/** Ends the `release-inline` call of a name with a text. */
export const inlineGates = new Map<string, (text: string) => void>();

const tools = [
  defineTool({
    name: 'echo',
    description: 'Answers at once',
    input: z.object({ message: z.string() }),
    run: ({ message }) => `Echo: ${message}`,
  }),
  defineTool({
    name: 'broken',
    description: 'Throws a JSON-RPC error within the request',
    input: z.object({}),
    run: () => {
      throw new ProtocolError(-32050, 'broken by design', { part: 7 });
    },
  }),
  defineTool({
    name: 'wait-inline',
    description: 'Never answers',
    input: z.object({}),
    run: (_args, { signal }) => {
      inlineSignals.push(signal);
      return never;
    },
  }),
  defineTool({
    name: 'release-inline',
    description: 'Answers when the test lets it',
    input: z.object({ name: z.string() }),
    run: ({ name }) => {
      const gate = Promise.withResolvers<string>();
      inlineGates.set(name, gate.resolve);
      return gate.promise;
    },
  }),
  defineTool({
    name: 'last-words',
    description: 'Reports progress and logs just before it answers',
    input: z.object({}),
    task: 'optional',
    run(_args, context) {
      context.progress({ progress: 1, total: 1 });
      context.warning('bye');
      return Promise.resolve('done');
    },
  }),
  defineTool({
    name: 'chatter',
    description: 'Logs as many messages as it is asked to, and answers when the test lets it',
    input: z.object({ name: z.string(), messages: z.number() }),
    run: ({ name, messages }, context) => {
      for (let n = 1; n <= messages; n++) context.info(n);
      const gate = Promise.withResolvers<string>();
      inlineGates.set(name, gate.resolve);
      return gate.promise;
    },
  }),
  defineTool({
    name: 'count',
    description: 'Reports progress, then answers',
    input: z.object({ to: z.number().int().default(3) }),
    task: 'optional',
    async run({ to }, context) {
      for (let done = 1; done <= to; done++) {
        await context.sleep('step', 5);
        context.progress({ progress: done, total: to, message: `step ${done}` });
      }
      return `counted to ${to}`;
    },
  }),
  defineTool({
    name: 'talk',
    description: 'Says what it does, then waits to be cancelled',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      context.status('begun');
      await context.sleep('first', 30);
      context.log('debug', 'details', 'talker');
      context.log('warning', { what: 'something' }, 'talker');
      context.progress({ progress: 1, total: 2 });
      context.status('half way');
      context.elicitationComplete('e-1');
      await context.sleep('second', 3_600_000);
      return 'over';
    },
  }),
  defineTool({
    name: 'ask',
    description: 'Asks for a name',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      context.status('asking');
      try {
        const { action, content } = await context.elicit({
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        });
        return action === 'accept' ? `Hello ${String(content?.['name'])}` : `No name: ${action}`;
      } catch (error) {
        return `No answer: ${error instanceof Error ? JSON.stringify('data' in error ? error.data : error.message) : ''}`;
      }
    },
  }),
  defineTool({
    name: 'ask-twice',
    description: 'Asks for two names, one after the other',
    input: z.object({}),
    task: 'optional',
    pollIntervalMs: 100,
    async run(_args, context) {
      const ask = async (message: string): Promise<string> => {
        const { content } = await context.elicit({
          message,
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        });
        return String(content?.['name']);
      };
      return `Hello ${await ask('Your name?')} and ${await ask('Your friend?')}`;
    },
  }),
  defineTool({
    name: 'sleep',
    description: 'Waits for an hour',
    input: z.object({}),
    task: 'optional',
    ttlMs: 120_000,
    pollIntervalMs: 250,
    async run(_args, context) {
      await context.sleep('hour', 3_600_000);
      return 'awake';
    },
  }),
  defineTool({
    name: 'must-be-task',
    description: 'Only as a task',
    input: z.object({ result: z.enum(['text', 'error-result', 'rpc-error']).default('text') }),
    task: 'required',
    run: ({ result }) => {
      if (result === 'rpc-error') throw new ProtocolError(-32055, 'refused', { why: 'test' });
      return Promise.resolve(result === 'text' ? 'done' : { isError: true, content: [{ type: 'text' as const, text: 'no luck' }] });
    },
  }),
];

/** The registry of the tests' tools. */
export const testTools: FeatureRegistry = createFeatureRegistry(tools);
