/** Tests data keys when the store loses its last writes. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { createKeyRing } from '@longhaul/runtime/keys';
import { describe, expect, it } from 'vitest';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import type { PayloadCodec, Place } from '../ports/payload-codec.js';
import { CONFIRMED_EVERY_MS } from './data-keys.js';
import { codecOf } from './encryption.js';

const ring = createKeyRing({ name: 'only', secret: 'the only key of a deployment' });
const place: Place = { kind: 'task', id: 'task-1', field: 'StepCompleted', version: 3 };

/** A store that can be made to forget everything, and counts its calls. */
class LosingStore implements DataKeyStore {
  #records = openMemoryStore().dataKeys;
  asked = 0;
  isAway = false;

  lose(): void {
    this.#records = openMemoryStore().dataKeys;
  }
  find(id: string): Promise<DataKeyRecord | undefined> {
    return this.#asked().find(id);
  }
  ofScope(scope: string): Promise<readonly DataKeyRecord[]> {
    return this.#asked().ofScope(scope);
  }
  async add(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    return this.#asked().add(record);
  }
  async putBack(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    return this.#asked().putBack(record);
  }
  replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean> {
    return this.#asked().replace(was, record);
  }
  all(): AsyncIterable<readonly DataKeyRecord[]> {
    return this.#records.all();
  }
  #asked(): DataKeyStore {
    this.asked += 1;
    if (this.isAway) throw new Error('away');
    return this.#records;
  }
}

function deployment() {
  const store = new LosingStore();
  const time = { now: 1_000 };
  const process = (): PayloadCodec => codecOf(store, { ring, clock: () => time.now });
  return { store, time, process };
}

const seal = async (codec: PayloadCodec, owner: string, text: string): Promise<string> => (await codec.sealFor(owner))(text, place);
const keyOf = (text: string): string | undefined => text.split('.')[1];
/** Until what continues in the background has been done. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function countIn(store: DataKeyStore): Promise<number> {
  let count = 0;
  for await (const some of store.all()) count += some.length;
  return count;
}

describe('data keys of a store that lost its last writes', () => {
  it('are put back, so that all processes read everything and write with the same one again', async () => {
    const { store, time, process } = deployment();
    const [first, second] = [process(), process()];
    const texts = [await seal(first, 'ada', 'before')];
    store.lose();
    texts.push(await seal(first, 'ada', 'by the first'), await seal(second, 'ada', 'by the second'));
    expect(keyOf(texts[1] ?? '')).not.toBe(keyOf(texts[2] ?? ''));
    expect(await first.open(texts[2] ?? '', place)).toBe('by the second');

    time.now += CONFIRMED_EVERY_MS;
    texts.push(await seal(first, 'ada', 'while it is put back'));
    await settled();
    texts.push(await seal(first, 'ada', 'first after'), await seal(second, 'ada', 'second after'));
    expect(new Set(texts.slice(4).map(keyOf))).toEqual(new Set([keyOf(texts[2] ?? '')]));
    for (const codec of [first, second, process()])
      expect(await Promise.all(texts.map(async (text) => codec.open(text, place)))).toEqual([
        'before',
        'by the first',
        'by the second',
        'while it is put back',
        'first after',
        'second after',
      ]);
    expect(await countIn(store)).toBe(2);
  });

  it('are put back by a process that only reads with them, and all that it knows of a tenant', async () => {
    const { store, time, process } = deployment();
    const [first, second] = [process(), process()];
    const ofFirst = await seal(first, 'ada', 'by the first');
    store.lose();
    const ofSecond = await seal(second, 'ada', 'by the second');
    time.now += CONFIRMED_EVERY_MS;
    await seal(first, 'ada', 'more');
    await settled();
    const reader = process();
    expect(await reader.open(ofFirst, place)).toBe('by the first');
    expect(await reader.open(ofSecond, place)).toBe('by the second');
    store.lose();
    time.now += CONFIRMED_EVERY_MS;
    await reader.open(ofFirst, place);
    await settled();
    const fresh = process();
    expect([await fresh.open(ofFirst, place), await fresh.open(ofSecond, place)]).toEqual(['by the first', 'by the second']);
  });

  it('have digests that both processes know', async () => {
    const { store, time, process } = deployment();
    const [first, second] = [process(), process()];
    await seal(first, 'ada', 'before');
    store.lose();
    const digests = async (codec: PayloadCodec) => (await codec.digestsFor('ada')).map((digest) => digest('arguments'));
    const [written] = [...(await digests(first)), ...(await digests(second))];
    time.now += CONFIRMED_EVERY_MS;
    await digests(first);
    await settled();
    expect((await digests(first)).slice(1)).toContain(written);
    expect((await digests(process())).slice(1)).toContain(written);
  });
});

describe('data keys that are used', () => {
  it('are asked for once a minute, and nobody waits for it or fails by it', async () => {
    const { store, time, process } = deployment();
    const codec = process();
    await seal(codec, 'ada', 'first');
    const asked = store.asked;
    for (let at = 0; at < 100; at += 1) await seal(codec, 'ada', 'more');
    expect(store.asked).toBe(asked);
    time.now += CONFIRMED_EVERY_MS;
    store.isAway = true;
    for (let at = 0; at < 100; at += 1) expect(codec.sealFor('ada')).not.toBeInstanceOf(Promise);
    await settled();
    expect(store.asked).toBe(asked + 1);
    expect(await countIn(store)).toBe(1);
  });

  it('are refused when another tenant’s was put in their place', async () => {
    const { store, process } = deployment();
    await seal(process(), 'bob', 'of bob');
    const [ofBob] = await store.ofScope('bob');
    if (ofBob === undefined) throw new Error('There is one.');
    const exchanged: DataKeyStore = {
      find: () => Promise.resolve(ofBob),
      ofScope: () => Promise.resolve([ofBob]),
      add: () => Promise.resolve([ofBob]),
      putBack: () => Promise.resolve([ofBob]),
      replace: () => Promise.resolve(false),
      all: () => store.all(),
    };
    const codec = codecOf(exchanged, { ring });
    const refused = { code: 'VALUE_NOT_GENUINE' };
    await expect(async () => seal(codec, 'ada', 'of ada')).rejects.toMatchObject(refused);
    await expect(async () => codec.open(`v1.${'a'.repeat(16)}.AAAA`, place)).rejects.toMatchObject(refused);
  });
});
