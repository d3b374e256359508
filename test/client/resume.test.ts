/** Tests tasks that are resumed: by another client, and by another process after the first one was killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ClientClosedError, type ClientError, type InputHandlers, TaskLeftError, type TaskReference } from '@longhaul/client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../support/gateway/gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { Clients, GENERATIONS, named, rejection, textOf } from './support/clients.js';
import { clientTools } from './support/tools.js';

const tools = clientTools();
const clients = new Clients();
const processes: ChildProcess[] = [];
let url: string;

const service = serviceForTests({ features: tools.features });
beforeAll(async () => {
  url = await service.listen();
});
afterEach(async () => {
  await clients.close();
  for (const child of processes.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  /** The next line that it prints, as JSON. */
  next(): Promise<unknown>;
}

function start(...args: readonly string[]): Started {
  const script = new URL('support/task-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  processes.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, next: async () => JSON.parse(((await lines.next()) as { value: string }).value) as unknown };
}

async function open(gate: string): Promise<void> {
  await waitUntil(() => tools.gates.has(gate), { description: `the task waits at gate ${gate}` });
  tools.gates.get(gate)?.();
}

const copyOf = (reference: TaskReference | undefined) => JSON.parse(JSON.stringify(reference)) as TaskReference;

describe.each(GENERATIONS)('in generation %s', (generation) => {
  it('a process takes up the task of one that was killed', async () => {
    const gate = `killed ${generation}`;
    const first = start('call', url, generation, 'write', JSON.stringify({ text: gate, gate }));
    const reference = (await first.next()) as TaskReference;
    await waitUntil(() => tools.gates.has(gate), { description: 'the task is at its gate' });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = start('resume', url, generation, JSON.stringify(reference));
    await open(gate);
    expect(textOf((await second.next()) as { content: object[] })).toBe(`written: ${gate}`);
    expect(await once(second.child, 'exit')).toEqual([0, null]);
    expect(tools.written.get(gate)).toBe(1);
  });

  it('a process answers what a task asks whose first client went away during the question', async () => {
    const first = await clients.connect(url, { generation, capabilities: { elicitation: { form: {} } } });
    const asked = Promise.withResolvers<void>();
    const onInput: InputHandlers = {
      elicitation: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    };
    const called = rejection(first.callTool('ask-late', {}, { onInput }));
    await asked.promise;
    await first.close();
    const second = start('resume', url, generation, JSON.stringify(((await called) as ClientError).reference));
    expect(textOf((await second.next()) as { content: object[] })).toBe('resume First? and resume Second?');
  });

  it('a closed client leaves its tasks to another one, with their references', async () => {
    const gate = `closed ${generation}`;
    const first = await clients.connect(url, { generation });
    const called = rejection(first.callTool('write', { text: gate, gate }));
    await waitUntil(() => tools.gates.has(gate), { description: 'the task is at its gate' });
    await first.close();
    const error = (await called) as ClientError;
    expect(error).toBeInstanceOf(ClientClosedError);
    const second = await clients.connect(url, { generation });
    const statuses: string[] = [];
    const resumed = second.resumeTask(copyOf(error.reference), { onStatus: ({ status }) => void statuses.push(status) });
    await waitUntil(() => statuses.includes('working'), { description: 'the task is followed' });
    await open(gate);
    expect(textOf(await resumed)).toBe(`written: ${gate}`);
    expect(statuses.at(-1)).toBe('completed');
  });

  it('a call that is left, at once or later, leaves its task to go on, and the client stays', async () => {
    const gate = `left ${generation}`;
    const client = await clients.connect(url, { generation });
    const left = async (run: (leave: AbortSignal) => Promise<unknown>, when: Promise<unknown>): Promise<TaskReference | undefined> => {
      const leaving = new AbortController();
      const ended = rejection(run(leaving.signal));
      await when;
      leaving.abort();
      const error = (await ended) as ClientError;
      expect(error).toBeInstanceOf(TaskLeftError);
      return error.reference;
    };
    const atGate = waitUntil(() => tools.gates.has(gate), { description: 'the task is at its gate' });
    const reference = await left((leave) => client.callTool('write', { text: gate, gate }, { leave }), atGate);
    const followed = Promise.withResolvers<void>();
    const onStatus = (): void => followed.resolve();
    expect(await left((leave) => client.resumeTask(copyOf(reference), { leave, onStatus }), followed.promise)).toEqual(reference);
    expect(await rejection(client.resumeTask(copyOf(reference), { leave: AbortSignal.abort() }))).toBeInstanceOf(TaskLeftError);
    await open(gate);
    expect(textOf(await client.resumeTask(copyOf(reference)))).toBe(`written: ${gate}`);
    expect(tools.written.get(gate)).toBe(1);
    expect(textOf(await client.callTool('work', { ms: 0 }))).toBe('worked 0 ms');
  });

  it('a call that is left before it is a task is left as soon as it is one', async () => {
    const client = await clients.connect(url, { generation });
    const error = await rejection(client.callTool('work', { ms: 0 }, { leave: AbortSignal.abort() }));
    expect(textOf(await client.resumeTask(copyOf((error as ClientError).reference)))).toBe('worked 0 ms');
  });

  it('a question of a task that is left during it stays open', async () => {
    const client = await clients.connect(url, { generation, capabilities: { elicitation: { form: {} } } });
    const leaving = new AbortController();
    const onInput: InputHandlers = {
      elicitation: (_params, { signal }) => {
        leaving.abort();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left')), { once: true }));
      },
    };
    const { reference } = (await rejection(client.callTool('ask-late', {}, { onInput, leave: leaving.signal }))) as ClientError;
    const answers: InputHandlers = { elicitation: ({ message }) => ({ action: 'accept', content: { name: `again ${message}` } }) };
    expect(textOf(await client.resumeTask(copyOf(reference), { onInput: answers }))).toBe('again First? and again Second?');
  });

  it('several tasks of a closed client are resumed together, with push', async () => {
    const first = await clients.connect(url, { generation });
    const called = ['a', 'b'].map((name) => {
      const gate = `${name} together ${generation}`;
      return rejection(first.callTool('write-late', { text: gate, gate }));
    });
    await waitUntil(() => ['a', 'b'].every((name) => tools.gates.has(`${name} together ${generation}`)), {
      description: 'both are at the gate',
    });
    await first.close();
    const references = (await Promise.all(called)).map((error) => copyOf((error as ClientError).reference));
    const second = await clients.connect(url, { generation });
    const resumed = references.map((reference) => second.resumeTask(reference));
    await open(`a together ${generation}`);
    expect(textOf(await resumed[0]!)).toBe(`written: a together ${generation}`);
    await open(`b together ${generation}`);
    expect(textOf(await resumed[1]!)).toBe(`written: b together ${generation}`);
  });

  it('a task that has ended is resumed to its result', async () => {
    let reference: TaskReference | undefined;
    const client = await clients.connect(url, { generation });
    const onTask = (its: TaskReference): void => {
      reference = its;
    };
    await client.callTool('work', { ms: 0 }, { onTask });
    expect(textOf(await client.resumeTask(copyOf(reference)))).toBe('worked 0 ms');
  });

  it('a resumed task is cancelled by the signal, even by one that was aborted before', async () => {
    const client = await clients.connect(url, { generation });
    const other = await clients.connect(url, { generation });
    const onTask = async (reference: TaskReference): Promise<void> => {
      await expect(other.resumeTask(copyOf(reference), { signal: AbortSignal.abort(new Error('unwanted')) })).rejects.toThrow('unwanted');
    };
    expect(await rejection(client.callTool('work', { ms: 60_000 }, { onTask }))).toMatchObject({ name: 'TaskCancelledError' });
  });

  it('a task that is not there is an error', async () => {
    const client = await clients.connect(url, { generation });
    const reference = { taskId: '00000000-0000-4000-8000-000000000000', generation, tool: 'work' };
    expect(await rejection(client.resumeTask(reference))).toMatchObject({ name: 'RpcError', code: -32_602 });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'task-1', 'A task reference has to be an object.'],
    ['without a task', { generation, tool: 'work' }, 'The task reference has no text in "taskId".'],
    ['of no generation', { taskId: 't', tool: 'work', generation: '1999' }, '"generation" of the task reference has to be one of'],
    [
      'with a strange session',
      { taskId: 't', tool: 'work', generation, sessionId: 7 },
      '"sessionId" of the task reference has to be a text.',
    ],
  ])('a reference %s is refused', async (_name, reference, message) => {
    const client = await clients.connect(url, { generation });
    await expect(client.resumeTask(reference as TaskReference)).rejects.toThrow(message);
  });
});

it('a reference of the other generation is refused', async () => {
  const client = await clients.connect(url);
  const reference: TaskReference = { taskId: 't', tool: 'work', generation: '2025-11-25' };
  await expect(client.resumeTask(reference)).rejects.toThrow('The task is of generation 2025-11-25, but the connection is of 2026-07-28.');
});

describe('the end of a client', () => {
  const sessions = () => service.sessions;

  it('ends its session, unless a task is left in it', async () => {
    const tidy = await clients.connect(url, { generation: '2025-11-25' });
    await tidy.callTool('work', { ms: 0 });
    const session = service.created.at(-1)!.sessionId!;
    expect(await sessions().load(session)).toBeDefined();
    await tidy.close();
    expect(await sessions().load(session)).toBeUndefined();
  });

  it('leaves the session to its unfinished tasks', async () => {
    const client = await clients.connect(url, { generation: '2025-11-25' });
    const called = rejection(client.callTool('work', { ms: 60_000 }, { onTask: () => void client.close() }));
    expect(await called).toBeInstanceOf(ClientClosedError);
    await client.close();
    expect(await sessions().load(service.created.at(-1)!.sessionId!)).toBeDefined();
  });

  it('ends its session though it has left a task of another one', async () => {
    const first = await clients.connect(url, { generation: '2025-11-25' });
    const gate = 'left in another session';
    const left = await rejection(first.callTool('write', { text: gate, gate }, { leave: AbortSignal.abort() }));
    const second = await clients.connect(url, { generation: '2025-11-25' });
    await second.callTool('work', { ms: 0 });
    const session = service.created.at(-1)!.sessionId!;
    await rejection(second.resumeTask(copyOf((left as ClientError).reference), { leave: AbortSignal.abort() }));
    await second.close();
    expect(await sessions().load(session)).toBeUndefined();
    await open(gate);
  });

  it('cancels calls that are no tasks', async () => {
    for (const generation of GENERATIONS) {
      const client = await clients.connect(url, { generation });
      const before = tools.inlineSignals.length;
      const called = rejection(client.callTool('wait-inline'));
      await waitUntil(() => tools.inlineSignals.length > before, { description: 'the call is made' });
      await client.close();
      expect(await called).toBeInstanceOf(ClientClosedError);
      await waitUntil(() => tools.inlineSignals.at(-1)?.aborted, { description: `the server has ended it in ${generation}` });
    }
  });

  it('comes once, and no call after it', async () => {
    const client = await clients.connect(url, { onInput: named('Ada') });
    await Promise.all([client.close(), client.close()]);
    expect(await rejection(client.callTool('echo', { message: 'hi' }))).toBeInstanceOf(ClientClosedError);
  });
});
