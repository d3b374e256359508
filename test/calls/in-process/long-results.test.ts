/** Tests that a client that does not follow tasks gets a long result in parts, when the deployment says so, and nobody else gets at them. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { connectStock, type StockClient, VERSIONS } from '../../support/stock-clients.js';

const CHARACTERS = 1_000;
const WHOLE = '0123456789'.repeat(250);

const input = z.object({ isLong: z.boolean() });
const textOf = (isLong: boolean): string => (isLong ? WHOLE : 'short');
const write = defineTool({
  name: 'write',
  description: 'Writes a text.',
  input,
  task: 'optional',
  run: ({ isLong }) => Promise.resolve(textOf(isLong)),
});
const fill = defineTool({
  name: 'fill',
  description: 'Fills in a form.',
  input,
  output: z.object({ text: z.string() }),
  task: 'optional',
  run: ({ isLong }) => Promise.resolve({ text: textOf(isLong) }),
});

const ADA = 'token-of-ada-0001';
const BOB = 'token-of-bob-0001';
const gateways = gatewaysForTests(
  {
    resultCharacters: CHARACTERS,
    tokens: new Map([
      [ADA, 'ada'],
      [BOB, 'bob'],
    ]),
  },
  { features: createFeatureRegistry([write, fill]) },
);

describe.each(VERSIONS)('a client of %s', (version) => {
  let client: StockClient;
  let other: StockClient;
  beforeAll(async () => {
    client = await connectStock(version, gateways.first.url, { token: ADA });
    other = await connectStock(version, gateways.first.url, { token: BOB });
  });
  afterAll(() => Promise.all([client.close(), other.close()]));

  const longResult = async () => {
    const { content } = await client.call('write', { isLong: true });
    const [first, , link] = content as { text: string; uri: string }[];
    return { first: first?.text ?? '', uri: link?.uri ?? '' };
  };
  const read = async (from: StockClient, uri: string) => {
    const { contents } = await from.read(uri);
    return contents[0]?.['text'];
  };

  it('gets a short result as it is', async () => {
    expect(await client.call('write', { isLong: false })).toMatchObject({ content: [{ type: 'text', text: 'short' }] });
  });

  it('gets the first part of a long one, and finds all others by its link', async () => {
    const { first, uri } = await longResult();

    expect(uri).toMatch(/^longhaul:\/\/tasks\/[^/]+\/result\/2$/);
    const parts = [first, await read(client, uri), await read(client, uri.replace(/2$/, '3'))];
    expect(parts.map((part) => String(part).length)).toEqual([1_000, 1_000, 500]);
    expect(parts.join('')).toBe(WHOLE);
    expect(await read(client, uri.replace(/\/2$/, ''))).toBe(WHOLE);
  });

  it('gets structured content that is short, and otherwise as a text in parts', async () => {
    expect((await client.call('fill', { isLong: false })).structuredContent).toEqual({ text: 'short' });
    const { content, structuredContent } = await client.call('fill', { isLong: true });
    const { uri = '' } = (content as { uri?: string }[])[2] ?? {};

    expect(structuredContent).toBeUndefined();
    expect(JSON.parse(String(await read(client, uri.replace(/\/2$/, ''))))).toEqual({ text: WHOLE });
  });

  it('finds no part that is not there', async () => {
    const { uri } = await longResult();
    for (const part of ['/4', '/0', '/-1', '/02', '/1e0', '/x', '/2/3'])
      await expect(read(client, uri.replace(/\/2$/, part))).rejects.toThrow('not found');
  });

  it("finds no part of another caller's result, as if there were none", async () => {
    const { uri } = await longResult();
    const missing = uri.replace(/tasks\/[^/]+/, `tasks/${crypto.randomUUID()}`);
    const answerTo = (from: StockClient, wanted: string) =>
      read(from, wanted).catch((error: unknown) => String(error).replace(wanted, 'URI'));

    expect(await answerTo(other, uri)).toBe(await answerTo(client, missing));
    expect(await answerTo(other, uri)).toContain('not found');
  });
});
