import { describe, expect, it } from 'vitest';
import type { Identity } from '../rpc/caller.js';
import { BodiesInWork } from './bodies-in-work.js';

const LIMIT = 1_000;
const at = (addressAccount: string, owner?: string): Identity =>
  ({ addressAccount, ...(owner !== undefined && { auth: { owner } }) }) as Identity;
const refused = (httpStatus: number): Error =>
  expect.objectContaining({
    httpStatus,
    headers: { 'retry-after': '1' },
    data: expect.objectContaining({ retryable: true }) as object,
  }) as Error;

describe('bodies in work', () => {
  it('of one caller take at most a quarter', () => {
    const bodies = new BodiesInWork(LIMIT);
    bodies.begin(at('a', 'ann'), 200);

    expect(() => bodies.begin(at('b', 'ann'), 51)).toThrow(refused(429));
    expect(() => bodies.begin(at('b', 'ann'), 50)).not.toThrow();
    expect(() => bodies.begin(at('a', 'bob'), 200)).not.toThrow();
  });

  it('of one address take at most half, whoever its callers are', () => {
    const bodies = new BodiesInWork(LIMIT);
    for (const owner of ['ann', 'bob']) bodies.begin(at('a', owner), 250);

    expect(() => bodies.begin(at('a', 'eve'), 1)).toThrow(refused(429));
    expect(() => bodies.begin(at('a'), 1)).toThrow(refused(429));
    expect(() => bodies.begin(at('b', 'eve'), 250)).not.toThrow();
  });

  it('of all callers take at most the limit', () => {
    const bodies = new BodiesInWork(LIMIT);
    for (const address of ['a', 'b']) bodies.begin(at(address), 500);

    expect(() => bodies.begin(at('c'), 1)).toThrow(refused(503));
  });

  it('make room when they are done', () => {
    const bodies = new BodiesInWork(LIMIT);
    const end = bodies.begin(at('a', 'ann'), 250);
    expect(() => bodies.begin(at('a', 'ann'), 1)).toThrow(refused(429));
    end();

    expect(() => bodies.begin(at('a', 'ann'), 250)).not.toThrow();
  });

  it('may be larger than any share when there is no other', () => {
    const bodies = new BodiesInWork(LIMIT);

    expect(() => bodies.begin(at('a', 'ann'), 10 * LIMIT)).not.toThrow();
    expect(() => bodies.begin(at('b', 'bob'), 1)).toThrow(refused(503));
  });
});
