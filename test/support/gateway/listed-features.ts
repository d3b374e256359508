/** Defines prompts, resources and templates for each possible result of a request. */
import {
  createFeatureRegistry,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Feature,
  type FeatureRegistry,
  ProtocolError,
} from '@longhaul/mcp-features';
import { TaskError } from '@longhaul/tasks';
import { z } from 'zod';

/** Signals of requests that wait, so that tests see whether they were aborted. */
export const waiting: AbortSignal[] = [];

/** Throws what its name says, or waits for ever. */
const FAULTS: Record<string, (signal: AbortSignal) => unknown> = {
  error: () => {
    throw new RangeError('out of cheese');
  },
  text: () => {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- authors do
    throw 'just a text';
  },
  rpc: () => {
    throw new ProtocolError(-32050, 'refused by design', { part: 7 });
  },
  coded: () => {
    throw Object.assign(new Error('with a number'), { code: -32051 });
  },
  timeout: () => {
    throw new DOMException('too slow', 'TimeoutError');
  },
  store: () => {
    throw new TaskError('STORE_UNAVAILABLE');
  },
  wait: (signal) => {
    waiting.push(signal);
    return new Promise(() => undefined);
  },
};

const fault = (name: string, signal: AbortSignal): Promise<string> => Promise.resolve(FAULTS[name]?.(signal) as Promise<string>);

const LANGUAGES = ['danish', 'dutch', 'english', 'estonian'];

const prompts = [
  definePrompt({
    name: 'greeting',
    title: 'Greeting',
    description: 'Greets someone',
    arguments: z.object({
      name: z.string().min(2).describe('Who is greeted'),
      language: z.enum(['danish', 'english']).optional(),
    }),
    complete: {
      language: (value) => LANGUAGES.filter((language) => language.startsWith(value)),
      name: async (value, { language = 'no language' }) => Promise.resolve([`${value} in ${language}`]),
    },
    run: ({ name, language = 'english' }) => `Greet ${name} in ${language}.`,
  }),
  definePrompt({
    name: 'dialogue',
    description: 'Two messages',
    run: () => [
      { role: 'user', content: { type: 'text', text: 'Knock, knock.' } },
      { role: 'assistant', content: { type: 'text', text: 'Who is there?' } },
    ],
  }),
  definePrompt({
    name: 'full',
    description: 'A full result',
    run: () => ({ description: 'of its own', messages: [], _meta: { mine: true } }),
  }),
  definePrompt({ name: 'needy', description: 'Needs roots', needs: ['roots'], run: () => 'rooted' }),
  definePrompt({
    name: 'fault',
    description: 'Throws',
    arguments: z.object({ kind: z.string() }),
    complete: {
      kind: (value, _given, { signal }) => fault(value, signal).then(() => []),
    },
    run: ({ kind }, { signal }) => fault(kind, signal),
  }),
];

const resources = [
  defineResource({ uri: 'note://text', name: 'text', mimeType: 'text/markdown', read: () => '# A note' }),
  defineResource({ uri: 'note://bytes', name: 'bytes', size: 3, read: () => new Uint8Array([1, 2, 3]) }),
  defineResource({ uri: 'note://json', name: 'json', read: (uri) => ({ uri, list: [1] }) }),
  defineResource({
    uri: 'note://full',
    name: 'full',
    read: (uri) => ({ contents: [{ uri: `${uri}/part`, text: 'a part' }], _meta: { mine: true } }),
  }),
  defineResource({ uri: 'note://needy', name: 'needy', needs: ['sampling'], read: () => 'sampled' }),
];

const templates = [
  defineResourceTemplate({
    uriTemplate: 'city://{country}/{name}',
    name: 'city',
    title: 'City',
    description: 'A city',
    mimeType: 'text/plain',
    complete: {
      country: () => Array.from({ length: 250 }, (_, index) => `country ${index}`),
      name: (value, { country = 'anywhere' }) => [`${value} of ${country}`],
    },
    async list({ session }) {
      const names = (await session?.names('city/')) ?? [];
      return names.map((name) => ({ uri: `city://visited/${name.slice(5)}`, name: name.slice(5) }));
    },
    read: ({ country, name }) => (name === 'nowhere' ? undefined : `${name} in ${country}`),
  }),
  defineResourceTemplate({ uriTemplate: 'hidden://{x}', name: 'hidden', isListed: false, read: ({ x }) => `found ${x}` }),
  defineResourceTemplate({ uriTemplate: 'needy://{x}', name: 'needy', needs: ['roots'], read: ({ x }) => x }),
  defineResourceTemplate({ uriTemplate: 'fault://{kind}', name: 'fault', read: ({ kind }, { signal }) => fault(kind, signal) }),
  defineResourceTemplate({ uriTemplate: 'none://{x}', name: 'none', read: () => undefined }),
];

const tools = [
  defineTool({
    name: 'visit',
    description: 'Has a city listed to this session',
    input: z.object({ city: z.string() }),
    async run({ city }, { session }) {
      await session?.set(`city/${city}`, true);
      return city;
    },
  }),
  ...['a', 'b', 'c', 'd'].map((name) => defineTool({ name, description: name, input: z.object({}), run: () => name })),
];

const features: readonly Feature[] = [...prompts, ...resources, ...templates, ...tools];

export const listedFeatures: FeatureRegistry = createFeatureRegistry(features);

/** A template with a list that throws, among others. */
export function withBrokenList(kind: string): FeatureRegistry {
  return createFeatureRegistry([
    ...features,
    defineResourceTemplate({
      uriTemplate: 'broken://{x}',
      name: 'broken',
      list: ({ signal }) => fault(kind, signal).then(() => []),
      read: ({ x }) => x,
    }),
  ]);
}
