import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectedClient, connectClient } from '../../support/gateway/client.js';
import { serviceForTests } from '../../support/gateway/gateway.js';

let url: string;
const open: ConnectedClient[] = [];

const service = serviceForTests({ settings: { patienceMs: 20 } });
beforeAll(async () => {
  url = await service.listen();
});
afterAll(async () => {
  await Promise.all(open.map(({ client }) => client.close()));
});

async function connect(answer?: (request: ElicitRequest) => ElicitResult): Promise<ConnectedClient> {
  const connected = await connectClient(url, answer ? { elicitation: { form: {} } } : {}, (client) => {
    if (answer) client.setRequestHandler(ElicitRequestSchema, answer);
  });
  open.push(connected);
  return connected;
}

async function callAsTask(client: Client, name: string, args: Record<string, unknown> = {}) {
  await client.listTools();
  const messages = [];
  const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, { task: { ttl: 60_000 } });
  for await (const message of stream) messages.push(message);
  return messages;
}

describe('the stock client', () => {
  it('lists and calls tools', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();

    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(await client.callTool({ name: 'echo', arguments: { message: 'hi' } })).toEqual({
      content: [{ type: 'text', text: 'Echo: hi' }],
    });
  });

  it('follows the progress of a plain call', async () => {
    const { client } = await connect();
    const progress: number[] = [];
    const result = await client.callTool({ name: 'count', arguments: { to: 3 } }, undefined, {
      onprogress: (report) => void progress.push(report.progress),
    });

    expect(result.content).toEqual([{ type: 'text', text: 'counted to 3' }]);
    expect(progress.at(-1)).toBe(3);
  });

  it('answers the question of a plain call', async () => {
    const { client } = await connect(() => ({ action: 'accept', content: { name: 'Ada' } }));

    expect((await client.callTool({ name: 'ask' })).content).toEqual([{ type: 'text', text: 'Hello Ada' }]);
  });

  it('is asked by a plain call without a task that it could not look up', async () => {
    const asked: ElicitRequest[] = [];
    const { client } = await connect((request) => {
      asked.push(request);
      return { action: 'decline' };
    });

    expect((await client.callTool({ name: 'ask' })).content).toEqual([{ type: 'text', text: 'No name: decline' }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.params).not.toHaveProperty('_meta');
  });

  it('runs a task from its creation to its result', async () => {
    const { client } = await connect();
    const messages = await callAsTask(client, 'must-be-task');

    expect(messages[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working', ttl: 60_000 } });
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'done' }] } });
  });

  it('answers the question of a task on tasks/result', async () => {
    const asked: ElicitRequest[] = [];
    const { client } = await connect((request) => {
      asked.push(request);
      return { action: 'accept', content: { name: 'Grace' } };
    });
    const messages = await callAsTask(client, 'ask');

    expect(messages.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'Hello Grace' }] } });
    expect(asked[0]?.params._meta).toHaveProperty('io.modelcontextprotocol/related-task');
  });

  it('gets, lists and cancels tasks', async () => {
    const { client } = await connect();
    const { tasks } = client.experimental;
    await client.listTools();
    const stream = tasks.callToolStream({ name: 'sleep' }, CallToolResultSchema, { task: {} });
    const created = (await stream.next()).value;
    const taskId = created?.type === 'taskCreated' ? created.task.taskId : '';

    expect(await tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working' });
    expect((await tasks.listTasks()).tasks).toMatchObject([{ taskId }]);
    expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    await expect(tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toMatchObject({ code: -32602 });
  });

  it('ends its session', async () => {
    const { client, transport } = await connect();
    const sessionId = transport.sessionId ?? '';
    await transport.terminateSession();

    await expect(client.ping()).rejects.toThrow();
    expect(await service.sessions.load(sessionId)).toBeUndefined();
  });
});
