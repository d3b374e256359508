/** Tests the client at an external server: the reference server of the protocol, over both transports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import type { InputHandlers, Target, TaskClient } from '@longhaul/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Clients, rejection, textOf } from './support/clients.js';

const REFERENCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

const onInput: InputHandlers = {
  elicitation: () => ({ action: 'accept', content: { interpretation: 'historical', name: 'Ada' } }),
  sampling: () => ({ role: 'assistant', content: { type: 'text', text: 'a pelican' }, model: 'test' }),
  roots: () => ({ roots: [{ uri: 'file:///work' }] }),
};

const clients = new Clients();
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  server = spawn(process.execPath, [REFERENCE, 'streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  await waitUntil(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { description: 'the server listens' },
  );
});
afterAll(async () => {
  await clients.close();
  server.kill();
  await once(server, 'exit');
});

describe.concurrent.each<[string, () => Target]>([
  ['HTTP', () => url],
  ['stdio', () => () => new StdioClientTransport({ command: process.execPath, args: [REFERENCE], stderr: 'ignore' })],
])('over %s', (_transport, target) => {
  let client: TaskClient;
  beforeAll(async () => {
    client = await clients.connect(target(), { onInput });
  });

  it('speaks the generation that the server has', () => {
    expect(client.generation).toBe('2025-11-25');
    expect(client.client.getServerVersion()?.name).toBe('mcp-servers/everything');
  });

  it('calls a tool without a task', async () => {
    expect(textOf(await client.callTool('echo', { message: 'hi' }))).toBe('Echo: hi');
  });

  it('follows a task, and answers what it asks', async () => {
    const statuses: string[] = [];
    const onStatus = ({ status }: { readonly status: string }): void => void statuses.push(status);
    const result = await client.callTool('simulate-research-query', { topic: 'tides', ambiguous: true }, { onStatus });
    expect(textOf(result)).toContain('# Research Report: tides (historical)');
    expect(statuses).toContain('input_required');
    expect(statuses.at(-1)).toBe('completed');
  });

  it('answers user, model and roots of calls without a task', async () => {
    expect(textOf(await client.callTool('trigger-elicitation-request'))).toContain('User provided the requested information');
    expect(textOf(await client.callTool('trigger-sampling-request', { prompt: 'a bird', maxTokens: 10 }))).toContain('a pelican');
    expect(textOf(await client.callTool('get-roots-list'))).toContain('file:///work');
  });

  it('reports the progress', async () => {
    const reported: number[] = [];
    await client.callTool(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 4 },
      { onProgress: ({ progress }) => void reported.push(progress) },
    );
    expect(reported).toEqual([1, 2, 3, 4]);
  });

  it('cancels a task', async () => {
    const abort = new AbortController();
    const onTask = (): void => abort.abort(new Error('not needed'));
    const error = await rejection(client.callTool('simulate-research-query', { topic: 'tides' }, { signal: abort.signal, onTask }));
    expect(error).toMatchObject({ message: 'not needed' });
  });
});
