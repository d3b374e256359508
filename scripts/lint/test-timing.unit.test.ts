import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import plugin from './test-timing.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester();
const refused = (code: string) => ({ code, errors: 1 });

tester.run('no-elapsed-time', plugin.rules['no-elapsed-time'], {
  valid: [
    'const from = performance.now(); wait(); expect(performance.now() - from).toBeGreaterThanOrEqual(300);',
    'const dueAt = Date.now() + 300; add(dueAt); expect(Date.now()).toBeGreaterThanOrEqual(dueAt);',
    'const from = Date.now(); expect(openedAt).toBeGreaterThan(from - 1_000); expect(openedAt).toBeLessThan(Date.now() + 1_000);',
    'const from = performance.now(); expect(lines.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - from) / 60_000));',
    'const rows = page({ since: Date.now() - 60_000 }); expect(rows.length).toBeLessThan(3);',
    'const until = performance.now() + 100; while (performance.now() < until); expect(count).toBeLessThan(5);',
    'const took = performance.now() - from; print(took);',
  ],
  invalid: [
    'const from = performance.now(); wait(); expect(performance.now() - from).toBeLessThan(2_000);',
    'const from = Date.now(); wait(); const took = Date.now() - from; expect(took, "took").not.toBeLessThanOrEqual(2_000);',
    'const from = new Date(); expect(new Date() - from).toBeCloseTo(100);',
    'const from = performance.now(); expect(2_000).toBeGreaterThan(performance.now() - from);',
    'const from = performance.now(); const took = performance.now() - from; expect(2_000).toBeGreaterThan(took);',
    'const dueAt = Date.now() + 300; expect(seen[0]?.at).toBeLessThan(dueAt + 1_500);',
    'const from = Date.now(); expect(Date.now() - from < 500).toBe(true);',
    'const from = Date.now(); const late = starts.map(({ at }) => at - from); expect(Math.max(...late)).toBeLessThan(500);',
    'async function timed(work) { const from = performance.now(); return { value: await work, ms: performance.now() - from }; }\n' +
      'const { value, ms } = await timed(call()); expect(ms).toBeLessThan(500);',
  ].map(refused),
});

tester.run('no-short-limit', plugin.rules['no-short-limit'], {
  valid: [
    'await waitUntil(isDone, { description: "it is done" });',
    'await waitUntil(isDone, { timeoutMs: 90_000, description: "it is done" });',
    'it("ends", async () => {}, 120_000);',
    'await connect({ timeoutMs: 300 });',
    'await test.redis.pexpire(key, 1);',
  ],
  invalid: [
    'await waitUntil(isDone, { timeoutMs: 3_000, description: "it is done" });',
    'const LIMIT_MS = 20_000; await waitUntil(isDone, { timeoutMs: LIMIT_MS, description: "it is done" });',
    'it("ends", async () => {}, 30_000);',
    'it.each([1])("ends %s", { timeout: 30_000 }, async () => {});',
    'beforeAll(async () => {}, 10_000);',
    'await expect.poll(() => count, { timeout: 5_000 }).toBe(1);',
    'await vi.waitFor(() => expect(count).toBe(1));',
  ].map(refused),
});
