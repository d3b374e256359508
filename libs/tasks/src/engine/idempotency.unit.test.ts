import { wholeMs } from '../domain/milliseconds.js';
import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import type { JsonObject } from '../domain/json.js';
import { override } from '../../../../test/support/override.js';

const DAY_MS = 24 * 3_600_000;
const SPENT = { name: 'TaskError', code: 'IDEMPOTENCY_KEY_SPENT' };

/** An engine and a call of it with the smallest ttl, always under the same key. */
function callUnderKey(...args: ConstructorParameters<typeof Engine>) {
  const engine = new Engine(...args);
  return { engine, call: () => engine.create({ idempotencyKey: 'once', ttlMs: 1 }) };
}

describe('an idempotency key', () => {
  it('never runs the work again when its task is gone, for a day', async () => {
    const { engine, call } = callUnderKey(async () => 'done');
    const id = await call();
    await engine.settle();
    expect(await call()).toBe(id);
    engine.now += 60_000;
    await expect(call()).rejects.toMatchObject(SPENT);
    engine.now += DAY_MS - 1;
    await expect(call()).rejects.toMatchObject(SPENT);
    expect(engine.jobs).toHaveLength(0);
    engine.now += 1;
    expect(await call()).not.toBe(id);
  });

  it('stands for its task however long that takes', async () => {
    const { engine, call } = callUnderKey(async (context) => context.listRoots());
    const id = await call();
    await engine.settle();
    for (let hour = 0; hour < 30 * 24; hour++) {
      engine.now += 3_600_000;
      await engine.sweep();
    }
    expect(await call()).toBe(id);
    await engine.answer(id, '$roots', { roots: [] });
    await engine.settle();
    engine.now += 60_000;
    await expect(call()).rejects.toMatchObject(SPENT);
  });

  it('lets a creator go on that died between the claim and the first event', async () => {
    let lost = 1;
    const { engine, call } = callUnderKey(
      async () => 'done',
      (store) => intercept(store, (request, append) => (lost-- > 0 ? Promise.reject(new Error('gone')) : append(request))),
    );
    await expect(call()).rejects.toThrow('gone');
    engine.now += 3_600_000;
    await engine.sweep();
    const id = await call();
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
    expect(await call()).toBe(id);
  });

  it('is spent though the process died that recorded the end of its task', async () => {
    let lost = 1;
    const { engine, call } = callUnderKey(
      async () => 'done',
      (store) => {
        const { index } = store;
        const keepKey: typeof index.keepKey = (...args) => (lost-- > 0 ? Promise.reject(new Error('gone')) : index.keepKey(...args));
        return { ...store, index: override(index, { keepKey }) };
      },
    );
    await call();
    await engine.settle();
    engine.now += 5_000;
    await engine.sweep();
    engine.now += 55_000;
    await expect(call()).rejects.toMatchObject(SPENT);
  });

  it('is stored with a fingerprint of its call that stays as it is recorded here, in any order of members', async () => {
    const { engine } = callUnderKey(async () => 'done');
    const fingerprintOf = async (key: string, args: JsonObject): Promise<string> => {
      const taskId = await engine.create({ idempotencyKey: key, arguments: args });
      return (await engine.store.index.claimKey('ada', key, { taskId, fingerprint: '' }, wholeMs(DAY_MS))).fingerprint;
    };
    const members = { z: [1, 'ä\n', null, { '10': true, '9': 1.5, é: {} }], a: { _: [], A: -0 } };

    expect(await fingerprintOf('none', {})).toBe('OePzEi7mEv-NRP4nIjq_0MXN1YQLuFFmRwvzvkuYB8w');
    expect(await fingerprintOf('many', members)).toBe('_KETGWGjwIMIsc50fJyHmUjptSt5DetNAgiuuueA_Go');
    expect(await fingerprintOf('turned', { a: { A: 0, _: [] }, z: members.z })).toBe('_KETGWGjwIMIsc50fJyHmUjptSt5DetNAgiuuueA_Go');
  });

  it('is still refused for another call', async () => {
    const { engine, call } = callUnderKey(async () => 'done');
    await call();
    await engine.settle();
    engine.now += 60_000;
    const other = engine.create({ idempotencyKey: 'once', arguments: { other: true } });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });
});
