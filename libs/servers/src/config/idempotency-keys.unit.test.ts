import { expect, it } from 'vitest';
import { takesIdempotencyKey } from './server-config.js';
import { parseServers } from './servers-file.js';

it('an idempotency key is sent to the tools that the file names, and to no others', () => {
  const text = JSON.stringify({
    mcpServers: { shop: { url: 'http://127.0.0.1/mcp', idempotencyKeys: ['order', 'pay-*'] }, other: { command: 'other' } },
  });
  const [shop, other] = parseServers(text, { from: 'servers.json', env: {} }).servers;
  const taken = (config = shop) =>
    ['order', 'order-all', 'pay-now'].filter((tool) => config !== undefined && takesIdempotencyKey(tool, config));
  expect(taken()).toEqual(['order', 'pay-now']);
  expect(taken(other)).toEqual([]);
  const wrong = JSON.stringify({ mcpServers: { shop: { command: 'shop', idempotencyKeys: 'order' } } });
  expect(() => parseServers(wrong, { from: 'servers.json', env: {} })).toThrow('server "shop": idempotencyKeys');
});
