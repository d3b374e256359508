import { openMemoryStore } from '@longhaul/store-sqlite';
import { TaskError } from '@longhaul/tasks';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ALIVE_FOR_MS } from '@longhaul/sessions/gateway';
import { override } from '../../../../test/support/override.js';
import { Presence } from './presence.js';

/** Heartbeats that are unreachable while `outage.isPresent`. */
function cutOffHeartbeats() {
  const kept = openMemoryStore().gateway.heartbeats;
  const outage = { isPresent: false };
  const beat = async (gatewayId: string): Promise<void> => {
    if (outage.isPresent) throw new TaskError('STORE_UNAVAILABLE');
    await kept.beat(gatewayId);
  };
  return { outage, heartbeats: override(kept, { beat }) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function started() {
  const { outage, heartbeats } = cutOffHeartbeats();
  const presence = new Presence(heartbeats, pino({ level: 'silent' }));
  await presence.start();
  await heartbeats.beat('other');
  return { outage, presence };
}

describe('another gateway', () => {
  it('is missed when its heartbeats stay out', async () => {
    const { presence } = await started();
    await vi.advanceTimersByTimeAsync(ALIVE_FOR_MS - 1);
    expect(await presence.isAlive('other')).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await presence.isAlive('other')).toBe(false);
  });

  it('is not missed after an outage of the store before it had the time to be heard of', async () => {
    const { outage, presence } = await started();
    outage.isPresent = true;
    await vi.advanceTimersByTimeAsync(10 * ALIVE_FOR_MS);
    outage.isPresent = false;
    await vi.advanceTimersByTimeAsync(ALIVE_FOR_MS / 2);
    expect(await presence.isAlive('other')).toBe(true);
    await vi.advanceTimersByTimeAsync(ALIVE_FOR_MS);
    expect(await presence.isAlive('other')).toBe(false);
  });
});
