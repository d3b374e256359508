import { openMemoryStore } from '@longhaul/store-sqlite';
import { createKeyRing } from '@longhaul/runtime/keys';
import { describe, expect, it } from 'vitest';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import { PLAIN, type PayloadCodec, type Place } from '../ports/payload-codec.js';
import { codecOf } from './encryption.js';

const [OLD, NEW] = ['the old key of a deployment', 'the new key of a deployment'].map((secret) => ({
  name: secret.slice(4, 7),
  secret,
})) as [{ name: string; secret: string }, { name: string; secret: string }];
const place: Place = { kind: 'task', id: 'task-1', field: 'StepCompleted', version: 3 };
const tenantOf = (owner: string): string => owner.slice(0, 1);

function codecs() {
  const store = openMemoryStore().dataKeys;
  const encryption = (...keys: [typeof OLD, ...(typeof OLD)[]]) =>
    codecOf(store, { ring: createKeyRing(keys[0], keys.slice(1)), scopeOf: tenantOf });
  return { store, encryption };
}

async function recordsOf(store: DataKeyStore): Promise<readonly DataKeyRecord[]> {
  const records: DataKeyRecord[] = [];
  for await (const some of store.all()) records.push(...some);
  return records;
}

const seal = async (codec: PayloadCodec, owner: string, text: string, at = place): Promise<string> =>
  (await codec.sealFor(owner))(text, at);

describe('digests', () => {
  const digestsOf = async (codec: PayloadCodec, owner: string) => (await codec.digestsFor(owner)).map((digest) => digest('arguments'));

  it('need the key of the tenant, and those of before there was one are known', async () => {
    const { encryption } = codecs();
    const [plain] = await digestsOf(PLAIN, 'ada');
    const [keyed, other] = await digestsOf(encryption(NEW), 'ada');
    expect(keyed).toMatch(/^[\w-]{43}$/);
    expect(other).toBe(plain);
    expect(new Set([plain, keyed, (await digestsOf(encryption(NEW), 'bob'))[0]]).size).toBe(3);
  });

  it('are the same after the key of the ring was replaced, and known where what is new is not encrypted', async () => {
    const { store, encryption } = codecs();
    const [keyed = ''] = await digestsOf(encryption(OLD), 'ada');
    expect((await digestsOf(encryption(NEW, OLD), 'ada'))[0]).toBe(keyed);
    const readsOnly = codecOf(store, { ring: createKeyRing(OLD, []), scopeOf: tenantOf, writes: false });
    const [plain, known] = await digestsOf(readsOnly, 'ada');
    expect([plain, known]).toEqual([...(await digestsOf(PLAIN, 'ada')), keyed]);
  });
});

describe('encrypted payloads', () => {
  it('are given back at their place, differ each time, and show nothing of what is in them', async () => {
    const codec = codecs().encryption(NEW);
    const [first, second] = [await seal(codec, 'ada', '{"secret":"ü☂"}'), await seal(codec, 'ada', '{"secret":"ü☂"}')];
    expect(await codec.open(first, place)).toBe('{"secret":"ü☂"}');
    expect(first).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/);
    expect(second).not.toBe(first);
    expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').includes('secret')).toBe(false);
  });

  it.each<[string, Partial<Place>]>([
    ['another task', { id: 'task-2' }],
    ['another kind of thing', { kind: 'session' }],
    ['another field', { field: 'view' }],
    ['another version', { version: 4 }],
  ])('are refused at %s', async (_title, moved) => {
    const codec = codecs().encryption(NEW);
    const text = await seal(codec, 'ada', 'payload');
    await expect(async () => codec.open(text, { ...place, ...moved })).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
  });

  it('are refused when they name the key of another tenant, or when a character was changed', async () => {
    const codec = codecs().encryption(NEW);
    const [ada, bob] = [await seal(codec, 'ada', 'payload'), await seal(codec, 'bob', 'payload')];
    const [, , body = ''] = ada.split('.');
    const [, keyOfBob = ''] = bob.split('.');
    for (const text of [`v1.${keyOfBob}.${body}`, ada.slice(0, -2), `${ada}x`, 'v1.', 'v1.short.AAAA', `v1.${keyOfBob}.AAAA`])
      await expect(async () => codec.open(text, place)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
  });

  it('leave plain ones readable, and are named where there are no keys', async () => {
    const codec = codecs().encryption(NEW);
    expect(await codec.open('{"plain":1}', place)).toBe('{"plain":1}');
    const text = await seal(codec, 'ada', 'payload');
    expect(() => PLAIN.open(text, place)).toThrow('this process has no keys: set LONGHAUL_KEYS');
  });

  it('are refused where they are plain, and only encrypted ones are taken', async () => {
    const { store, encryption } = codecs();
    const text = await seal(encryption(NEW), 'ada', 'payload');
    const strict = codecOf(store, { ring: createKeyRing(NEW), scopeOf: tenantOf, takesPlain: false });
    expect(await strict.open(text, place)).toBe('payload');
    for (const plain of ['{"plain":1}', '', 'v1'])
      await expect(async () => strict.open(plain, place)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
    expect(await strict.digestsFor('ada')).toHaveLength(1);
  });

  it('are only read where the setting says so', async () => {
    const { store, encryption } = codecs();
    const text = await seal(encryption(NEW), 'ada', 'payload');
    const reader = codecOf(store, { ring: createKeyRing(NEW), scopeOf: tenantOf, writes: false });
    expect(await reader.open(text, place)).toBe('payload');
    expect(await seal(reader, 'ada', 'payload')).toBe('payload');
  });

  it('have one data key for a tenant, also when several processes write its first ones at once', async () => {
    const { store, encryption } = codecs();
    const texts = await Promise.all(['ada', 'anna', 'ada'].map((owner) => seal(encryption(NEW), owner, owner)));
    expect(await Promise.all(texts.map(async (text) => encryption(NEW).open(text, place)))).toEqual(['ada', 'anna', 'ada']);
    await seal(encryption(NEW), 'bob', 'bob');
    const records = await recordsOf(store);
    expect(new Set(records.map(({ scope, ringKeyName }) => `${scope} ${ringKeyName}`))).toEqual(new Set(['a new', 'b new']));
    expect(records).toHaveLength(2);
  });

  it('are read after another key has begun to write, and the tenants of a lost key are refused by its name', async () => {
    const { encryption } = codecs();
    const ofAda = await seal(encryption(OLD), 'ada', 'of ada');
    const after = encryption(NEW, OLD);
    const ofBob = await seal(after, 'bob', 'of bob');
    expect(await after.open(ofAda, place)).toBe('of ada');

    const lost = encryption(NEW);
    expect(await lost.open(ofBob, place)).toBe('of bob');
    await expect(async () => lost.open(ofAda, place)).rejects.toMatchObject({
      code: 'KEY_MISSING',
      message: expect.stringContaining('"old"') as string,
    });
    await expect(async () => seal(lost, 'ada', 'more')).rejects.toMatchObject({ code: 'KEY_MISSING' });
  });

  it('are refused when the data key was exchanged for that of another tenant', async () => {
    const { store, encryption } = codecs();
    const ofAda = await seal(encryption(NEW), 'ada', 'of ada');
    await seal(encryption(NEW), 'bob', 'of bob');
    const [[ada], [bob]] = await Promise.all([store.ofScope('a'), store.ofScope('b')]);
    if (ada === undefined || bob === undefined) throw new Error('There are two data keys.');
    await store.replace(ada, { ...bob, id: ada.id });
    await expect(async () => encryption(NEW).open(ofAda, place)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
  });
});
