import type { WriteKind } from '@longhaul/tasks/store';
import { describe, expect, it } from 'vitest';
import { RedisCapacity } from './capacity.js';

const MIB = 1_048_576;

/** Masters of 100 MiB each; the test sets how much they use. */
class Masters {
  now = 0;
  readings = 0;
  readonly errors: Error[] = [];
  readonly capacity: RedisCapacity;

  constructor(
    public used: readonly number[],
    private readonly max = 100 * MIB,
    watermark?: number,
  ) {
    this.capacity = new RedisCapacity({
      read: async () => {
        this.readings += 1;
        return this.used.map((mib) => `# Memory\r\nused_memory:${mib * MIB}\r\nused_memory_rss:1\r\nmaxmemory:${this.max}\r\n`);
      },
      watermark,
      onFull: (error) => this.errors.push(error),
      now: () => this.now,
    });
  }

  /** Reads once; there is no timer to wait for. */
  async opened(): Promise<this> {
    await this.capacity.start();
    this.capacity.stop();
    return this;
  }

  /** Writes something that stays on its way until it is let go. */
  async begin(kind: WriteKind, mib: number): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const write = this.capacity.admit(kind, mib * MIB, () => {
      started.resolve();
      return promise;
    });
    await Promise.race([started.promise, write]);
    return resolve;
  }

  async admits(kind: WriteKind, mib: number): Promise<boolean> {
    return this.capacity.admit(kind, mib * MIB, async () => true).catch(() => false);
  }
}

describe('the room of Redis', () => {
  it('has no limit without a maxmemory, and is read no more often for it', async () => {
    const masters = await new Masters([1_000], 0).opened();
    expect(await masters.admits('creation', 1_000)).toBe(true);
    masters.capacity.requireRoom();
    expect(masters.readings).toBe(1);
  });

  it('refuses what begins something from the watermark on, records later, and ends never', async () => {
    const kinds: WriteKind[] = ['creation', 'record', 'end'];
    const admitted = async (used: number, watermark?: number): Promise<boolean[]> => {
      const masters = await new Masters([used], 100 * MIB, watermark).opened();
      return Promise.all(kinds.map((kind) => masters.admits(kind, 0.1)));
    };
    expect(await admitted(84)).toEqual([true, true, true]);
    expect(await admitted(86)).toEqual([false, true, true]);
    expect(await admitted(93)).toEqual([false, false, true]);
    expect(await admitted(120)).toEqual([false, false, true]);
    expect(await admitted(60, 0.5)).toEqual([false, true, true]);
    expect(await admitted(80, 0.5)).toEqual([false, false, true]);
  });

  it('says how much is used, from when on what is refused, and what helps', async () => {
    const { capacity } = await new Masters([90]).opened();
    await expect(capacity.admit('creation', 1, async () => undefined)).rejects.toMatchObject({
      code: 'STORE_FULL',
      message:
        'Redis uses 90 % of its maxmemory (90.0 MiB of 100.0 MiB): what begins something is refused from 85 % on (LONGHAUL_REDIS_WATERMARK), steps wait from 92.5 % on. There is room again when tasks have ended and expired, or with a larger maxmemory.',
    });
  });

  it('is to spare up to three quarters of what creations may take', async () => {
    const hasRoom = async (used: number, watermark?: number, max?: number) =>
      (await new Masters([used], max, watermark).opened()).capacity.hasRoomToSpare();
    expect(await Promise.all([hasRoom(60), hasRoom(66), hasRoom(30, 0.5), hasRoom(40, 0.5), hasRoom(1_000, 0.85, 0)])).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('of a cluster is that of its fullest master', async () => {
    expect(await (await new Masters([10, 90, 20]).opened()).admits('creation', 0.1)).toBe(false);
  });

  it('counts what is on its way, and what was written since the latest reading', async () => {
    const masters = await new Masters([65]).opened();
    const letGo = await masters.begin('creation', 4);
    expect(await masters.admits('creation', 3)).toBe(false);
    letGo();
    expect(await masters.admits('creation', 3)).toBe(false);
    masters.now += 25;
    masters.used = [69];
    expect(await masters.admits('creation', 3)).toBe(true);
  });

  it('counts what is on its way also after a reading, which may not show it', async () => {
    const masters = await new Masters([65]).opened();
    const letGo = await masters.begin('creation', 4);
    masters.now += 25;
    expect(await masters.admits('creation', 3)).toBe(false);
    expect(masters.readings).toBe(2);
    letGo();
  });

  it('counts ends, which it does not refuse', async () => {
    const masters = await new Masters([70]).opened();
    await masters.begin('end', 5);
    expect(await masters.admits('creation', 1)).toBe(false);
  });

  it('reads again when a share of it is used up, once for many that ask', async () => {
    const masters = await new Masters([45]).opened();
    expect(await masters.admits('creation', 1)).toBe(true);
    expect(masters.readings).toBe(1);
    masters.now += 25;
    await Promise.all(Array.from({ length: 10 }, () => masters.admits('creation', 2)));
    expect(masters.readings).toBe(2);
  });

  it('is read again a while after others have taken it, or left it', async () => {
    const masters = await new Masters([70]).opened();
    masters.now += 25;
    masters.used = [84.9];
    expect(await masters.admits('creation', 3)).toBe(false);
    masters.now += 25;
    masters.used = [20];
    expect(await masters.admits('creation', 0.02)).toBe(true);
  });

  it('stays what it was while Redis does not answer', async () => {
    const capacity = new RedisCapacity({ read: () => Promise.reject(new Error('away')), onFull: () => undefined });
    await capacity.start();
    capacity.stop();
    expect(await capacity.admit('creation', MIB, async () => 'written')).toBe('written');
  });
});

describe('a full Redis', () => {
  it('is reported once a minute, and ready again only with some room more', async () => {
    const masters = await new Masters([80]).opened();
    const look = async (used: number): Promise<boolean> => {
      masters.now += 10_000;
      masters.used = [used];
      await masters.opened();
      try {
        masters.capacity.requireRoom();
        return true;
      } catch {
        return false;
      }
    };
    expect(await look(83.9)).toBe(true);
    expect(await look(84.1)).toBe(false);
    expect(await look(83)).toBe(false);
    expect(await look(81.9)).toBe(true);
    expect(await look(90)).toBe(false);
    expect(masters.errors).toMatchObject([{ code: 'STORE_FULL' }]);
    masters.now += 60_000;
    expect(await look(90)).toBe(false);
    expect(masters.errors).toHaveLength(2);
  });
});
