/**
 * The tools of the tests with clients of tasks. Gateways and workers load this file through `LONGHAUL_FEATURES`, so it has
 * only types that Node strips.
 */
import { defineTool, ProtocolError } from '@longhaul/mcp-features';
import { z } from 'zod';

const Name = z.object({ name: z.string() });
const Friend = z.object({ friend: z.string() });
/** Clients that go by it are too late for any test. */
const SELDOM_MS = 3_600_000;

const greet = (name: string, pollIntervalMs: number) =>
  defineTool({
    name,
    description: 'Asks for a name',
    input: z.object({}),
    task: 'optional',
    pollIntervalMs,
    async run(_args, context) {
      const answer = await context.elicit(Name, 'Your name?');
      return answer.action === 'accept' ? `Hello ${answer.content.name}` : `No name: ${answer.action}`;
    },
  });

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'now',
    description: 'Answers at once',
    input: z.object({}),
    run: () => 'at once',
  }),
  defineTool({
    name: 'slow',
    description: 'Waits before it answers',
    input: z.object({ ms: z.number() }),
    task: 'optional',
    pollIntervalMs: SELDOM_MS,
    async run({ ms }, context) {
      await context.sleep('wait', ms);
      return 'slept';
    },
  }),
  greet('greet', 100),
  greet('greet-seldom', SELDOM_MS),
  defineTool({
    name: 'greet-both',
    description: 'Asks for two names at once',
    input: z.object({}),
    task: 'optional',
    pollIntervalMs: 100,
    async run(_args, context) {
      const [you, friend] = await Promise.all([context.elicit(Name, 'Your name?'), context.elicit(Friend, 'Your friend?')]);
      const name = you.action === 'accept' ? you.content.name : you.action;
      return `Hello ${name} and ${friend.action === 'accept' ? friend.content.friend : friend.action}`;
    },
  }),
  defineTool({
    name: 'greet-later',
    description: 'Asks for a name before it becomes a task',
    input: z.object({ name: z.string() }),
    task: 'optional',
    pollIntervalMs: 100,
    async prepare(args, context) {
      if (args['name'] !== undefined) return args;
      const answer = await context.elicit(Name, 'Your name?');
      return answer.action === 'accept' ? { ...args, name: answer.content.name } : args;
    },
    run: async ({ name }) => `Hello ${name}`,
  }),
  defineTool({
    name: 'fail',
    description: 'Fails by a result, or by a JSON-RPC error',
    input: z.object({ how: z.enum(['result', 'error']) }),
    task: 'optional',
    pollIntervalMs: 100,
    run: async ({ how }) => {
      if (how === 'error') throw new ProtocolError(-32010, 'refused', { why: 'test' });
      return { isError: true, content: [{ type: 'text' as const, text: 'no luck' }] };
    },
  }),
];
