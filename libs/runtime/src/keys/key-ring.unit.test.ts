import { describe, expect, it } from 'vitest';
import { createKeyRing, KEY_ID_LENGTH } from './key-ring.js';

const [NEW, OLD] = ['the new secret of a deployment', 'the old secret of a deployment'];

describe('a key ring', () => {
  it('writes with its secret, and reads with old ones too', () => {
    const [before, after] = [createKeyRing(OLD), createKeyRing(NEW, [OLD])];
    const old = after.key(before.current.id);

    expect(old?.of('request ids')).toEqual(before.current.of('request ids'));
    expect(after.current.id).not.toBe(before.current.id);
    expect(after.key(after.current.id)).toBe(after.current);
    expect(createKeyRing(NEW).key(before.current.id)).toBeUndefined();
  });

  it('has the same ids wherever the secret is known, and another key for each use', () => {
    const { current } = createKeyRing(NEW);

    expect(current.id).toBe(createKeyRing(NEW).current.id);
    expect(current.id).toMatch(new RegExp(`^[\\w-]{${KEY_ID_LENGTH}}$`));
    expect(current.of('request ids').equals(current.of('request state'))).toBe(false);
  });
});
