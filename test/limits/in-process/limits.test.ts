/** Tests how much one caller may create, and the meaning of creating the same twice. */
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

let service: TestService;
afterEach(() => service.close());

async function open(limits?: TestServiceOptions['limits']): Promise<RpcSession> {
  service = await startService(limits === undefined ? {} : { limits });
  return rpcSession(service.app);
}

const create = (session: RpcSession, params: Record<string, unknown>) => session.call('tools/call', { name: 'sleep', task: {}, ...params });
const keyed = (key: unknown, more: Record<string, unknown> = {}) => ({ _meta: { 'longhaul/idempotencyKey': key }, ...more });

describe('the limits of one owner', () => {
  it('bound the tasks that have not ended, and name the limit', async () => {
    const session = await open({ concurrentTasks: 2, tasksPerMinute: 100 });
    const first = CreateTaskResultSchema.parse((await create(session, {})).result).task;
    await create(session, {});
    expect((await create(session, {})).error).toEqual({
      code: -32000,
      message: 'At most 2 tasks may be unfinished at the same time.',
      data: { limit: 2 },
    });
    await session.call('tasks/cancel', { taskId: first.taskId });
    expect((await create(session, {})).result).toBeDefined();
    const stranger = await rpcSession(service.app);
    expect((await create(stranger, {})).result).toBeDefined();
  });

  it('bound what the histories of all tasks take, and name the limit', async () => {
    service = await startService({ limits: { historyBytes: 100_000 }, settings: { bodyLimitBytes: 1024 * 1024 } });
    const session = await rpcSession(service.app);
    const large = { arguments: { note: 'x'.repeat(70_000) } };
    await create(session, large);
    expect((await create(session, large)).error).toEqual({
      code: -32000,
      message: 'The histories of all your tasks may take at most 100000 bytes; try again when some have expired.',
      data: { limit: 100_000 },
    });
    expect((await create(session, {})).result, 'there is room for a small one').toBeDefined();
  });

  it('bound the tasks of a minute, and say when to try again', async () => {
    const session = await open({ concurrentTasks: 100, tasksPerMinute: 2 });
    await create(session, {});
    await create(session, {});
    expect((await create(session, {})).error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^At most 2 tasks may be created in a minute; try again in \d+ s\.$/) as string,
      data: { limit: 2, retryAfterMs: expect.any(Number) as number },
    });
  });
});

describe('an idempotency key', () => {
  it('gives the same task for the same call, with its arguments in any order', async () => {
    const session = await open();
    const call = (args: Record<string, unknown>) => session.call('tools/call', keyed('once', { name: 'count', task: {}, arguments: args }));
    const [one, two] = await Promise.all([call({ to: 2, extra: { a: [1], b: null } }), call({ extra: { b: null, a: [1] }, to: 2 })]);
    const [first, second] = [one, two].map(({ result }) => CreateTaskResultSchema.parse(result).task.taskId);
    expect(second).toBe(first);
    expect(new Set(service.created.map(({ taskId }) => taskId)).size).toBe(1);
    expect((await session.call('tasks/list')).result?.['tasks']).toHaveLength(1);
  });

  it('is refused for another call, and belongs to its owner', async () => {
    const session = await open();
    await create(session, keyed('once'));
    const refused = { code: -32602, message: expect.stringContaining('longhaul/idempotencyKey') as string };
    expect((await create(session, keyed('once', { arguments: { other: 1 } }))).error).toMatchObject(refused);
    expect((await create(session, keyed('once', { name: 'ask' }))).error).toMatchObject(refused);
    const stranger = await rpcSession(service.app);
    expect((await create(stranger, keyed('once', { name: 'ask' }))).result).toBeDefined();
  });

  it('whose task is gone never runs the work again, and gets an error', async () => {
    let later = 0;
    service = await startService({ clock: () => Date.now() + later });
    const session = await rpcSession(service.app);
    const call = () => session.call('tools/call', keyed('once', { name: 'count', task: { ttl: 1 }, arguments: { to: 1 } }));
    const { taskId } = CreateTaskResultSchema.parse((await call()).result).task;
    await session.call('tasks/result', { taskId });
    later = 120_000;
    expect((await call()).error).toEqual({
      code: -32602,
      message: expect.stringContaining('It is not run again; use a new key for a new call.') as string,
      data: { reason: 'IDEMPOTENCY_KEY_SPENT' },
    });
    expect(service.created).toHaveLength(1);
  });

  it.each([[''], ['x'.repeat(257)], [7]])('must be a text of 1 to 256 characters, not %j', async (key) => {
    const session = await open();
    expect((await create(session, keyed(key))).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('longhaul/idempotencyKey') as string,
    });
  });

  it('lets a plain call that is repeated wait for the same work', async () => {
    const session = await open();
    const call = () => session.call('tools/call', keyed('plain', { name: 'count', arguments: { to: 2 } }));
    const answers = await Promise.all([call(), call()]);
    expect(answers.map(({ result }) => result?.['content'])).toEqual([
      [{ type: 'text', text: 'counted to 2' }],
      [{ type: 'text', text: 'counted to 2' }],
    ]);
    expect(new Set(service.created.map(({ taskId }) => taskId)).size).toBe(1);
  });
});
