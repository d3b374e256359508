/** Tests one session over two gateways that share only Redis. */
import { request } from 'node:http';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alternating, connect, createTask, textOf } from './support/client.js';
import { Stack } from './support/stack.js';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ env: { LONGHAUL_RESEARCH_STAGE_MS: '300' } });
});
afterAll(() => stack.stop());

const connectAlternating = (...rest: Parameters<typeof connect> extends [unknown, ...infer R] ? R : never) =>
  connect(alternating(stack.gateways.map(({ url }) => url)), ...rest);

describe('a session whose requests go to alternating gateways', () => {
  it('is opened, listed, called, asked at one gateway and answered at the other, and gets its result', async () => {
    const questions: string[] = [];
    const { client, hops } = await connectAlternating((message) => {
      questions.push(message);
      return { action: 'accept', content: { interpretation: 'snake' } };
    });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['echo', 'simulate-research-query', 'work']));
    expect(await client.callTool({ name: 'echo', arguments: { message: 'over there' } })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: over there' }],
    });
    const call = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true } };
    const statuses: string[] = [];
    let report = '';
    for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema)) {
      if (message.type === 'taskStatus') statuses.push(message.task.status);
      else if (message.type === 'result') report = textOf(message.result);
      else if (message.type === 'error') throw message.error;
    }
    expect(report).toContain('# Research Report: python (snake)');
    expect(statuses).toEqual(expect.arrayContaining(['working', 'input_required']));
    expect(questions).toHaveLength(1);

    const methods = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'tasks/get', 'tasks/result', 'answer'];
    expect(hops.map(({ what }) => what)).toEqual(expect.arrayContaining(methods));
    for (const [index, { url }] of hops.entries()) expect(url).not.toBe(hops[index + 1]?.url);
    const gatewayOf = (what: string): string | undefined => hops.findLast((hop) => hop.what === what)?.url;
    expect(gatewayOf('answer')).not.toBe(gatewayOf('tasks/result'));
    await client.close();
  });

  it('lists its tasks and cancels them at whichever gateway is next', async () => {
    const { client } = await connectAlternating();
    const create = () => createTask(client, 'work', { steps: 1, ms: 60_000 });
    const taskIds = [await create(), await create()];
    expect((await client.experimental.tasks.listTasks()).tasks.map(({ taskId }) => taskId)).toEqual(taskIds.toReversed());
    for (const taskId of taskIds) expect((await client.experimental.tasks.cancelTask(taskId)).status).toBe('cancelled');
    await client.close();
  });

  it('ends everywhere when it is deleted at one gateway', async () => {
    const { client } = await connectAlternating();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': client.transport?.sessionId ?? '',
    };
    const ping = (url: string) => fetch(url, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    for (const { url } of stack.gateways) expect((await ping(url)).status).toBe(200);
    expect((await fetch(stack.gateways[0]?.url ?? '', { method: 'DELETE', headers })).ok).toBe(true);
    for (const { url } of stack.gateways) expect((await ping(url)).status).toBe(404);
    await client.close();
  });
});

describe('the proxy', () => {
  it('serves twenty sessions at once, each with a task', async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { client } = await connect(() => stack.proxyUrl);
        const taskId = await createTask(client, 'work', { steps: 2, ms: 20 });
        const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
        await client.close();
        return textOf(result);
      }),
    );
    expect(new Set(texts)).toEqual(new Set(['part 1, part 2']));
  });

  it('passes the name on that the client asked for, and the gateway refuses one that is not its own', async () => {
    const { port } = new URL(stack.proxyUrl);
    const headers = { host: 'rebound.example', 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    });
    expect(status).toBe(403);
  });

  it('delivers each event of a stream when it is sent', async () => {
    const { client } = await connect(() => stack.proxyUrl);
    const startedAt = performance.now();
    const arrivals: number[] = [];
    const operation = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } };
    await client.callTool(operation, CallToolResultSchema, { onprogress: () => arrivals.push(performance.now() - startedAt) });
    expect(arrivals).toHaveLength(4);
    // A proxy that buffers would deliver them together, at the end.
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(300);
    await client.close();
  });
});
