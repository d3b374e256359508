/** Tests that a result that is too large for one message is links to its parts, which the caller of the task alone can read. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { createLargeValues } from '@longhaul/tasks/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { MemoryBlobs } from '../../support/memory-blobs.js';
import { connectStock, type StockClient, VERSIONS } from '../../support/stock-clients.js';

const MIB = 1024 * 1024;
const LARGEST_WHOLE = 8 * MIB;

const blobs = new MemoryBlobs();
const write = defineTool({
  name: 'write',
  description: 'Writes a text.',
  input: z.object({ characters: z.int(), fails: z.boolean().optional() }),
  task: 'optional',
  run: async ({ characters, fails = false }) => ({ content: [{ type: 'text', text: '😀é'.repeat(characters / 2) }], isError: fails }),
});
const fill = defineTool({
  name: 'fill',
  description: 'Fills in a form.',
  input: z.object({}),
  output: z.object({ text: z.string() }),
  task: 'optional',
  run: async () => ({ text: 'x'.repeat(LARGEST_WHOLE) }),
});

const ADA = 'token-of-ada-0001';
const BOB = 'token-of-bob-0001';
const gateways = gatewaysForTests(
  {
    tokens: new Map([
      [ADA, 'ada'],
      [BOB, 'bob'],
    ]),
  },
  {
    features: createFeatureRegistry([write, fill]),
    change: (store) => ({
      ...store,
      values: createLargeValues({ blobs, codec: store.codec, folder: 'f', fromBytes: MIB, maxBytes: 64 * MIB, partLength: MIB }),
    }),
  },
);

describe.each(VERSIONS)('a client of %s', (version) => {
  let client: StockClient;
  let other: StockClient;
  beforeAll(async () => {
    client = await connectStock(version, gateways.first.url, { token: ADA });
    other = await connectStock(version, gateways.second.url, { token: BOB });
  });
  beforeEach(() => {
    blobs.kept.clear();
  });
  afterAll(() => Promise.all([client.close(), other.close()]));

  const linksOf = async (characters: number, fails?: boolean): Promise<readonly string[]> => {
    const { content, isError } = await client.call('write', { characters, ...(fails && { fails }) });
    expect(isError ?? false).toBe(fails ?? false);
    return (content as { type: string; uri: string }[]).flatMap(({ type, uri }) => (type === 'resource_link' ? [uri] : []));
  };
  const read = async (from: StockClient, uri: string): Promise<string> => {
    const { contents } = await from.read(uri);
    return String(contents[0]?.['text']);
  };

  it('gets a result whole that is kept apart and that one message can carry', async () => {
    const { content } = await client.call('write', { characters: MIB });
    expect(content).toEqual([{ type: 'text', text: '😀é'.repeat(MIB / 2) }]);
    expect(blobs.kept.size).toBe(2);
  });

  it('gets links to the parts of a larger one, which together are its JSON', async () => {
    const links = await linksOf(3 * MIB);
    expect(links).toHaveLength(5);
    const parts = await Promise.all(links.map((uri) => read(client, uri)));
    expect(JSON.parse(parts.join(''))).toMatchObject({ content: [{ type: 'text', text: '😀é'.repeat(1.5 * MIB) }] });
    expect(await linksOf(3 * MIB, true)).toHaveLength(5);
  });

  it('is read by its caller alone, part by part', async () => {
    const [first = ''] = await linksOf(3 * MIB);
    const wrong = [
      first.replace(/1$/, '0'),
      first.replace(/1$/, '6'),
      first.replace(/1$/, '1e0'),
      first.replace(/\/tasks\/..../, '/tasks/0000'),
    ];
    for (const uri of wrong) await expect(client.read(uri), uri).rejects.toThrow('not found');
    await expect(other.read(first)).rejects.toThrow('not found');
    expect(await read(client, first)).toHaveLength(MIB);
  });

  it('gets an error by name for a part that is gone', async () => {
    const [first = ''] = await linksOf(3 * MIB);
    blobs.kept.clear();
    await expect(client.read(first)).rejects.toMatchObject({ data: { reason: 'VALUE_MISSING' } });
  });

  it('gets an error for structured content that is too large, because it cannot be a link', async () => {
    await expect(client.call('fill', {})).rejects.toThrow(`at most ${LARGEST_WHOLE} are allowed`);
  });
});
