/** Tests that a server is kept connected: by restarts, with pauses that grow. */
import { KeptServer, parseServers, type ServerHealth } from '@longhaul/servers';
import { afterEach, describe, expect, it } from 'vitest';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { GENERATIONS, rejection, textOf } from '../client/support/clients.js';
import { firstOf, greeting2025, methods, startScriptedServer } from '../client/support/scripted-server.js';
import { startService } from '../support/gateway/gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { oddServer } from './support/odd-server.js';
import { startSseServer } from './support/sse-server.js';

const kept: KeptServer[] = [];
afterEach(async () => {
  await Promise.all(kept.splice(0).map((server) => server.close()));
});

function keep(entry: object, onHealth?: (health: ServerHealth) => void): KeptServer {
  const [config] = parseServers(JSON.stringify({ mcpServers: { kept: entry } }), { from: 'x.json', env: {} }).servers;
  if (config === undefined) throw new Error('There is no server.');
  const checks = { everyMs: 20, againMs: 20, timeoutMs: 5_000 };
  const server = new KeptServer(config, { pauses: { firstMs: 20, maxMs: 100 }, checks, ...(onHealth !== undefined && { onHealth }) });
  kept.push(server);
  return server;
}

const ANSWERS_PID = `if (method === 'tools/call') return { content: [{ type: 'text', text: String(process.pid) }] };`;

describe('a kept server', () => {
  it('is one process, though many ask for it at the same time', async () => {
    const server = keep(oddServer({ answers: ANSWERS_PID }));
    const connections = await Promise.all([1, 2, 3].map(() => server.connected()));
    expect(new Set(connections).size).toBe(1);
    expect(server.health).toMatchObject({ state: 'connected', restarts: 0 });
  });

  it('is connected again when it has ended, and says how it did', async () => {
    const end = `if (method === 'notifications/end') { process.stderr.write('\\u001B[31mno room for ' + process.env.API_KEY); process.exit(3); }`;
    const server = keep(oddServer({ answers: `${ANSWERS_PID} ${end}` }, { env: { API_KEY: 'sesame-123' } }));
    const first = await server.connected();
    const pid = textOf(await first.callTool('work', {}));
    await first.client.client.notification({ method: 'notifications/end' });
    await waitUntil(() => server.present !== first, { description: 'the end is noticed' });
    const second = await server.connected();
    expect(textOf(await second.callTool('work', {}))).not.toBe(pid);
    expect(server.health).toMatchObject({
      state: 'connected',
      restarts: 1,
      lastError: 'its process ended with exit code 3\nThe last lines of its standard error:\n  no room for ***',
      about: { name: 'odd', version: '1', protocolVersion: '2025-11-25' },
    });
  });

  it('whose stream has ended is connected again', async () => {
    const sse = await startSseServer();
    try {
      const server = keep({ url: sse.url });
      const first = await server.connected();
      sse.drop();
      await waitUntil(() => server.present !== first, { description: 'the end is noticed' });
      expect(textOf(await (await server.connected()).callTool('work', {}))).toBe('done');
    } finally {
      await sse.close();
    }
  });

  it.each(GENERATIONS)(
    'at a URL of %s that goes down is away, with the reason and since when, until it is there again',
    async (generation) => {
      const features = createFeatureRegistry([defineTool({ name: 'work', description: 'Works', input: z.object({}), run: () => 'done' })]);
      const first = await startService({ features });
      const url = await first.listen();
      const seen: ServerHealth[] = [];
      const server = keep({ url, protocolVersion: generation }, (health) => seen.push(health));
      await server.connected();
      const since = server.health.since;
      await first.close();
      await waitUntil(() => server.health.state === 'away', { description: 'the end is noticed' });
      expect(server.health.lastError).toMatch(/^its URL does not answer: .*ECONNREFUSED/s);
      expect(server.health.since).toBeGreaterThanOrEqual(since);
      expect(seen.filter(({ lastError }) => lastError?.includes('does not answer'))).not.toEqual([]);
      const again = await startService({ features, settings: { port: Number(new URL(url).port) } });
      try {
        await again.listen();
        await waitUntil(() => server.health.state === 'connected', { description: 'it is connected again' });
        expect(server.health.restarts).toBe(1);
      } finally {
        await server.close();
        await again.close();
      }
    },
  );

  it('at a URL that answers with errors stays connected', async () => {
    const refusing = await startScriptedServer(firstOf(methods({ ping: ({ error }) => error(-32_601, 'Method not found') }), greeting2025));
    try {
      const server = keep({ url: refusing.url, protocolVersion: '2025-11-25' });
      const present = await server.connected();
      await waitUntil(() => refusing.requests('ping').length >= 3, { description: 'it is asked' });
      expect(server.present).toBe(present);
    } finally {
      await refusing.close();
    }
  });

  it('that cannot be connected is tried again by itself, and refused meanwhile', async () => {
    const seen: ServerHealth[] = [];
    const server = keep({ command: process.execPath, args: ['-e', 'process.exit(1)'] }, (health) => seen.push(health));
    expect(await rejection(server.connected())).toMatchObject({ name: 'ServerStartError' });
    await waitUntil(() => seen.filter(({ state }) => state === 'away').length >= 3, { description: 'it is tried again' });
    expect(await rejection(server.connected())).toMatchObject({ name: expect.stringMatching(/^Server(Away|Start)Error$/) as string });
    await server.close();
    expect(server.health.state).toBe('closed');
    expect(await rejection(server.connected())).toMatchObject({ message: 'The server "kept" is not wanted any more.' });
  });

  it('can be restarted by hand', async () => {
    const server = keep(oddServer({ answers: ANSWERS_PID }));
    const pid = textOf(await (await server.connected()).callTool('work', {}));
    expect(textOf(await (await server.restart()).callTool('work', {}))).not.toBe(pid);
  });
});
