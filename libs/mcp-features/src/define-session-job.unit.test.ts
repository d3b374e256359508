import type { SessionJobContext } from '@longhaul/sessions';
import { describe, expect, it } from 'vitest';
import { defineSessionJob } from './define-session-job.js';

describe('a session job', () => {
  it('needs a session and no capability', () => {
    const job = defineSessionJob({ name: 'weather', everyMs: 100, run: () => undefined });
    expect(job).toMatchObject({ kind: 'session-job', name: 'weather', everyMs: 100, needs: [], needsSession: true });
  });

  it('runs with its context', async () => {
    const logged: unknown[] = [];
    const job = defineSessionJob({ name: 'weather', everyMs: 60_000, run: ({ log }) => log('info', 'ran') });
    await job.run({ log: (level, data) => void logged.push([level, data]) } as SessionJobContext);
    expect(logged).toEqual([['info', 'ran']]);
  });

  it('runs after a whole number of milliseconds', () => {
    expect(defineSessionJob({ name: 'weather', everyMs: 333.3, run: () => undefined })).toMatchObject({ everyMs: 334 });
  });

  it.each([99, 0, -1, Number.NaN, Infinity])('cannot run every %d ms', (everyMs) => {
    expect(() => defineSessionJob({ name: 'weather', everyMs, run: () => undefined })).toThrow(
      new RangeError(`Session job weather: everyMs must be a number of milliseconds from 100 to 31536000000000, and is ${everyMs}.`),
    );
  });
});
