/**
 * Tests that processes may be killed at any moment: no acknowledged task is lost, and no recorded operation runs again. It is short in `npm
 * test`, long in `npm run chaos`.
 */
import { expect, inject, it } from 'vitest';
import { scaled } from '../support/scale.js';
import { attack } from './attack.js';
import { LONG, planTasks, SHORT, SHORT_ON_SQLITE } from './plan.js';
import { describeChaos } from './run.js';

const scale = scaled(inject('store') === 'SQLite' ? SHORT_ON_SQLITE : SHORT, LONG);
/** Generous, because other tests run at the same time as the short form; the target is 6 s for 99 of 100. */
const RECOVERY_BOUND_MS = scaled(20_000, 10_000);

describeChaos({ name: 'Chaos', scale, plan: planTasks, attack }, (run) => {
  it('hits tasks, which go on within seconds', () => {
    const { recoveries, driven } = run();
    expect(driven.tasks).toHaveLength(scale.tasks);
    expect([...recoveries.kills, ...recoveries.stops, ...recoveries.outages]).not.toEqual([]);
    expect(Math.max(0, ...recoveries.kills)).toBeLessThanOrEqual(RECOVERY_BOUND_MS);
  });
});
