import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.js';
import { createChallenges } from '../rpc/challenges.js';
import { createAuthenticator, DEADLINE_MS } from './authenticator.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a token that nobody can say anything about for long', () => {
  it('is answered with 503, before its client counts as silent', async () => {
    expect(DEADLINE_MS).toBeLessThan(readConfig({}).connections.bodySilenceMs);
    const errors: unknown[] = [];
    const authenticate = createAuthenticator({
      findHolder: () => undefined,
      issuers: new Map(),
      introspect: () => new Promise(() => undefined),
      challenges: createChallenges({ scopes: [] }),
      onError: (error) => void errors.push(error),
    });
    const authorization = 'Bearer opaque-token-0001';
    const found = authenticate({ headers: { authorization }, rawHeaders: ['Authorization', authorization] });
    const refused = expect(found).rejects.toMatchObject({ httpStatus: 503, headers: { 'retry-after': '1' } });
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    await refused;
    expect(errors).toHaveLength(1);
  });
});
