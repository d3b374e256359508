import { describe, expect, it } from 'vitest';
import { createKeyRing } from '@longhaul/runtime/keys';
import { createStateSeal, type SealedFor } from './sealed-state.js';

const HOUR_MS = 3_600_000;

const call: SealedFor = { owner: 'ada', method: 'tools/call', params: { name: 'ask', arguments: { a: 1, b: [{ c: 2, d: 3 }] } } };
const state = { taskId: 'task', answers: { elicit: { action: 'accept', content: { secret: 'swordfish' } } } };
const seal = createStateSeal(createKeyRing('a secret'), { clock: () => 0, keptMs: HOUR_MS });

describe('a sealed state', () => {
  it('opens for the same call, with any gateway that has the secret', () => {
    expect(createStateSeal(createKeyRing('a secret'), { clock: () => 0, keptMs: HOUR_MS }).open(seal.seal(state, call), call)).toEqual(
      state,
    );
  });

  it('opens for the same arguments in another order, and with other metadata', () => {
    const same = { ...call, params: { _meta: { progressToken: 1 }, arguments: { b: [{ d: 3, c: 2 }], a: 1 }, name: 'ask' } };
    expect(seal.open(seal.seal(state, call), same)).toEqual(state);
  });

  it('looks different each time, and shows nothing of what is in it', () => {
    const text = seal.seal(state, call);

    expect(seal.seal(state, call)).not.toBe(text);
    expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('swordfish');
  });

  it.each<[string, Partial<SealedFor>]>([
    ['another caller', { owner: 'bob' }],
    ['another method', { method: 'prompts/get' }],
    ['another tool', { params: { ...call.params, name: 'other' } }],
    ['other arguments', { params: { ...call.params, arguments: { a: 1, b: [{ c: 2, d: 4 }] } } }],
    ['no arguments', { params: { name: 'ask' } }],
    ['arguments in another order of a list', { params: { ...call.params, arguments: { a: 1, b: [{ d: 3 }, { c: 2 }] } } }],
  ])('does not open for %s', (_title, change) => {
    expect(seal.open(seal.seal(state, call), { ...call, ...change })).toBeUndefined();
  });

  it('does not open with another secret', () => {
    expect(
      createStateSeal(createKeyRing('another secret'), { clock: () => 0, keptMs: HOUR_MS }).open(seal.seal(state, call), call),
    ).toBeUndefined();
  });

  it.each([
    [1_024, 768],
    [4 * 1_024 * 1_024, 1_048_576],
  ])('is refused when a request of %d bytes would not take it back', (bodyLimitBytes, maxCharacters) => {
    const limited = createStateSeal(createKeyRing('a secret'), { bodyLimitBytes, keptMs: HOUR_MS });
    const sealed = (length: number) => limited.seal({ answers: { elicit: { text: 'x'.repeat(length) } } }, call);

    expect(limited.open(sealed(maxCharacters / 2), call)).toBeDefined();
    expect(() => sealed(maxCharacters)).toThrow(new RegExp(`inputResponses: too long.* at most ${maxCharacters} `));
  });

  it.each([
    ['the time that is set', 0, 60_000],
    ['as long as the client may take to answer', 90_000, 90_000],
  ])('opens for %s', (_title, leastMs, lastMs) => {
    const at = (now: number) => createStateSeal(createKeyRing('a secret'), { clock: () => now, keptMs: 60_000 });
    const text = at(0).seal(state, call, leastMs);

    expect(at(lastMs - 1).open(text, call)).toEqual(state);
    expect(at(lastMs).open(text, call)).toBeUndefined();
  });

  it('opens after its secret has become an old one, and no longer when that is gone', () => {
    const text = seal.seal(state, call);

    expect(createStateSeal(createKeyRing('a new secret', ['a secret']), { clock: () => 0, keptMs: HOUR_MS }).open(text, call)).toEqual(
      state,
    );
    expect(createStateSeal(createKeyRing('a new secret'), { clock: () => 0, keptMs: HOUR_MS }).open(text, call)).toBeUndefined();
  });

  it('does not open when any of its bytes is changed', () => {
    const [keyId = '', sealed = ''] = seal.seal(state, call).split('.');
    for (const [part, whole] of [
      [keyId, (text: string) => `${text}.${sealed}`],
      [sealed, (text: string) => `${keyId}.${text}`],
    ] as const) {
      const bytes = Buffer.from(part, 'base64url');
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(seal.open(whole(changed.toString('base64url')), call)).toBeUndefined();
      }
    }
  });

  it.each(['', 'x', 'TAMPERED', '-', 'A'.repeat(100), 'A'.repeat(2 * 1024 * 1024), '%%%'])('does not open what is none: %.10s', (text) => {
    expect(seal.open(text, call)).toBeUndefined();
    expect(seal.open(seal.seal(state, call) + text, call)).toEqual(text === '' ? state : undefined);
  });
});
