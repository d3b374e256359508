import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionState } from '../../libs/tasks/src/store/session-state.js';
import { waitUntil } from '../support/wait-until.js';
import type { ContractBackend, OpenBackend } from './backends.js';

/** What session state keeps to on every backend. */
export function sessionStateContract({ name, open }: ContractBackend): void {
  describe(`session state in ${name}`, () => {
    let opened: OpenBackend;
    let state: SessionState;

    beforeAll(async () => {
      opened = await open();
      state = opened.backend.sessionState;
    });
    afterAll(() => opened.close());

    it('gives back what was set, of the same session only', async () => {
      const [session, other] = [randomUUID(), randomUUID()];
      await state.set(session, 'colour', { name: 'red', parts: [1, 2] });
      expect(await state.get(session, 'colour')).toEqual({ name: 'red', parts: [1, 2] });
      expect(await state.get(session, 'size')).toBeUndefined();
      expect(await state.get(other, 'colour')).toBeUndefined();
    });

    it('tells the names that begin with a prefix', async () => {
      const session = randomUUID();
      for (const name of ['file/b', 'file/a', 'other']) await state.set(session, name, true);
      expect(await state.names(session, 'file/')).toEqual(['file/a', 'file/b']);
      expect(await state.names(session, 'nothing/')).toEqual([]);
      expect(await state.names(randomUUID(), '')).toEqual([]);
    });

    it('is kept for as long as it is told to, whatever is set afterwards', async () => {
      const session = randomUUID();
      await state.set(session, 'a', 1);
      await state.keep(session, 50);
      await state.set(session, 'b', 2);
      await waitUntil(async () => (await state.get(session, 'b')) === undefined, { description: 'the values are forgotten' });
      await state.keep(session, 50); // Nothing is there to be kept, and nothing comes of it.
      expect(await state.names(session, '')).toEqual([]);
    });

    it('takes a value that there is none of yet, from one of several at once, and says who removed it', async () => {
      const session = randomUUID();
      const added = await Promise.all([1, 2, 3].map((value) => state.add(session, 'a', value)));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await state.get(session, 'a')).toBe(added.indexOf(true) + 1);
      const removed = await Promise.all([1, 2, 3].map(() => state.delete(session, 'a')));
      expect(removed.filter(Boolean)).toHaveLength(1);
      expect(await state.add(session, 'a', 4)).toBe(true);
      await state.keep(session, 50);
      await waitUntil(async () => (await state.get(session, 'a')) === undefined, { description: 'the value is forgotten' });
    });

    it('forgets one value or all of them', async () => {
      const session = randomUUID();
      await state.set(session, 'a', 1);
      await state.set(session, 'b', 2);
      await state.delete(session, 'a');
      expect([await state.get(session, 'a'), await state.get(session, 'b')]).toEqual([undefined, 2]);
      await state.clear(session);
      expect(await state.get(session, 'b')).toBeUndefined();
    });
  });
}
