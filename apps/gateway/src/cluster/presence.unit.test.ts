import { TaskError } from '@longhaul/tasks';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryHeartbeats } from '@longhaul/sessions';
import { ALIVE_FOR_MS } from '@longhaul/sessions/gateway';
import { Presence } from './presence.js';

/** Heartbeats that cannot be reached for a while. */
class CutOffHeartbeats extends MemoryHeartbeats {
  isAway = false;

  override async beat(gatewayId: string): Promise<void> {
    if (this.isAway) throw new TaskError('STORE_UNAVAILABLE');
    await super.beat(gatewayId);
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function started() {
  const heartbeats = new CutOffHeartbeats(Date.now);
  const presence = new Presence(heartbeats, pino({ level: 'silent' }));
  await presence.start();
  await heartbeats.beat('other');
  return { heartbeats, presence };
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
    const { heartbeats, presence } = await started();
    heartbeats.isAway = true;
    await vi.advanceTimersByTimeAsync(10 * ALIVE_FOR_MS);
    heartbeats.isAway = false;
    await vi.advanceTimersByTimeAsync(ALIVE_FOR_MS / 2);
    expect(await presence.isAlive('other')).toBe(true);
    await vi.advanceTimersByTimeAsync(ALIVE_FOR_MS);
    expect(await presence.isAlive('other')).toBe(false);
  });
});
