/**
 * Tests that tenants of one service are isolated. They do anything to their own objects and to other tenants' objects, at the same time and
 * in any order, in both protocol versions. No byte of another tenant reaches them, and another tenant's object is answered like a missing
 * one.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createFeatureRegistry, definePrompt, defineResourceTemplate, defineTool, type OwnerContext } from '@longhaul/mcp-features';
import { features as everything } from '@longhaul/everything';
import { features as memory } from '@longhaul/reference-servers/memory';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { protectedForTests } from '../support/protected-service.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';
import { Tenant, withoutHandle } from '../support/tenant.js';

const TENANTS = scaled(3, 6);
const RUNS = scaled(24, 240);
const STEPS = scaled(24, 48);
const AT_ONCE = 6;
const LIMIT_MS = scaled(180_000, 900_000);

const text = z.object({ text: z.string() });
const notesOf = (owner: OwnerContext | undefined): Promise<string[]> =>
  owner === undefined ? Promise.resolve([]) : owner.collection('notes').read((notes) => [...notes.values()] as string[]);

const own = [
  defineTool({
    name: 'keep',
    description: 'Ends with a text',
    input: text,
    task: 'optional',
    run: ({ text }, { step }) => step('keep', () => text),
  }),
  defineTool({
    name: 'ask',
    description: 'Asks about a text',
    input: text,
    task: 'optional',
    run: async ({ text }, context) => `${text} ${(await context.elicit(z.object({ name: z.string() }), `About ${text}?`)).action}`,
  }),
  defineTool({
    name: 'ask-in-turn',
    description: 'Asks about a text within the request',
    input: text,
    run: async ({ text }, context) => `${text} ${(await context.elicit(z.object({ name: z.string() }), `About ${text}?`)).action}`,
  }),
  defineTool({
    name: 'note',
    description: 'Adds a note of the caller',
    input: text,
    run: async ({ text }, { owner }) => {
      await owner?.collection('notes').update(() => ({ changes: [{ id: text, value: text }], result: undefined }));
      return (await notesOf(owner)).join();
    },
  }),
  definePrompt({
    name: 'letter',
    description: 'Completes notes of the caller',
    arguments: z.object({ to: z.string() }),
    complete: { to: (_value, _given, { owner }) => notesOf(owner) },
    run: ({ to }) => to,
  }),
  defineResourceTemplate({
    uriTemplate: 'note://{id}',
    name: 'note',
    read: async (_variables, { owner }) => (await notesOf(owner)).join(),
  }),
];
const files = everything.filter((feature) =>
  ['gzip-file-as-resource', 'Session File'].some((name) => JSON.stringify(feature).includes(`"${name}"`)),
);

const started = protectedForTests({ features: createFeatureRegistry([...own, ...files, ...memory]) });
const tenants: Tenant[] = [];
afterAll(() => tenants.forEach((tenant) => tenant.close()));

/** A tenant, its operation, the owner of the object, and the object. */
interface Act {
  readonly by: number;
  readonly to: number;
  readonly what: keyof typeof ACTS;
  readonly which: number;
}

/** Does the same to a thing of another tenant and to one that there is not, and compares what comes back. */
async function alike(
  handle: string | undefined,
  unknown: string,
  isForeign: boolean,
  send: (handle: string) => ReturnType<Tenant['end']>,
): Promise<void> {
  if (handle === undefined) return;
  const answer = await send(handle);
  if (!isForeign) return;
  compared += 1;
  expect(withoutHandle(answer, handle)).toBe(withoutHandle(await send(unknown), unknown));
}
let compared = 0;

const pick = (of: readonly string[], which: number): string | undefined => of[which % Math.max(of.length, 1)];
/** One of the same form that was never given out. */
const like = (handle: string): string => handle.replace(/[\da-f]{8}/, () => randomBytes(4).toString('hex'));

const taskMethod =
  (version: 'in2025' | 'in2026', method: string, more: object = {}) =>
  (by: Tenant, to: Tenant, which: number): Promise<void> =>
    alike(pick(to.tasks, which), randomUUID(), by !== to, (taskId) => by[version](method, { taskId, ...more }));

async function call(by: Tenant, name: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { message } = await by.in2026('tools/call', { name, arguments: { text: by.canary }, ...more });
  const { taskId, requestState } = (message['result'] ?? {}) as { taskId?: string; requestState?: string };
  if (taskId !== undefined) by.tasks.push(taskId);
  if (requestState !== undefined) by.states.push(requestState);
}

const uriOf = (tenant: Tenant): string => `demo://resource/session/${tenant.name}.gz`;
const data = (tenant: Tenant): string => `data:text/plain;base64,${Buffer.from(tenant.canary).toString('base64')}`;

/** The operations of a tenant, on its own objects and on another tenant's objects. */
const ACTS = {
  keep: (by: Tenant) => call(by, 'keep'),
  ask: (by: Tenant) => call(by, 'ask'),
  'ask in turn': (by: Tenant) => call(by, 'ask-in-turn'),
  'a task of 2025-11-25': async (by: Tenant) => {
    const { message } = await by.in2025('tools/call', { name: 'keep', arguments: { text: by.canary }, task: {} });
    const { task } = (message['result'] ?? {}) as { task?: { taskId: string } };
    if (task !== undefined) by.tasks.push(task.taskId);
  },
  'tasks/get': taskMethod('in2026', 'tasks/get'),
  'tasks/cancel': taskMethod('in2026', 'tasks/cancel'),
  'tasks/update': taskMethod('in2026', 'tasks/update', { inputResponses: { elicit: { action: 'accept', content: { name: 'me' } } } }),
  'tasks/get of 2025-11-25': taskMethod('in2025', 'tasks/get'),
  'tasks/cancel of 2025-11-25': taskMethod('in2025', 'tasks/cancel'),
  'tasks/result of 2025-11-25': (by: Tenant, to: Tenant, which: number) =>
    by === to ? Promise.resolve() : taskMethod('in2025', 'tasks/result')(by, to, which),
  'tasks/list': async (by: Tenant) => void (await by.in2025('tasks/list', {})),
  'a session': (by: Tenant, to: Tenant) =>
    alike(to.session, like(to.session), by !== to, (session) => by.in2025('tasks/list', {}, session)),
  'the stream of a session': (by: Tenant, to: Tenant) =>
    alike(to.session, like(to.session), by !== to, (session) => by.stream({ session })),
  'the end of a session': (by: Tenant, to: Tenant) =>
    by === to ? Promise.resolve() : alike(to.session, like(to.session), true, (session) => by.end(session)),
  'Last-Event-ID': (by: Tenant, to: Tenant, which: number) => {
    const event = pick(to.events, which);
    return alike(event, like(event ?? ''), by !== to, (after) => by.stream({ after }));
  },
  'Last-Event-ID of a session': (by: Tenant, to: Tenant, which: number) => {
    const after = pick(to.events, which) ?? 'none';
    return alike(to.session, like(to.session), by !== to, (session) => by.stream({ session, after }));
  },
  'subscriptions/listen': (by: Tenant, to: Tenant) => by.listen(to.tasks.slice(-5)),
  'resources/subscribe': async (by: Tenant) => void (await by.in2025('resources/subscribe', { uri: 'memory://knowledge-graph' })),
  'an idempotency key': (by: Tenant, _to: Tenant, which: number) =>
    call(by, 'keep', { _meta: { 'longhaul/idempotencyKey': `the same for all, ${which % 3}` } }),
  requestState: async (by: Tenant, to: Tenant, which: number) => {
    const requestState = pick(to.states, which);
    if (requestState === undefined) return;
    const inputResponses = { elicit: { action: 'accept', content: { name: 'me' } } };
    const { message } = await by.in2026('tools/call', {
      name: 'ask-in-turn',
      arguments: { text: to.canary },
      requestState,
      inputResponses,
    });
    if (by !== to) expect(message).toHaveProperty('error');
  },
  'completion/complete': async (by: Tenant) => {
    const params = { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'to', value: '' } };
    await Promise.all([by.in2025('completion/complete', params), by.in2026('completion/complete', params)]);
  },
  'a note': (by: Tenant) => call(by, 'note'),
  'resources/read': async (by: Tenant) => void (await by.in2026('resources/read', { uri: 'note://all' })),
  'a file': async (by: Tenant) =>
    void (await by.in2025('tools/call', { name: 'gzip-file-as-resource', arguments: { name: `${by.name}.gz`, data: data(by) } })),
  'the file of a session': (by: Tenant, to: Tenant) =>
    alike(uriOf(to), uriOf({ name: randomUUID() } as Tenant), by !== to, (uri) => by.in2025('resources/read', { uri })),
  'an entity': async (by: Tenant) => {
    const entities = [{ name: by.canary, entityType: 'tenant', observations: [by.canary] }];
    await by.in2026('tools/call', { name: 'create_entities', arguments: { entities } });
  },
  'the graph': async (by: Tenant) => void (await by.in2025('tools/call', { name: 'read_graph', arguments: {} })),
  'the graph as a resource': async (by: Tenant) => void (await by.in2026('resources/read', { uri: 'memory://knowledge-graph' })),
  'tools/list': async (by: Tenant) => void (await by.in2026('tools/list', {})),
} satisfies Record<string, (by: Tenant, to: Tenant, which: number) => Promise<unknown>>;

const who = fc.nat({ max: TENANTS - 1 });
const act: fc.Arbitrary<Act> = fc.record({
  by: who,
  to: who,
  what: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  which: fc.nat({ max: 50 }),
});

function requireApart(): void {
  for (const { name, received, canary } of tenants) {
    const all = received.splice(0).join('\n');
    seen.set(name, (seen.get(name) ?? 0) + all.split(canary).length - 1);
    for (const other of tenants)
      if (other.name !== name) expect(all.includes(other.canary), `${name} has seen something of ${other.name}`).toBe(false);
  }
}
const seen = new Map<string, number>();

it(
  `keeps ${TENANTS} tenants apart, also when they do everything at the same time`,
  async () => {
    for (let number = 0; number < TENANTS; number++) {
      const name = `tenant-${number}`;
      const exp = Math.floor(Date.now() / 1_000) + 3_600;
      const token = await started.issuer.token({ claims: { sub: name, exp } });
      const tenant = new Tenant(name, `canary-${randomBytes(12).toString('hex')}`, started.url, token);
      await tenant.open();
      for (const begin of [ACTS.keep, ACTS.ask, ACTS['ask in turn'], ACTS['a file'], ACTS['a note'], ACTS['an entity']])
        await begin(tenant);
      tenants.push(tenant);
    }
    await waitUntil(() => tenants.every(({ events }) => events.length > 0), { description: 'each has an event that others can name' });
    const property = fc.asyncProperty(fc.array(act, { minLength: STEPS, maxLength: STEPS }), async (acts) => {
      for (let first = 0; first < acts.length; first += AT_ONCE) {
        const together = acts.slice(first, first + AT_ONCE);
        await Promise.all(together.map(({ by, to, what, which }) => ACTS[what](tenants[by]!, tenants[to]!, which)));
      }
      requireApart();
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    // The leaks that would have been noticed.
    expect(compared).toBeGreaterThan(RUNS);
    for (const { name } of tenants) expect(seen.get(name)).toBeGreaterThan(RUNS);
  },
  LIMIT_MS,
);
