import { beforeEach, describe, expect, it } from 'vitest';
import { wholeMs } from '../domain/milliseconds.js';
import type { ScheduleEvent } from '../domain/schedules/schedule-events.js';
import { evolveSchedule, type ScheduleState } from '../domain/schedules/schedule-state.js';
import type { ScheduleAppend, ScheduleStore } from '../ports/schedule-store.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

const LEASE_MS = wholeMs(60_000);
const LIMITS = { all: 100, ofTenant: 100 };
const DEFINITION = { tool: 'report', owner: 'user:alice', jitterMs: 0, overlap: 'skip', catchUpMs: 60_000 } as const;

/** A schedule that is written to, as one writer sees it. */
class Written {
  version = 0;
  state: ScheduleState | undefined;

  constructor(
    private readonly store: ScheduleStore,
    readonly name: string,
  ) {}

  add(more: Partial<ScheduleAppend> & { readonly owner?: string } = {}): Promise<string> {
    const definition = { ...DEFINITION, owner: more.owner ?? DEFINITION.owner, rule: { everyMs: 60_000, from: 0 } };
    const added = { type: 'ScheduleAdded', at: 1, by: 'file', uid: crypto.randomUUID(), name: this.name, origin: 'file' } as const;
    return this.append([{ ...added, definition, next: 60_000 }], { arguments: { text: 'secret words' }, ...more });
  }

  pause(more: Partial<ScheduleAppend> = {}): Promise<string> {
    return this.append([{ type: 'SchedulePaused', at: 2, by: 'operator:ops', reason: 'moving house' }], more);
  }

  async append(events: readonly ScheduleEvent[], more: Partial<ScheduleAppend>): Promise<string> {
    const state = events.reduce<ScheduleState | undefined>(evolveSchedule, this.state)!;
    const result = await this.store.append({
      expectedVersion: this.version,
      events,
      state,
      limits: LIMITS,
      keepEvents: 100,
      ...more,
    });
    if (result === 'appended') Object.assign(this, { state, version: this.version + events.length });
    return result;
  }
}

/** Declares the contract of schedules on every store. */
export function scheduleStoreContract({ name: storeName, open }: ContractStore): void {
  describe(`schedules in ${storeName}`, () => {
    let store: ScheduleStore;
    beforeEach(opening(open, (opened) => ({ schedules: store } = opened.store)));
    const written = (name: string): Written => new Written(store, name);

    it('have their state, arguments and events, the latest events first, and only those that are kept', async () => {
      const nightly = written('nightly 🌙');
      expect(await store.read(nightly.name)).toBeUndefined();
      expect(await store.history(nightly.name, 10)).toEqual([]);
      expect(await nightly.add()).toBe('appended');
      for (let time = 0; time < 4; time++) expect(await nightly.pause({ keepEvents: 3 })).toBe('appended');
      expect(await store.read(nightly.name)).toEqual({ version: 5, state: nightly.state, arguments: { text: 'secret words' } });
      const history = await store.history(nightly.name, 10);
      expect(history.map(({ version, event }) => [version, event.type])).toEqual([5, 4, 3].map((version) => [version, 'SchedulePaused']));
      expect(await store.history(nightly.name, 2)).toHaveLength(2);
      expect(history[0]?.event).toMatchObject({ reason: 'moving house' });
    });

    it('take one of two appends to the same version', async () => {
      const nightly = written('nightly');
      expect(await nightly.add()).toBe('appended');
      const late = Object.assign(written('nightly'), { version: nightly.version, state: nightly.state });
      expect(await nightly.pause()).toBe('appended');
      expect(await late.pause({ lookAt: 1 })).toBe('conflict');
      expect(await written('nightly').add()).toBe('conflict');
      expect((await store.read('nightly'))?.version).toBe(2);
      expect((await store.take(10, LEASE_MS)).names).toEqual([]);
    });

    it('are taken when they are due, once for the time of a lease, the oldest first', async () => {
      const now = await store.now();
      const [early, late, later] = [written('early'), written('late'), written('later')];
      await late.add({ lookAt: now - 1_000 });
      await early.add({ lookAt: now - 2_000 });
      await later.add({ lookAt: now + 3_600_000 });
      await written('never').add();
      expect((await store.take(1, LEASE_MS)).names).toEqual(['early']);
      const taken = await store.take(10, LEASE_MS);
      expect(taken.names).toEqual(['late']);
      expect(taken.now).toBeGreaterThanOrEqual(now);
      expect((await store.take(10, LEASE_MS)).names).toEqual([]);
      // An append, and a later date, take the place of the lease.
      await late.pause({ lookAt: now - 1_000 });
      await store.postpone('early', early.version, now - 500);
      expect((await store.take(10, LEASE_MS)).names).toEqual(['late', 'early']);
      await store.postpone('late', 1, now - 500);
      await store.postpone('later', later.version, undefined);
      expect((await store.take(10, LEASE_MS)).names).toEqual([]);
    });

    it('are listed in pages, in the order of their names, and counted', async () => {
      for (const name of ['b', 'a', 'ä', '🌙', 'c']) await written(name).add();
      const first = await store.list(3);
      expect(first).toMatchObject({ schedules: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], next: 'c' });
      const second = await store.list(3, first.next);
      expect(second.schedules.map(({ name }) => name)).toEqual(['ä', '🌙']);
      expect(second.next).toBeUndefined();
      expect(await store.count()).toBe(5);
    });

    it('are so many at most, in all and of one tenant, also when one changes its owner', async () => {
      const limits = { all: 3, ofTenant: 1 };
      const [first, second] = [written('first'), written('second')];
      expect(await first.add({ limits, owner: 'user:alice' })).toBe('appended');
      expect(await second.add({ limits, owner: 'user:alice' })).toBe('too-many-of-tenant');
      expect(await second.add({ limits, owner: 'user:bob' })).toBe('appended');
      const changed = (owner: string): ScheduleEvent => ({
        type: 'ScheduleChanged',
        at: 3,
        by: 'file',
        definition: { ...DEFINITION, owner, rule: { at: 5 } },
        next: 5,
      });
      const args = { arguments: { text: 'other words' }, limits };
      expect(await second.append([changed('user:alice')], args)).toBe('too-many-of-tenant');
      expect(await first.append([changed('user:carol')], args)).toBe('appended');
      expect(await second.append([changed('user:alice')], args)).toBe('appended');
      expect((await store.read('second'))?.arguments).toEqual({ text: 'other words' });
      expect(await written('third').add({ limits, owner: 'user:bob' })).toBe('appended');
      expect(await written('fourth').add({ limits, owner: 'user:dave' })).toBe('too-many');
    });

    it('are removed with their history, unless something was appended', async () => {
      const nightly = written('nightly');
      await nightly.add({ lookAt: 1 });
      await nightly.pause({ lookAt: 1 });
      expect(await store.remove('nightly', 1)).toBe(false);
      expect(await store.remove('nightly', 2)).toBe(true);
      expect(await store.read('nightly')).toBeUndefined();
      expect(await store.history('nightly', 10)).toEqual([]);
      expect((await store.list(10)).schedules).toEqual([]);
      expect((await store.take(10, LEASE_MS)).names).toEqual([]);
      expect(await written('nightly').add({ limits: { all: 1, ofTenant: 1 } })).toBe('appended');
    });
  });
}
