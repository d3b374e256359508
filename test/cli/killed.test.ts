/** Tests that a task of `longhaul start` survives the death of all its processes, and that its client continues with it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { freePort } from '@longhaul/bench/free-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { gone, Workplace } from './support/launcher.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

/** Starts it, and prints how long it took until the first request was answered. */
async function start(port: number) {
  const startedAt = performance.now();
  const launcher = place.run(['start'], { PORT: String(port) });
  const endpoint = new URL(`http://127.0.0.1:${port}/mcp`);
  const answers = () =>
    fetch(new URL('/readyz', endpoint)).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(answers, { description: 'it serves' });
  process.stdout.write(`from start to first answer: ${Math.round(performance.now() - startedAt)} ms\n`);
  await launcher.endpoint();
  return { launcher, endpoint };
}

async function connect(endpoint: URL, sessionId?: string): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { interpretation: 'snake' } }));
  const transport = new StreamableHTTPClientTransport(endpoint, sessionId === undefined ? {} : { sessionId });
  await client.connect(transport);
  return { client, transport };
}

test('a task waits for an answer, every process is killed, and after a new start the same session answers and gets the result', async () => {
  const port = await freePort();
  const { launcher, endpoint } = await start(port);
  const { client, transport } = await connect(endpoint);
  const params = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true }, task: { ttl: 600_000 } };
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  const statusFrom = async (from: Client): Promise<string> => (await from.experimental.tasks.getTask(task.taskId)).status;
  await waitUntil(async () => (await statusFrom(client)) === 'input_required', { description: 'it asks' });

  const family = place.family(launcher);
  expect(family).toHaveLength(3);
  for (const pid of family) process.kill(pid, 'SIGKILL');
  await launcher.ended;
  await gone(family);
  await transport.close();

  await start(port);
  const { client: again } = await connect(endpoint, transport.sessionId);
  expect(await statusFrom(again)).toBe('input_required');
  const result = await again.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
  expect(JSON.stringify(result.content)).toContain('# Research Report: python (snake)');
  await again.close();
});

test('the sockets that killed processes have left beside the data file are gone after the next start and end', async () => {
  const port = await freePort();
  const { launcher } = await start(port);
  for (const pid of place.family(launcher)) process.kill(pid, 'SIGKILL');
  await launcher.ended;
  const { launcher: next } = await start(port);
  next.signal('SIGTERM');
  expect((await next.ended).code).toBe(0);
  expect(readdirSync(join(place.folder, '.longhaul')).filter((name) => name.endsWith('.sock'))).toEqual([]);
});
