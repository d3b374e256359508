import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startRoundRobin } from './round-robin.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function target(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_request, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => void server.close();
  closing.push(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}

it('passes a dead target over for every request, also when many come at once', async () => {
  const [living, dead] = [await target(), await target()];
  dead.close();
  const proxy = await startRoundRobin([dead.url, living.url]);
  closing.push(() => void proxy.close());
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(proxy.url, { method: 'POST', body: '{}' })).text()),
  );
  expect(answers).toEqual(answers.map(() => 'served'));
});
