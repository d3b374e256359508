/** Tests the results of calls, in both generations, at a gateway of this project. */
import { RpcError, TaskCancelledError, TaskFailedError, type TaskReference, type TaskStatus } from '@longhaul/client';
import type { TaskView } from '@longhaul/tasks';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../support/gateway/gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { Clients, GENERATIONS, named, rejection, textOf, KNOWN_CALLER } from './support/clients.js';
import { clientTools } from './support/tools.js';

const tools = clientTools();
const clients = new Clients();
let url: string;

const service = serviceForTests({ features: tools.features });
beforeAll(async () => {
  url = await service.listen();
});
afterEach(() => clients.close());

/** The task as it is now. */
async function stateOf(task: { readonly taskId: string } | undefined): Promise<TaskView> {
  const created = service.created.find(({ taskId }) => taskId === task?.taskId);
  if (created === undefined) throw new Error('There is no such task.');
  return service.tasks.get(created.taskId, created);
}

describe('the generation', () => {
  it('is the newer one that the server speaks', async () => {
    const client = await clients.connect(url);
    expect(client.generation).toBe('2026-07-28');
    expect(textOf(await client.callTool('echo', { message: 'hi' }))).toBe('Echo: hi');
  });

  it.each(GENERATIONS)('can be pinned to %s', async (generation) => {
    const client = await clients.connect(url, { generation });
    expect(client.generation).toBe(generation);
    expect((await client.client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  });
});

describe.each(GENERATIONS)('in generation %s', (generation) => {
  const connected = () => clients.connect(url, { generation });

  it('an answer that comes at once is the result, and no status is reported', async () => {
    const statuses: TaskStatus[] = [];
    const client = await connected();
    const result = await client.callTool('echo', { message: 'hi' }, { onStatus: (status) => statuses.push(status) });
    expect(textOf(result)).toBe('Echo: hi');
    expect(statuses).toEqual([]);
  });

  it('a task is followed to its result; its reference and its statuses are reported', async () => {
    const reported: (TaskReference | TaskStatus)[] = [];
    const client = await connected();
    const result = await client.callTool(
      'work',
      { ms: 30 },
      { onTask: (reference) => void reported.push(reference), onStatus: (status) => void reported.push(status) },
    );
    const { taskId } = service.created.at(-1)!;
    expect(textOf(result)).toBe('worked 30 ms');
    expect(reported[0]).toMatchObject({ taskId, generation, tool: 'work' });
    expect(reported[1]).toMatchObject({ taskId, status: 'working', ttlMs: expect.any(Number) as number });
    expect(reported.at(-1)).toMatchObject({ taskId, status: 'completed' });
  });

  it('onTask is waited for before the task is followed', async () => {
    const order: string[] = [];
    const client = await connected();
    const onTask = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('kept');
    };
    await client.callTool('work', { ms: 0 }, { onTask, onStatus: ({ status }) => void order.push(status) });
    expect(order[0]).toBe('kept');
  });

  it('arguments that the tool does not take make a result with isError, with or without a task', async () => {
    const client = await connected();
    expect(await client.callTool('echo', { message: 7 })).toMatchObject({ isError: true });
    expect(await client.callTool('work', { ms: 'long' })).toMatchObject({ isError: true });
  });

  it('a task that ends with isError is a result as well', async () => {
    const client = await connected();
    const result = await client.callTool('fail-task', { how: 'result' });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe('no luck');
  });

  it('a JSON-RPC error is thrown with its code and data', async () => {
    const client = await connected();
    const error = await rejection(client.callTool('fail'));
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -31_050, message: 'failed by design', data: { part: 7 } });
    expect(await rejection(client.callTool('no such tool'))).toMatchObject({ name: 'RpcError', code: -32_602 });
  });

  it('the JSON-RPC error of a task is thrown with its code and data', async () => {
    const error = await rejection((await connected()).callTool('fail-task', { how: 'error' }));
    expect(error).toBeInstanceOf(TaskFailedError);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -31_055, message: 'refused', data: { why: 'test' } });
  });

  it('progress of a call without a task is reported', async () => {
    const reported: number[] = [];
    const client = await connected();
    expect(textOf(await client.callTool('count-inline', {}, { onProgress: ({ progress }) => void reported.push(progress) }))).toBe(
      'counted',
    );
    expect(reported).toEqual([0, 50, 100]);
  });

  it('a callback that throws fails the call, and the task can be resumed', async () => {
    const client = await connected();
    let reference: TaskReference | undefined;
    const failing = client.callTool(
      'work',
      { ms: 50 },
      {
        onTask: (its) => {
          reference = its;
        },
        onStatus: () => {
          throw new Error('a mistake of the program');
        },
      },
    );
    await expect(failing).rejects.toThrow('a mistake of the program');
    expect(textOf(await client.resumeTask(reference!))).toBe('worked 50 ms');
  });

  it('an aborted signal cancels the task', async () => {
    const abort = new AbortController();
    let reference: TaskReference | undefined;
    const client = await connected();
    const called = client.callTool(
      'work',
      { ms: 60_000 },
      {
        signal: abort.signal,
        onTask: (its) => {
          reference = its;
          abort.abort(new Error('not needed'));
        },
      },
    );
    await expect(called).rejects.toThrow('not needed');
    expect(await stateOf(reference)).toMatchObject({ ending: { kind: 'cancelled' } });
  });

  it('an aborted signal cancels a task whose handle is still on its way', async () => {
    const client = await connected();
    const before = service.created.length;
    const abort = new AbortController();
    const called = client.callTool('work', { ms: 60_000 }, { signal: abort.signal });
    await waitUntil(() => service.created.length > before, { description: 'the task is created' });
    abort.abort(new Error('not needed'));
    await expect(called).rejects.toThrow('not needed');
    expect(await stateOf(service.created.at(-1))).toMatchObject({ ending: { kind: 'cancelled' } });
  });

  it('an aborted signal ends a call without a task', async () => {
    const client = await connected();
    const before = tools.inlineSignals.length;
    const abort = new AbortController();
    const called = client.callTool('wait-inline', {}, { signal: abort.signal });
    await waitUntil(() => tools.inlineSignals.length > before, { description: 'the call is made' });
    abort.abort(new Error('not needed'));
    await expect(called).rejects.toThrow('not needed');
    await waitUntil(() => tools.inlineSignals.at(-1)?.aborted, { description: 'the server has ended it' });
  });

  it('a call whose signal was aborted before is not sent', async () => {
    const client = await connected();
    const before = service.created.length;
    await expect(client.callTool('work', { ms: 0 }, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(service.created.length).toBe(before);
  });

  it('a task that somebody else cancels is thrown as cancelled', async () => {
    const client = await connected();
    const onTask = async ({ taskId }: TaskReference): Promise<void> => {
      const { owner } = service.created.at(-1)!;
      await service.tasks.cancel(service.created.at(-1)!.taskId, { owner }, 'The operator wants it.');
      expect(service.created.at(-1)?.taskId).toBe(taskId);
    };
    const error = await rejection(client.callTool('work', { ms: 60_000 }, { onTask }));
    expect(error).toBeInstanceOf(TaskCancelledError);
    expect(error).toMatchObject({ message: 'The operator wants it.' });
  });

  it('a call with the idempotency key of another one is the same task', async () => {
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    const key = `key-${generation}`;
    const before = service.created.length;
    const call = () => client.callTool('write', { text: key }, { idempotencyKey: key });
    expect([textOf(await call()), textOf(await call())]).toEqual([`written: ${key}`, `written: ${key}`]);
    expect(new Set(service.created.slice(before).map(({ taskId }) => taskId)).size).toBe(1);
    expect(tools.written.get(key)).toBe(1);
  });

  it('a call with an idempotency key that asks before it becomes a task is one task as well', async () => {
    const client = await clients.connect(url, { generation, onInput: named('Ada'), transport: KNOWN_CALLER });
    const before = service.created.length;
    const call = () => client.callTool('ask-before', {}, { idempotencyKey: `asking ${generation}` });
    expect([textOf(await call()), textOf(await call())]).toEqual(['prepared for Ada', 'prepared for Ada']);
    expect(new Set(service.created.slice(before).map(({ taskId }) => taskId)).size).toBe(1);
  });

  it('many calls at the same time do not disturb each other', async () => {
    const client = await connected();
    const results = await Promise.all([10, 20, 30, 40, 50].map((ms) => client.callTool('work', { ms })));
    expect(results.map(textOf)).toEqual([10, 20, 30, 40, 50].map((ms) => `worked ${ms} ms`));
  });
});

describe('in generation 2025-11-25', () => {
  it('progress of a task is reported', async () => {
    const reported: unknown[] = [];
    const client = await clients.connect(url, { generation: '2025-11-25' });
    await client.callTool('count', {}, { onProgress: (progress) => void reported.push(progress) });
    expect(reported).toContainEqual({ progress: 3, total: 3, message: 'step 3' });
  });

  it('the lifetime of the task can be asked for', async () => {
    const client = await clients.connect(url, { generation: '2025-11-25' });
    const ttls: unknown[] = [];
    await client.callTool('work', { ms: 0 }, { ttlMs: 123_456, onStatus: ({ ttlMs }) => void ttls.push(ttlMs) });
    expect(ttls[0]).toBe(123_456);
  });
});
