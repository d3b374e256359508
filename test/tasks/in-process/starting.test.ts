/** Tests that other programs start durable tools and follow their tasks, in the store and by the operator API, on every store. */
import { join } from 'node:path';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { createStarter, type Starter } from '@longhaul/mcp-features/start';
import { openOperator, readConfig } from '@longhaul/operator';
import { type AuditRecord, auditRecords, createOperatorService } from '@longhaul/tasks';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { waitUntil } from '../../support/wait-until.js';

const square = defineTool({
  name: 'square',
  description: 'Squares a number.',
  input: z.strictObject({ number: z.number() }),
  output: z.object({ squared: z.number() }),
  task: 'optional',
  run: async ({ number }, context) => ({ squared: await context.step('square', () => number * number) }),
});

const waits = defineTool({
  name: 'waits',
  description: 'Waits for a signal.',
  input: z.object({ text: z.string().optional() }),
  task: 'required',
  async run({ text = '' }, context) {
    context.expose({ waits: 'for go' });
    return `${text}${(await context.waitFor('go', { schema: z.string() })) ?? ''}`;
  },
});

const fails = defineTool({
  name: 'fails',
  description: 'Fails.',
  input: z.object({ code: z.number().optional() }),
  task: 'required',
  async run({ code }) {
    throw Object.assign(new Error('It is broken.'), code !== undefined && { code });
  },
});

const inline = defineTool({ name: 'inline', description: 'Answers at once.', input: z.object({}), run: () => 'at once' });
const needy = defineTool({
  name: 'needy',
  description: 'Asks.',
  input: z.object({}),
  task: 'required',
  needs: ['sampling'],
  run: async () => 'asked',
});

/** What the steps of `held` wait for, by their accounts. */
const gates = new Map<string, PromiseWithResolvers<void>>();
const held = defineTool({
  name: 'held',
  description: 'Is held up.',
  input: z.object({ account: z.string(), number: z.number() }),
  task: 'required',
  limit: { key: 'account', maxRunning: 1 },
  async run({ account, number }, context) {
    await context.step('wait', () => gates.get(account)?.promise);
    return `${account} ${number}`;
  },
});

const tools = [square, waits, fails, inline, needy, held];
const features = createFeatureRegistry(tools);
const gateways = gatewaysForTests({}, { features });

const TOKEN = 'a.token.of.the.tests';
const operators = (env: NodeJS.ProcessEnv = {}) =>
  openOperator({
    store: gateways.first.store,
    config: readConfig({ LONGHAUL_OPS_TOKENS: `shop:${TOKEN}:start,few:${TOKEN}.few:start=square`, ...env }),
    logger: pino({ level: 'silent' }),
    tokens: readConfig({ LONGHAUL_OPS_TOKENS: `shop:${TOKEN}:start,few:${TOKEN}.few:start=square+waits` }).opsTokens ?? new Map(),
    loadFeatures: async () => features,
  });

/** Where the store of the test is, for a starter. */
function place() {
  const { REDIS_URL: redis, LONGHAUL_DATA_DIR: folder = '' } = gateways.store.env;
  return redis === undefined ? { dataFile: join(folder, 'longhaul.db') } : { redis };
}

const inStore = (settings: NodeJS.ProcessEnv = {}): Promise<Starter> =>
  createStarter({ ...place(), name: 'shop', tools, settings: { ...gateways.store.env, ...settings } });

let operator: Awaited<ReturnType<typeof openOperator>>;
let url: string;
beforeAll(async () => {
  operator = await operators();
  url = await operator.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => operator.close());

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}-${Date.now()}`;

const SIDES = [
  { name: 'in the store', open: () => inStore() },
  { name: 'by the operator API', open: () => createStarter({ url, token: TOKEN }) },
];

describe.each(SIDES)('a starter $name', ({ open }) => {
  let starter: Starter;
  beforeAll(async () => {
    starter = await open();
  });
  afterAll(() => starter.close());

  const statusOf = async (taskId: string): Promise<string> => (await starter.status(taskId)).status;

  it('starts a tool, and gives its result with its type', async () => {
    const task = await starter.start(square, { number: 7 });
    const { structuredContent } = await starter.result(task);
    expect(structuredContent.squared).toBe(49);
    expect(await starter.status(task)).toMatchObject({ taskId: task, tool: 'square', status: 'completed' });
  });

  it('starts a tool by its name', async () => {
    const { content } = await starter.result(await starter.start('square', { number: 3 }), { timeoutMs: 60_000 });
    expect(content).toEqual([{ type: 'text', text: '{"squared":9}' }]);
  });

  it('starts one task for a key, for each owner, and refuses the key for another input', async () => {
    const key = newKey();
    const [one, other] = await Promise.all([1, 2].map(() => starter.start(square, { number: 2 }, { idempotencyKey: key })));
    expect(one).toBe(other);
    expect(await starter.start(square, { number: 2 }, { idempotencyKey: key, owner: 'ada' })).not.toBe(one);
    expect(await starter.start(square, { number: 2 })).not.toBe(await starter.start(square, { number: 2 }));
    await expect(starter.start(square, { number: 5 }, { idempotencyKey: key })).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('shows what the task shows, sends it a signal once, and waits for its end', async () => {
    const task = await starter.start(waits, { text: '\ud800' });
    await expect(starter.result(task, { timeoutMs: 0 })).rejects.toMatchObject({
      name: 'ResultTimeoutError',
      code: 'RESULT_TIMEOUT',
      taskId: task,
    });
    const given = new AbortController();
    const left = starter.result(task, { signal: given.signal });
    given.abort(new Error('The browser has gone.'));
    await expect(left).rejects.toThrow('The browser has gone.');
    await waitUntil(async () => (await starter.status(task)).exposed !== undefined, { description: 'the value is shown' });
    expect((await starter.status(task)).exposed).toEqual({ waits: 'for go' });

    const result = starter.result(task);
    await expect(starter.signal(task, 'go', 7)).rejects.toMatchObject({ code: 'SIGNAL_DOES_NOT_FIT' });
    expect(await starter.signal(task, 'other', 'kept', { id: 'one' })).toBe(true);
    expect(await starter.signal(task, 'other', 'kept', { id: 'one' })).toBe(false);
    expect(await starter.signal(task, 'go', 'now')).toBe(true);
    expect((await result).content).toMatchObject([{ type: 'text', text: expect.stringMatching(/now$/) as string }]);
    await expect(starter.signal(task, 'go', 'late')).rejects.toMatchObject({ code: 'TASK_ENDED' });
  });

  it('holds a limit by key, and says why a task waits', async () => {
    const account = newKey();
    const gate = Promise.withResolvers<void>();
    gates.set(account, gate);
    const service = createOperatorService(gateways.first.store, { onError: () => undefined });
    const tasks: string[] = [];
    for (const number of [0, 1, 2]) {
      tasks.push(await starter.start(held, { account, number }, number === 2 ? { priority: 10 } : {}));
      if (number === 0) await waitUntil(async () => (await service.timeline(tasks[0] ?? '')).passes.length > 0, { description: 'it runs' });
    }
    await waitUntil(
      async () => {
        const [, second, third] = await Promise.all(tasks.map((task) => service.get(task)));
        return second?.heldBack?.by === 'key' && second.heldBack.ahead === 1 && third?.heldBack?.ahead === 0;
      },
      { description: 'the last one stands before the second one' },
    );
    expect((await service.get(tasks[2] ?? '')).created.priority).toBe(10);
    const other = newKey();
    expect((await starter.result(await starter.start(held, { account: other, number: 7 }))).content).toMatchObject([
      { text: `${other} 7` },
    ]);
    gate.resolve();
    const texts = await Promise.all(tasks.map(async (task) => (await starter.result(task)).content));
    expect(texts).toMatchObject([0, 1, 2].map((number) => [{ text: `${account} ${number}` }]));
    await expect(starter.start(held, { account, number: 3 }, { priority: 0.5 })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: 'start: priority must be a whole number from -10 to 10, and is 0.5.',
    });
  });

  it('throws how a task has failed', async () => {
    await expect(starter.result(await starter.start(fails, {}))).rejects.toMatchObject({
      name: 'TaskFailedError',
      code: 'TASK_FAILED',
      message: expect.stringContaining('It is broken.') as string,
      result: { isError: true },
      error: undefined,
    });
    await expect(starter.result(await starter.start(fails, { code: 42 }))).rejects.toMatchObject({
      name: 'TaskFailedError',
      message: 'It is broken.',
      result: undefined,
      error: { code: 42, message: 'It is broken.' },
    });
  });

  it('cancels a task once', async () => {
    const task = await starter.start(waits, {});
    const result = starter.result(task).catch((error: unknown) => error);
    expect(await starter.cancel(task, { reason: 'The order was withdrawn.' })).toBe(true);
    expect(await starter.cancel(task)).toBe(false);
    expect(await statusOf(task)).toBe('cancelled');
    expect(await result).toMatchObject({
      name: 'TaskCancelledError',
      code: 'TASK_CANCELLED',
      taskId: task,
      by: 'service:shop',
      reason: 'The order was withdrawn.',
    });
  });

  it('finds no task of another owner, whatever it does', async () => {
    const task = await starter.start(waits, {}, { owner: 'ada' });
    expect(await starter.status(task, { owner: 'ada' })).toMatchObject({ tool: 'waits' });
    const missing = { name: 'TaskNotFoundError', code: 'TASK_NOT_FOUND' };
    for (const owner of [undefined, 'eve', 'Ada']) {
      const options = owner === undefined ? {} : { owner };
      await expect(starter.result(task, options)).rejects.toMatchObject(missing);
      await expect(starter.status(task, options)).rejects.toMatchObject(missing);
      await expect(starter.signal(task, 'go', 'x', options)).rejects.toMatchObject(missing);
      await expect(starter.cancel(task, options)).rejects.toMatchObject(missing);
    }
    for (const none of ['', 'no id', '../../tasks', '00000000-0000-4000-8000-000000000000', '\ud800'])
      await expect(starter.status(none)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await starter.cancel(task, { owner: 'ada' });
  });

  it('refuses what cannot be started, and says why', async () => {
    const start = (tool: unknown, input?: unknown) => starter.start(tool as string, input as object as never);
    await expect(start('missing')).rejects.toMatchObject({ code: 'NO_SUCH_TOOL', message: expect.stringContaining('missing') as string });
    await expect(start('inline')).rejects.toMatchObject({ code: 'NOT_A_TASK' });
    await expect(start('needy')).rejects.toMatchObject({ code: 'NEEDS_CLIENT' });
    await expect(start(42)).rejects.toMatchObject({ code: 'NO_SUCH_TOOL' });
    const wrong = { code: 'INVALID_ARGUMENTS' };
    await expect(start('square', { number: 'seven' })).rejects.toMatchObject({
      ...wrong,
      message: expect.stringContaining('number') as string,
    });
    await expect(start('square', { number: 1, unknown: 2 })).rejects.toMatchObject({
      ...wrong,
      message: expect.stringContaining('unknown') as string,
    });
    await expect(start('square', { number: Number.NaN })).rejects.toMatchObject({
      ...wrong,
      message: expect.stringContaining('number is NaN') as string,
    });
    for (const input of [[1], 'text', 7]) await expect(start('square', input)).rejects.toMatchObject(wrong);
  });

  it('refuses options that it does not know, or that cannot be', async () => {
    const start = (options: unknown) => starter.start(square, { number: 1 }, options as object);
    const cases: [unknown, string][] = [
      [{ idempotencykey: 'a' }, 'start has no option "idempotencykey"; there are owner, idempotencyKey, ttl, priority.'],
      [{ idempotencyKey: '' }, 'start: idempotencyKey must be a text that is not empty.'],
      [{ idempotencyKey: '\ud800' }, 'start: idempotencyKey has half of a character (a lone surrogate).'],
      [{ idempotencyKey: 'k'.repeat(257) }, 'start: idempotencyKey has 257 bytes; at most 256 are allowed.'],
      [{ owner: 7 }, 'start: owner must be a text that is not empty.'],
      [{ owner: '\udc00' }, 'start: owner has half of a character (a lone surrogate).'],
      [{ ttl: Number.NaN }, 'start: ttl must be a number of milliseconds from 1 to'],
      [{ ttl: -1 }, 'start: ttl must be a number of milliseconds from 1 to'],
      [7, 'start: options must be an object, and is 7.'],
    ];
    for (const [options, message] of cases)
      await expect(start(options)).rejects.toMatchObject({ code: 'INVALID_OPTIONS', message: expect.stringContaining(message) as string });
    await expect(starter.result('x', { timeout: 1 } as object)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
    await expect(starter.signal('x', 'go', undefined as never)).rejects.toMatchObject({ code: 'SIGNAL_DOES_NOT_FIT' });
  });

  it('keeps a task for a time that is rounded up to whole milliseconds', async () => {
    const task = await starter.start(square, { number: 1 }, { ttl: 90_000.25 });
    expect((await gateways.first.store.events.views([task as never]))[0]?.ttlMs).toBe(90_001);
    await expect(starter.start(square, { number: 1 }, { ttl: 1e300 })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  });

  it('is in the audit log with what it did', async () => {
    const task = await starter.start(waits, {}, { owner: 'ada' });
    await starter.start('gone').catch(() => undefined);
    await starter.cancel(task, { owner: 'ada', reason: 'No longer needed.' });
    const entriesOf = async (): Promise<readonly AuditRecord[]> => {
      const found: AuditRecord[] = [];
      for await (const record of auditRecords(gateways.first.store.audit, { chains: ['operators'] })) found.push(record);
      return found;
    };
    const isThere = async (): Promise<boolean> =>
      (await entriesOf()).some(({ target, action }) => target === task && action === 'task.cancel');
    await waitUntil(isThere, { description: 'the cancellation is recorded' });
    const entries = await entriesOf();
    expect(entries).toContainEqual(expect.objectContaining({ who: 'service:shop', target: 'gone', outcome: 'NO_SUCH_TOOL' }));
    expect(entries).toContainEqual(
      expect.objectContaining({ who: 'service:shop', action: 'tool.start', target: 'waits', outcome: 'done', details: { owner: 'ada' } }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ who: 'service:shop', action: 'task.cancel', target: task, reason: 'No longer needed.' }),
    );
  });

  it('ends what waits when it is closed, and takes nothing after that', async () => {
    const own = await open();
    const task = await own.start(waits, {});
    const waiting = own.result(task).catch((error: unknown) => error);
    await Promise.all([own.close(), own.close()]);
    expect(await waiting).toMatchObject({ code: 'STARTER_CLOSED' });
    await expect(own.start(square, { number: 1 })).rejects.toMatchObject({ code: 'STARTER_CLOSED' });
    await starter.cancel(task);
  });
});
