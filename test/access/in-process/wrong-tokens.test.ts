/** Tests tokens that only look like signed ones: they are counted before they are checked, so guessing is useless. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { protectedForTests, type ProtectedService } from '../support/protected-service.js';
import { bearer, initialize, send } from '../support/requests.js';
import { PUBLIC_URL } from '../support/test-issuer.js';

const LIMIT = 20;
const STATIC = 'guessme1.guessme2.guessme3';
const known = { active: true, sub: 'ada', client_id: 'app', aud: PUBLIC_URL, exp: Math.floor(Date.now() / 1_000) + 600, scope: '' };

const status = async ({ url }: Pick<ProtectedService, 'url'>, token: string): Promise<number> =>
  (await send(url, initialize, bearer(token))).status;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('wrong tokens of three parts', () => {
  const started = protectedForTests({
    env: { LONGHAUL_TOKENS: `ada:${STATIC}` },
    introspects: true,
    settings: { failuresPerMinute: LIMIT },
  });
  const tried: number[] = [];

  beforeAll(async () => {
    started.issuer.introspected = new Map([['right1.right2.right3', known]]);
    const made = [
      (n: number): string => `guess.${n}.guess`,
      (n: number): string => `e30.${part({ sub: n })}.guess`,
      (n: number): string => `e30.${part({ iss: 'https://nobody.example', sub: n })}.guess`,
    ];
    const tokens = Array.from({ length: 90 }, (_, n) => made[n % made.length]?.(n) ?? '');
    tried.push(...(await Promise.all(tokens.map((token) => status(started, token)))));
  });

  it('are looked at no more often than they may be', () => {
    const looked = tried.filter((one) => one === 401).length;
    expect(looked).toBeGreaterThanOrEqual(LIMIT);
    expect(looked, 'some come back within the seconds that this takes').toBeLessThanOrEqual(LIMIT + 5);
    expect(tried.filter((one) => one === 429)).toHaveLength(tried.length - looked);
    expect(started.issuer.introspections).toBeLessThanOrEqual(looked);
  });

  it('do not lead to a right one beyond the limit, neither a static one nor one that the issuer knows', async () => {
    const asked = started.issuer.introspections;
    const tokens = [...Array.from({ length: 10 }, (_, n) => `again.${n}.guess`), STATIC, 'right1.right2.right3'];
    const answers = await Promise.all(tokens.map((token) => status(started, token)));
    expect(answers.slice(-2)).toEqual([429, 429]);
    expect(started.issuer.introspections - asked).toBeLessThanOrEqual(answers.filter((one) => one === 401).length);
  });

  it('do not shut out a good one whose signature is verified', async () => {
    expect(await status(started, await started.issuer.token())).toBe(200);
  });
});

describe('many tokens of one address that only their issuer can read', () => {
  const started = protectedForTests({ introspects: true });

  it('are asked about a few at a time, so that there is room for those of others', async () => {
    const release = started.issuer.holdIntrospections();
    const answers = Array.from({ length: 110 }, (_, n) => status(started, `opaque-token-${n}`));
    await sleep(1_000);
    expect(started.issuer.introspections).toBe(16);
    release();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([401]));
    expect(started.issuer.introspections).toBe(110);
  });
});
