/** Compares the same features, written with decorators and with the define functions. */
import type { ClientInfo, TaskContext } from '@longhaul/tasks';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forecastsOf, Letter, Place, RAW, Weather } from '../../../../test/fixtures/decorated/dist/forecasts.js';
import { definePrompt } from '../define-prompt.js';
import { defineResourceTemplate } from '../define-resource-template.js';
import { defineResource } from '../define-resource.js';
import { defineTool } from '../define-tool.js';
import { createFeatureRegistry, type FeatureRegistry } from '../feature-registry.js';
import type { Feature } from '../feature.js';
import type { RequestContext } from '../request-context.js';

const CELSIUS = { oslo: 4, ostrava: 9 };

/** The features of the fixture's class. */
function written(): Feature[] {
  const celsius = new Map(Object.entries(CELSIUS));
  const of = (city: string): number => celsius.get(city) ?? 0;
  const cities = (value: string) => [...celsius.keys()].filter((city) => city.startsWith(value));
  return [
    defineTool({
      name: 'current-weather',
      title: 'Weather now',
      description: 'The weather of a city',
      input: Place,
      output: Weather,
      annotations: { readOnlyHint: true },
      needs: ['roots'],
      run: ({ city }) => ({ city, celsius: of(city) }),
    }),
    defineTool({
      name: 'raw',
      description: 'Takes what comes',
      input: RAW,
      _meta: { kept: true },
      run: (args, { client }) => `${JSON.stringify(args)} from ${client.name}`,
    }),
    defineTool({ name: 'count', description: 'How many cities there are', input: z.object({}), run: () => celsius.size }),
    defineTool({
      name: 'each-city',
      description: 'Each city',
      input: z.object({}),
      async *run() {
        yield* celsius.keys();
      },
    }),
    defineTool({
      name: 'visit-cities',
      description: 'Each city, one after the other',
      input: z.object({}),
      task: 'required',
      async *run(_args, context) {
        for (const city of celsius.keys()) yield await context.step(city, () => `Was in ${city}.`);
      },
    }),
    defineTool({
      name: 'measure',
      description: 'Asks which city, and measures it',
      input: z.object({ celsius: z.number() }),
      task: 'optional',
      retry: { attempts: 2 },
      ttlMs: 60_000,
      immediateResponse: 'Measuring.',
      async run(args, context) {
        const answer = await context.elicit(Place, 'Which city?');
        if (answer.action !== 'accept') return 'Nowhere.';
        await context.step('measure', () => void celsius.set(answer.content.city, args.celsius));
        return `${answer.content.city} has ${of(answer.content.city)}.`;
      },
    }),
    definePrompt({
      name: 'write-letter',
      title: 'Letter',
      description: 'A letter about the weather',
      arguments: Letter,
      complete: { city: cities },
      run: ({ city, tone }) => `Write a ${tone} letter about ${of(city)} degrees.`,
    }),
    definePrompt({
      name: 'greet',
      description: 'A greeting',
      run: () => [{ role: 'user', content: { type: 'text', text: 'Good morning.' } }],
    }),
    defineResource({
      uri: 'weather://all',
      name: 'all-weather',
      description: 'Every city',
      mimeType: 'application/json',
      read: (uri) => ({ uri, ...Object.fromEntries(celsius) }),
    }),
    defineResourceTemplate({
      uriTemplate: 'weather://{city}/{unit}',
      name: 'one-city',
      mimeType: 'text/plain',
      isListed: false,
      needsSession: true,
      complete: { city: cities, unit: (value, given) => [`${value} in ${given['city']}`] },
      list: () => [...celsius.keys()].map((city) => ({ uri: `weather://${city}/celsius`, name: city })),
      read: ({ city, unit }, _context, uri) => (celsius.has(city) ? `${uri}: ${of(city)} ${unit}` : undefined),
    }),
  ];
}

const client: ClientInfo = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {}, name: 'the test' };
const reporting = { signal: new AbortController().signal, progress: () => undefined };
const request = { client, ...reporting } as unknown as RequestContext;

/** A task in which every step runs at once, and the user answers with a city. */
function taskOf(action: 'accept' | 'decline', city?: string): TaskContext {
  const step: TaskContext['step'] = async (_name, run) => run({ signal: new AbortController().signal, attempt: 1, idempotencyKey: 'key' });
  const elicit = () => Promise.resolve(city === undefined ? { action } : { action, content: { city } });
  return { client, step, elicit: elicit as TaskContext['elicit'], ...reporting } as unknown as TaskContext;
}

type Behaviour = (features: FeatureRegistry) => unknown;

const inline =
  (name: string, args: object): Behaviour =>
  (features) => {
    const tool = features.tool(name);
    return tool?.taskSupport === 'forbidden' ? tool.call(args, request) : 'no inline tool';
  };

const durable =
  (args: object, task: TaskContext, name = 'measure'): Behaviour =>
  (features) =>
    features.workflow(name)?.run(args as never, task);

const prompt =
  (name: string, args: object): Behaviour =>
  (features) => {
    const found = features.prompt(name);
    const checked = found?.check(args);
    return checked?.ok === true ? found?.get(checked.value, request) : checked;
  };

const reading =
  (uri: string): Behaviour =>
  (features) => {
    const found = features.findResource(uri);
    if (found === undefined) return 'no such resource';
    return 'resource' in found ? found.resource.read(uri, request) : found.template.read(found.variables, request, uri);
  };

const template = (features: FeatureRegistry) => features.resourceTemplate('weather://{city}/{unit}');

describe('decorated and written features', () => {
  let decorated: FeatureRegistry;
  let defined: FeatureRegistry;
  beforeEach(() => {
    decorated = createFeatureRegistry(forecastsOf(CELSIUS));
    defined = createFeatureRegistry(written());
  });

  it('are the same but for their functions', () => {
    const [ours, theirs] = [forecastsOf(CELSIUS), written()];
    expect(ours.map((feature) => Object.keys(feature).toSorted())).toEqual(theirs.map((feature) => Object.keys(feature).toSorted()));
    expect(structuredClone(withoutFunctions(ours))).toEqual(withoutFunctions(theirs));
  });

  it.each(['tools', 'prompts', 'resources', 'resourceTemplates'] as const)('list the same %s', (kind) => {
    expect(decorated.listings[kind]({ roots: {} })).toEqual(defined.listings[kind]({ roots: {} }));
    expect(decorated.listings[kind]({})).toEqual(defined.listings[kind]({}));
  });

  it.each<[string, Behaviour, unknown]>([
    ['a tool with an output', inline('current-weather', { city: 'oslo' }), { structuredContent: { city: 'oslo', celsius: 4 } }],
    ['a tool with wrong arguments', inline('current-weather', { city: 'o' }), { isError: true }],
    ['a tool with a raw schema', inline('raw', { any: 1 }), { content: [{ text: '{"any":1} from the test' }] }],
    ['a tool without arguments', inline('count', {}), { content: [{ text: '2' }] }],
    ['a tool with a result in parts', inline('each-city', {}), { content: [{ text: 'oslo' }, { text: 'ostrava' }] }],
    [
      'a durable tool with a result in parts',
      durable({}, taskOf('decline'), 'visit-cities'),
      { content: [{ text: 'Was in oslo.' }, { text: 'Was in ostrava.' }] },
    ],
    ['a durable tool', durable({ celsius: 7 }, taskOf('accept', 'oslo')), { content: [{ text: 'oslo has 7.' }] }],
    ['a durable tool whose user declines', durable({ celsius: 7 }, taskOf('decline')), { content: [{ text: 'Nowhere.' }] }],
    ['a durable tool with wrong arguments', durable({}, taskOf('decline')), { isError: true }],
    ['a prompt', prompt('write-letter', { city: 'oslo' }), { messages: [{ content: { text: 'Write a dry letter about 4 degrees.' } }] }],
    ['a prompt with wrong arguments', prompt('write-letter', { tone: 'loud' }), { ok: false }],
    ['a prompt of messages', prompt('greet', {}), { messages: [{ content: { text: 'Good morning.' } }] }],
    ['a resource', reading('weather://all'), { contents: [{ text: '{"uri":"weather://all","oslo":4,"ostrava":9}' }] }],
    ['a resource of a template', reading('weather://oslo/kelvin'), { contents: [{ text: 'weather://oslo/kelvin: 4 kelvin' }] }],
    ['a resource that is not there', reading('weather://rome/kelvin'), undefined],
    ['the list of a template', (features) => template(features)?.list?.(request), [{ name: 'oslo' }, { name: 'ostrava' }]],
    ['the completion of a prompt', (features) => features.prompt('write-letter')?.completers['city']?.('osl', {}, request), ['oslo']],
    ['the same of a template', (features) => template(features)?.completers['city']?.('ost', {}, request), ['ostrava']],
    ['another one', (features) => template(features)?.completers['unit']?.('K', { city: 'oslo' }, request), ['K in oslo']],
  ])('do the same: %s', async (_what, behaviour, expected) => {
    const result = await behaviour(decorated);
    expect(result).toEqual(await behaviour(defined));
    if (expected === undefined) expect(result).toBeUndefined();
    else expect(result).toMatchObject(expected as object);
  });
});

function withoutFunctions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
