import { describe, expect, it } from 'vitest';
import { type IssuedToken, KeptToken } from './kept-token.js';

/** A token that lasts for 100 s, and a clock that is set by hand. */
function kept() {
  const state = { nowMs: 1_000_000, requests: 0, isDown: false };
  const token = new KeptToken(
    async (): Promise<IssuedToken> => {
      state.requests += 1;
      if (state.isDown) throw new Error('down');
      return { token: `token-${state.requests}`, expiresAt: state.nowMs + 100_000 };
    },
    () => state.nowMs,
  );
  return { state, token };
}

describe('a kept token', () => {
  it('is gotten once for all who need it at the same time', async () => {
    const { state, token } = kept();
    expect(new Set(await Promise.all([1, 2, 3].map(() => token.get())))).toEqual(new Set(['token-1']));
    expect(state.requests).toBe(1);
  });

  it('is renewed before it expires', async () => {
    const { state, token } = kept();
    await token.get();
    state.nowMs += 79_000;
    expect(await token.get()).toBe('token-1');
    state.nowMs += 1_000;
    expect(await token.get()).toBe('token-2');
  });

  it('is used to its end while it cannot be renewed, which is tried with pauses', async () => {
    const { state, token } = kept();
    await token.get();
    state.isDown = true;
    state.nowMs += 90_000;
    expect([await token.get(), await token.get()]).toEqual(['token-1', 'token-1']);
    expect(state.requests).toBe(2);
    state.nowMs += 10_000;
    await expect(token.get()).rejects.toThrow('down');
    expect(state.requests).toBe(3);
    await expect(token.get()).rejects.toThrow('down');
    expect(state.requests).toBe(3);
    state.isDown = false;
    state.nowMs += 5_000;
    expect(await token.get()).toBe('token-4');
  });

  it('is replaced when it is refused, but not again and again', async () => {
    const { state, token } = kept();
    const first = await token.get();
    expect(token.refuse(first)).toBe(true);
    const second = await token.get();
    expect(token.refuse(first)).toBe(true);
    expect(token.refuse(second)).toBe(false);
    state.nowMs += 5_000;
    expect(token.refuse(second)).toBe(true);
  });
});
