import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { createInputIds } from './input-ids.js';
import { createKeyRing } from '@longhaul/runtime/keys';
import { createSigner } from './signer.js';

const taskId = '7b2c7c52-6a0e-4b55-8f0e-1c7c6f7f0a01' as TaskId;
const ids = createInputIds(createSigner(createKeyRing('a secret')));

describe('the id of a request to the client', () => {
  it.each(['elicit', 'elicit:2', 'a|b', 'line\nbreak', 'ünïcode'])('stands for the input %j', (key) => {
    expect(ids.inputOf(ids.idOf({ taskId, key, refused: 0 }))).toEqual({ taskId, key, refused: 0 });
  });

  it('is the same in every gateway with the same secret', () => {
    expect(createInputIds(createSigner(createKeyRing('a secret'))).idOf({ taskId, key: 'k', refused: 0 })).toBe(
      ids.idOf({ taskId, key: 'k', refused: 0 }),
    );
  });

  it('are read after their secret has become an old one', () => {
    const after = createInputIds(createSigner(createKeyRing('a new secret', ['a secret'])));

    expect(after.inputOf(ids.idOf({ taskId, key: 'k', refused: 0 }))).toEqual({ taskId, key: 'k', refused: 0 });
    expect(after.idOf({ taskId, key: 'k', refused: 0 })).not.toBe(ids.idOf({ taskId, key: 'k', refused: 0 }));
  });

  it('is another one for each time that the question is asked', () => {
    const again = ids.idOf({ taskId, key: 'k', refused: 2 });

    expect(ids.inputOf(again)).toEqual({ taskId, key: 'k', refused: 2 });
    expect(again).not.toBe(ids.idOf({ taskId, key: 'k', refused: 0 }));
  });

  it('means nothing to a gateway with another secret', () => {
    expect(createInputIds(createSigner(createKeyRing('another'))).inputOf(ids.idOf({ taskId, key: 'k', refused: 0 }))).toBeUndefined();
  });

  it('cannot be changed in any character', () => {
    const id = ids.idOf({ taskId, key: 'key', refused: 0 });
    const changed = Array.from(id, (character, at) => `${id.slice(0, at)}${character === 'a' ? 'b' : 'a'}${id.slice(at + 1)}`);

    expect(changed.filter((other) => ids.inputOf(other) !== undefined)).toEqual([]);
  });

  it.each([7, '', 't', 't|||', `t|${taskId}|k`, `t|${taskId}|0|k|`, `x|${taskId}|0|k|${'a'.repeat(22)}`, 'é'.repeat(100)])(
    'is not %j',
    (id) => {
      expect(ids.inputOf(id)).toBeUndefined();
    },
  );
});
