/** Tests connections that break: which requests are sent again, which never are, and which error the caller receives. */
import { ConnectionLostError, type InputHandlers, type TaskReference } from '@longhaul/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/gateway/gateway.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { waitUntil } from '../support/wait-until.js';
import { Clients, GENERATIONS, rejection, textOf, KNOWN_CALLER } from './support/clients.js';
import { clientTools, type Runs } from './support/tools.js';

const clients = new Clients();
let tools: Runs;
let service: TestService;
let proxy: TcpProxy;

beforeEach(async () => {
  tools = clientTools();
  service = await startService({ features: tools.features });
  proxy = await openTcpProxy(await service.listen());
});
afterEach(async () => {
  await clients.close();
  await proxy.close();
  await service.close();
});

/** Opens the gate of the task that has come to it. */
async function open(gate: string): Promise<void> {
  await waitUntil(() => tools.gates.has(gate), { description: `the task waits at gate ${gate}` });
  tools.gates.get(gate)?.();
}

describe.each(GENERATIONS)('in generation %s', (generation) => {
  const connected = (retry = { attempts: 50, initialDelayMs: 10, maxDelayMs: 50 }) => clients.connect(proxy.url, { generation, retry });

  it('a task is followed through an outage, in which it ends', async () => {
    const client = await connected();
    const statuses: string[] = [];
    const called = client.callTool('write', { text: 'a', gate: 'a' }, { onStatus: ({ status }) => void statuses.push(status) });
    await waitUntil(() => tools.gates.has('a') && statuses.length > 0, { description: 'the task is followed' });
    proxy.cut();
    await open('a');
    await waitUntil(async () => (await service.tasks.get(service.created[0]!.taskId, service.created[0]!)).endedAt, {
      description: 'the task has ended',
    });
    proxy.restore();
    expect(textOf(await called)).toBe('written: a');
    expect(service.created).toHaveLength(1);
  });

  it('a task is followed through cuts at any moment', async () => {
    const client = await connected();
    const called = client.callTool('work', { ms: 600 });
    await waitUntil(() => service.created.length === 1, { description: 'the task is created' });
    await new Promise((resolve) => setTimeout(resolve, 100)); // The handle has arrived: a cut before would be another case.
    for (let cuts = 0; cuts < 10; cuts++) {
      proxy.cut();
      proxy.restore();
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(textOf(await called)).toBe('worked 600 ms');
    expect(service.created).toHaveLength(1);
  });

  it('a question that is open when the connection breaks is asked once, and its answer arrives', async () => {
    const client = await clients.connect(proxy.url, { generation, capabilities: { elicitation: { form: {} } } });
    const asked: string[] = [];
    const onInput: InputHandlers = {
      elicitation({ message }) {
        asked.push(message);
        proxy.cut();
        setTimeout(proxy.restore, 100);
        return { action: 'accept', content: { name: message } };
      },
    };
    const called = client.callTool('ask-late', {}, { onInput });
    expect(textOf(await called)).toBe('First? and Second?');
    expect(asked).toEqual(['First?', 'Second?']);
  });

  it('a call that may have had an effect is not sent again', async () => {
    const client = await connected();
    await client.callTool('echo', { message: 'the tools are known' });
    proxy.swallowReplies();
    const called = rejection(client.callTool('write', { text: 'once' }));
    await waitUntil(() => tools.written.get('once'), { description: 'the effect is there' });
    proxy.cut();
    proxy.restore();
    const error = await called;
    expect(error).toBeInstanceOf(ConnectionLostError);
    expect(error).toMatchObject({ effect: 'unknown' });
    expect(service.created).toHaveLength(1);
  });

  it('a call with an idempotency key is sent again, and has its effect once', async () => {
    const retry = { attempts: 50, initialDelayMs: 10, maxDelayMs: 50 };
    const client = await clients.connect(proxy.url, { generation, retry, transport: KNOWN_CALLER });
    await client.callTool('echo', { message: 'the tools are known' });
    proxy.swallowReplies();
    const called = client.callTool('write', { text: 'once' }, { idempotencyKey: 'k' });
    await waitUntil(() => tools.written.get('once'), { description: 'the effect is there' });
    proxy.cut();
    proxy.restore();
    expect(textOf(await called)).toBe('written: once');
    expect(new Set(service.created.map(({ taskId }) => taskId)).size).toBe(1);
    expect(tools.written.get('once')).toBe(1);
  });

  it('when the server stays away the error leads back to the task', async () => {
    const client = await connected({ attempts: 3, initialDelayMs: 10, maxDelayMs: 20 });
    const called = rejection(client.callTool('write', { text: 'a', gate: 'a' }, { onTask: () => proxy.cut() }));
    const error = (await called) as ConnectionLostError;
    expect(error).toBeInstanceOf(ConnectionLostError);
    proxy.restore();
    const later = await clients.connect(proxy.url, { generation });
    const resumed = later.resumeTask(JSON.parse(JSON.stringify(error.reference)) as TaskReference);
    await open('a');
    expect(textOf(await resumed)).toBe('written: a');
  });

  it('a cancellation that cannot be delivered is an error with the reference of the task', async () => {
    const client = await connected({ attempts: 3, initialDelayMs: 10, maxDelayMs: 20 });
    const abort = new AbortController();
    const onTask = (): void => {
      proxy.cut();
      abort.abort();
    };
    const error = await rejection(client.callTool('work', { ms: 60_000 }, { signal: abort.signal, onTask }));
    expect(error).toMatchObject({ name: 'CancelFailedError', cause: { name: 'ConnectionLostError' } });
    expect((error as { reference?: TaskReference }).reference?.taskId).toBe(service.created[0]?.taskId);
  });

  it('a call after the client of the SDK was closed fails at once', async () => {
    const client = await connected();
    await client.client.close();
    const error = await rejection(client.callTool('work', { ms: 0 }));
    expect(error).toMatchObject({ name: 'ConnectionLostError', effect: 'none' });
  });

  it('connecting to a server that is not there fails at once', async () => {
    const { url } = proxy;
    await proxy.close();
    const error = await rejection(clients.connect(url, { generation }));
    expect(error).toMatchObject({ name: 'ConnectionLostError', effect: 'none' });
    proxy = await openTcpProxy(url);
  });
});

describe('in generation 2025-11-25', () => {
  it('the stream of a call without a task is resumed where it broke', async () => {
    const onInput: InputHandlers = {
      elicitation() {
        proxy.cut();
        setTimeout(proxy.restore, 50);
        return { action: 'accept', content: { name: 'Ada' } };
      },
    };
    const client = await clients.connect(proxy.url, { generation: '2025-11-25', onInput });
    expect(textOf(await client.callTool('ask-inline'))).toBe('Hello Ada');
  });
});
