/** Defines features that ask their client while they run in the gateway: a tool, a prompt and a resource for each question. */
import {
  createFeatureRegistry,
  definePrompt,
  defineResourceTemplate,
  defineTool,
  type FeatureRegistry,
  type RequestContext,
} from '@longhaul/mcp-features';
import { z } from 'zod';

/** The questions. */
export const QUESTIONS = {
  form: (context) => context.elicit(z.object({ name: z.string() }), 'Your name?'),
  'raw-form': (context) =>
    context.elicit({
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    }),
  url: (context) => context.elicit({ mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in', elicitationId: 'e-1' }),
  sampling: (context) => context.sample('Say hello.', { systemPrompt: 'Be brief.' }),
  'sampling-tools': (context) => context.sample('What time is it?', { tools: [{ name: 'clock', inputSchema: { type: 'object' } }] }),
  'sampling-context': (context) => context.sample('Where am I?', { includeContext: 'thisServer' }),
  roots: (context) => context.roots(),
  ping: (context) => context.ping(),
} satisfies Record<string, (context: RequestContext) => Promise<unknown>>;

export type Question = keyof typeof QUESTIONS;

const names = Object.keys(QUESTIONS) as [Question, ...Question[]];

/** The errors of questions of calls with a label. */
export const rejections = new Map<string, unknown>();

/** Lets the `close-stream` call of a name continue. */
export const gates = new Map<string, () => void>();

async function ask(context: RequestContext, question: Question, label = ''): Promise<string> {
  try {
    return JSON.stringify((await QUESTIONS[question](context)) ?? 'nothing');
  } catch (error) {
    rejections.set(label, error);
    throw error;
  }
}

const features = [
  defineTool({
    name: 'asking',
    description: 'Asks, and answers with the answer',
    input: z.object({ question: z.enum(names), label: z.string().optional() }),
    run: ({ question, label }, context) => ask(context, question, label),
  }),
  definePrompt({
    name: 'asking',
    description: 'Asks, and answers with the answer',
    arguments: z.object({ question: z.enum(names) }),
    run: ({ question }, context) => ask(context, question),
  }),
  defineResourceTemplate({
    uriTemplate: 'asking://{question}',
    name: 'asking',
    read: ({ question }, context) => ask(context, question as Question),
  }),
  defineTool({
    name: 'not-waiting',
    description: 'Asks, and ends without the answer',
    input: z.object({ label: z.string() }),
    run({ label }, context) {
      void ask(context, 'roots', label).catch(() => undefined);
      return 'ended';
    },
  }),
  defineTool({
    name: 'close-stream',
    description: 'Ends its stream, and goes on when the test lets it',
    input: z.object({ name: z.string(), question: z.enum(names).optional() }),
    async run({ name, question }, context) {
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate.resolve);
      context.closeStream();
      await gate.promise;
      return question === undefined ? 'went on' : ask(context, question);
    },
  }),
];

export const askingFeatures: FeatureRegistry = createFeatureRegistry(features);
