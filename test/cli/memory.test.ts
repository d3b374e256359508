/** Tests `longhaul memory`: the file of the reference server is imported and exported, byte for byte. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestRedis } from '../support/redis.js';
import { Workplace } from './support/launcher.js';
import { connectStdio } from './support/stdio-client.js';

const LINES = [
  '{"type":"entity","name":"Zoë","entityType":"person","observations":["first","ünïcödé 🎉"]}',
  '{"type":"entity","name":"__proto__","entityType":"","observations":[]}',
  '{"type":"entity","name":"Ada","entityType":"person","observations":[]}',
  '{"type":"relation","from":"Zoë","to":"Ada","relationType":"knows"}',
  '{"type":"relation","from":"Ada","to":"nobody","relationType":"misses"}',
].join('\n');

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  writeFileSync(join(place.folder, 'memory.jsonl'), LINES);
});
afterEach(() => place.close());

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await place.command(['memory', ...args], env);
  return { code, out: stdout, err: stderr };
}
const exported = (): string => readFileSync(join(place.folder, 'out.jsonl'), 'utf8');

test('a graph of longhaul stdio is imported and exported byte for byte', async () => {
  expect(await run(['import', 'memory.jsonl'])).toMatchObject({ code: 0, out: '5 entities and relations imported\n' });
  const { client, close } = await connectStdio(place, { env: { LONGHAUL_FEATURES: '@longhaul/reference-servers/memory' } });
  const entities = [{ name: 'New', entityType: 'person', observations: [] }];
  await client.callTool({ name: 'create_entities', arguments: { entities } });
  await close();
  expect(await run(['export', 'out.jsonl'])).toMatchObject({ code: 0, out: '6 entities and relations exported\n' });
  const added = '{"type":"entity","name":"New","entityType":"person","observations":[]}';
  expect(exported().split('\n').toSpliced(3, 1)).toEqual(LINES.split('\n'));
  expect(exported().split('\n')[3]).toBe(added);
});

test('a graph belongs to the owner that is named, and nothing is imported over it', async () => {
  const redis = openTestRedis();
  const env = { REDIS_URL: redis.url, LONGHAUL_KEY_PREFIX: redis.prefix };
  expect(await run(['import', '--owner', 'ada', 'memory.jsonl'], env)).toMatchObject({ code: 0 });
  expect(await run(['export', '--owner', 'ada', 'out.jsonl'], env)).toMatchObject({ code: 0 });
  expect(exported()).toBe(LINES);
  const nothing = await run(['export', '--owner', 'bob', 'out.jsonl'], env);
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('there is no graph to export') as string });
  expect(exported()).toBe(LINES);
  const tokens = { ...env, LONGHAUL_TOKENS: `ada:${randomUUID()}` };
  const unknown = await run(['export', '--owner', 'adda', 'out.jsonl'], tokens);
  expect(unknown).toMatchObject({ code: 1, err: 'longhaul: --owner "adda": LONGHAUL_TOKENS has no such name\n' });
  const again = await run(['import', '--owner', 'ada', 'memory.jsonl'], env);
  expect(again).toMatchObject({ code: 1, err: 'longhaul: There is a graph already: only an empty one is imported into.\n' });
  await redis.cleanUp();
});

test('what can be repaired is, and the rest is set aside in a file beside', async () => {
  const broken = `${LINES}\r\n{"type":"entity","name":"Bob","entityType":"person"}\r\n{"type":"entity"}\r\n{"type":"entity","name":"to`;
  writeFileSync(join(place.folder, 'memory.jsonl'), Buffer.from(`\ufeff${broken}`, 'utf16le'));
  writeFileSync(join(place.folder, 'memory.jsonl.set-aside.jsonl'), 'of an import before');
  const aside = join(place.folder, 'memory.jsonl.set-aside-2.jsonl');
  expect(await run(['import', 'memory.jsonl'])).toEqual({
    code: 0,
    out: `6 entities and relations imported, 1 repaired, 2 set aside in ${aside}\n`,
    err: 'repaired: line 6: it had no observations\nset aside: line 7: it has no name\nset aside: line 8: it is no JSON\n',
  });
  const parts = readFileSync(aside, 'utf8').trimEnd().split('\n');
  expect(parts.map((part) => JSON.parse(part) as unknown)).toEqual([
    { where: 'line 7', reason: 'it has no name', text: '{"type":"entity"}' },
    { where: 'line 8', reason: 'it is no JSON', text: '{"type":"entity","name":"to' },
  ]);
  // Nothing is imported over the graph, so nothing is set aside.
  expect(await run(['import', 'memory.jsonl'])).toMatchObject({ code: 1 });
  expect(readdirSync(place.folder).filter((name) => name.includes('set-aside'))).toHaveLength(2);
});

test('a file that has nothing of a graph is refused, with the first reason', async () => {
  writeFileSync(join(place.folder, 'table.csv'), 'name,type\nAda,person\n');
  const path = join(place.folder, 'table.csv');
  expect(await run(['import', 'table.csv'])).toMatchObject({
    code: 1,
    err: `longhaul: nothing in ${path} is an entity or a relation; line 1: it is no JSON\n`,
  });
});

test.each([[[]], [['import']], [['move', 'x']], [['export', 'a', 'b']], [['export', '--who', 'a', 'b']]])(
  '%j is not understood',
  async (args) => {
    expect(await run(args)).toMatchObject({ code: 2, err: expect.stringMatching(/^longhaul: .*longhaul memory.*\n$/) as string });
  },
);
