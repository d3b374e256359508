/** Tools that show each way in which a call of the client can go. */
import { type ClientContext, createFeatureRegistry, defineTool, type FeatureRegistry, ProtocolError } from '@longhaul/mcp-features';
import { z } from 'zod';

/** How often the tools ran, by their arguments. */
export interface Runs {
  readonly features: FeatureRegistry;
  /** Signals of the calls of `wait-inline` that were made, oldest first. */
  readonly inlineSignals: AbortSignal[];
  /** How often `write` ran, by its text. */
  readonly written: Map<string, number>;
  /** Lets the `open-gate` call of a name end. */
  readonly gates: Map<string, () => void>;
}

/** What needs a poll waits for longer than any test. */
const LATE_MS = 3_600_000;
const nameForm = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };

async function askedName(context: Pick<ClientContext, 'elicit'>): Promise<string> {
  const { content } = await context.elicit({ message: 'Who?', requestedSchema: nameForm });
  return String(content?.['name']);
}

const stateless = [
  defineTool({
    name: 'echo',
    description: 'Answers at once',
    input: z.object({ message: z.string() }),
    run: ({ message }) => `Echo: ${message}`,
  }),
  defineTool({
    name: 'fail',
    description: 'Fails, as a call or as a task, with a result or with a JSON-RPC error',
    input: z.object({}),
    run: () => {
      throw new ProtocolError(-31_050, 'failed by design', { part: 7 });
    },
  }),
  defineTool({
    name: 'fail-task',
    description: 'Fails as a task',
    input: z.object({ how: z.enum(['result', 'error']) }),
    task: 'required',
    run: async ({ how }) => {
      if (how === 'error') throw new ProtocolError(-31_055, 'refused', { why: 'test' });
      return { isError: true, content: [{ type: 'text', text: 'no luck' }] };
    },
  }),
  defineTool({
    name: 'work',
    description: 'Works for a while; a client that polls sees it late',
    input: z.object({ ms: z.number() }),
    task: 'optional',
    pollIntervalMs: LATE_MS,
    async run({ ms }, context) {
      context.status('at work');
      await context.sleep('work', ms);
      return `worked ${ms} ms`;
    },
  }),
  defineTool({
    name: 'count-inline',
    description: 'Reports progress within the request',
    input: z.object({}),
    run: (_args, context) => {
      for (const progress of [0, 50, 100]) context.progress(progress);
      return 'counted';
    },
  }),
  defineTool({
    name: 'count',
    description: 'Reports progress as a task',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      for (const done of [1, 2, 3]) {
        await context.sleep('step', 150);
        context.progress({ progress: done, total: 3, message: `step ${done}` });
      }
      return 'counted';
    },
  }),
  defineTool({
    name: 'ask-inline',
    description: 'Asks within the request',
    input: z.object({ who: z.string().default('you') }),
    async run({ who }, context) {
      const { action, content } = await context.elicit({ message: `The name of ${who}?`, requestedSchema: nameForm });
      return action === 'accept' ? `Hello ${String(content?.['name'])}` : `No name: ${action}`;
    },
  }),
  defineTool({
    name: 'ask-before',
    description: 'Asks before it becomes a task',
    input: z.object({ name: z.string() }),
    task: 'optional',
    prepare: async (args, context) => ({ ...args, name: await askedName(context) }),
    run: async ({ name }) => `prepared for ${name}`,
  }),
  defineTool({
    name: 'ask-again',
    description: 'Asks before it becomes a task, and then the same as a task',
    input: z.object({ name: z.string().default('') }),
    task: 'optional',
    prepare: async (args, context) => ({ ...args, name: await askedName(context) }),
    run: async ({ name }, context) => `${name} and ${await askedName(context)}`,
  }),
  defineTool({
    name: 'ask-many',
    description: 'Asks twenty questions at the same time',
    input: z.object({}),
    task: 'required',
    async run(_args, context) {
      const questions = Array.from({ length: 20 }, (_, number) => ({ message: `Number ${number}?`, requestedSchema: nameForm }));
      return `${(await Promise.all(questions.map((question) => context.elicit(question)))).length} answers`;
    },
  }),
  defineTool({
    name: 'ask-all',
    description: 'Asks user, model and roots at the same time',
    input: z.object({}),
    task: 'required',
    pollIntervalMs: 300,
    async run(_args, context) {
      const [user, model, roots] = await Promise.all([
        context.elicit({ message: 'Your name?', requestedSchema: nameForm }),
        context.sample('A word?'),
        context.roots(),
      ]);
      const word = Array.isArray(model.content) ? '' : model.content.type === 'text' ? model.content.text : model.content.type;
      return `${String(user.content?.['name'])}, ${word}, ${roots.map(({ uri }) => uri).join()}`;
    },
  }),
  defineTool({
    name: 'ask-late',
    description: 'Asks two questions, one after the other; a client that polls sees them late',
    input: z.object({}),
    task: 'optional',
    pollIntervalMs: LATE_MS,
    async run(_args, context) {
      const answers = [];
      for (const message of ['First?', 'Second?']) {
        const { action, content } = await context.elicit({ message, requestedSchema: nameForm });
        answers.push(action === 'accept' ? String(content?.['name']) : action);
      }
      return answers.join(' and ');
    },
  }),
];

/** A set of the tools with memories of its own. */
export function clientTools(): Runs {
  const inlineSignals: AbortSignal[] = [];
  const written = new Map<string, number>();
  const gates = new Map<string, () => void>();
  const note = (text: string): void => void written.set(text, (written.get(text) ?? 0) + 1);
  const remembering = [
    defineTool({
      name: 'wait-inline',
      description: 'Never answers',
      input: z.object({}),
      run: (_args, { signal }) => {
        inlineSignals.push(signal);
        return new Promise<string>(() => undefined);
      },
    }),
    ...[
      { name: 'write', pollIntervalMs: 100 },
      { name: 'write-late', pollIntervalMs: LATE_MS },
    ].map(({ name, pollIntervalMs }) =>
      defineTool({
        name,
        description: 'Has an effect, then waits for its gate if it has one',
        input: z.object({ text: z.string(), gate: z.string().optional() }),
        task: 'optional',
        pollIntervalMs,
        async run({ text, gate }, context) {
          await context.step('write', () => note(text));
          if (gate !== undefined) await context.step('gate', () => new Promise<void>((open) => gates.set(gate, open)));
          return `written: ${text}`;
        },
      }),
    ),
  ];
  return { features: createFeatureRegistry([...stateless, ...remembering]), inlineSignals, written, gates };
}
