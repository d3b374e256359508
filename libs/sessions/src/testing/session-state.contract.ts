import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FIELD_LIMITS, type Json, wholeMs } from '@longhaul/tasks';
import type { SessionState } from '../ports/session-state.js';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import type { OpenedSessionStore, SessionContractStore } from './contract-store.js';

/** Declares the contract of session state on every store. */
export function sessionStateContract({ name, open, isEncrypted = false }: SessionContractStore): void {
  describe(`session state in ${name}`, () => {
    let state: SessionState;
    beforeAll(opening(open, ({ store }) => (state = store.sessionState)));

    it('gives back what was set, of the same session only', async () => {
      const [session, other] = [randomUUID(), randomUUID()];
      await state.set(session, 'colour', { name: 'red', parts: [1, 2] });
      expect(await state.get(session, 'colour')).toEqual({ name: 'red', parts: [1, 2] });
      expect(await state.get(session, 'size')).toBeUndefined();
      expect(await state.get(other, 'colour')).toBeUndefined();
    });

    it('lists the names that begin with a prefix', async () => {
      const session = randomUUID();
      for (const name of ['file/b', 'file/a', 'other']) await state.set(session, name, true);
      expect(await state.names(session, 'file/')).toEqual(['file/a', 'file/b']);
      expect(await state.names(session, 'nothing/')).toEqual([]);
      expect(await state.names(randomUUID(), '')).toEqual([]);
    });

    it('is kept for the given time, also when more is set afterwards', async () => {
      const session = randomUUID();
      await state.set(session, 'a', 1);
      await state.keep(session, wholeMs(2_000));
      await state.set(session, 'b', 2);
      await waitUntil(async () => (await state.get(session, 'b')) === undefined, { description: 'the values are forgotten' });
      await state.keep(session, wholeMs(50)); // There is nothing to keep, and the call does nothing.
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
      await state.keep(session, wholeMs(50));
      await waitUntil(async () => (await state.get(session, 'a')) === undefined, { description: 'the value is forgotten' });
    });

    it('takes so many values of a session, and says how many', async () => {
      const session = randomUUID();
      const { sessionValues } = FIELD_LIMITS;
      const names = Array.from({ length: sessionValues }, (_, index) => `value ${index}`);
      await Promise.all(names.map((name) => state.set(session, name, 0)));
      const full = { code: 'SESSION_FULL', message: `A session holds at most ${sessionValues} values.` };
      await expect(state.set(session, 'one more', 1)).rejects.toMatchObject(full);
      await expect(state.add(session, 'one more', 1)).rejects.toMatchObject(full);
      await state.set(session, 'value 7', 'another');
      expect(await state.add(session, 'value 7', 'a third')).toBe(false);
      await state.delete(session, 'value 0');
      expect(await state.add(session, 'one more', 1)).toBe(true);
      expect(await state.names(session, 'one')).toEqual(['one more']);
    });

    const whereBytesArePlain = isEncrypted ? [] : [name];
    it.each(whereBytesArePlain)('takes so many bytes of a session, however they come and go, and of one value', async () => {
      const session = randomUUID();
      const { sessionValueBytes, sessionBytes } = FIELD_LIMITS;
      const largest = 'x'.repeat(sessionValueBytes - 2);
      const tooLarge = `The JSON of a session value has ${sessionValueBytes + 1} bytes; at most ${sessionValueBytes} are allowed.`;
      await expect(state.set(session, 'a', `${largest}x`)).rejects.toMatchObject({ code: 'NOT_SERIALIZABLE', message: tooLarge });
      const fitting = Math.floor(sessionBytes / (sessionValueBytes + 10));
      for (let at = 0; at < fitting; at++) for (const value of [largest, 1, largest]) await state.set(session, `value ${at}`, value);
      const full = { code: 'SESSION_FULL', message: `A session holds at most ${sessionBytes} bytes of names and values.` };
      await expect(state.set(session, 'one more', largest)).rejects.toMatchObject(full);
      await state.set(session, 'value 0', 1);
      await state.set(session, 'one more', largest);
      await expect(state.set(session, 'value 0', largest)).rejects.toMatchObject(full);
      await state.delete(session, 'one more');
      await state.set(session, 'value 0', largest);
      await state.clear(session);
      expect(await state.add(session, 'after', largest)).toBe(true);
      await state.clear(session);
    });

    describe.each(whereBytesArePlain)('of an account', () => {
      const MAX_BYTES = 10_000;
      const full = {
        code: 'SESSION_FULL',
        message: expect.stringContaining(`The sessions of one caller, or of one address, hold at most ${MAX_BYTES} bytes`) as string,
      };
      const value = 'x'.repeat(3_990);
      let small: OpenedSessionStore;
      let account: string;

      const openSmall = () => open({ accountSessionBytes: MAX_BYTES });
      beforeAll(opening(openSmall, (opened) => (small = opened)));
      beforeEach(() => {
        account = `user:${randomUUID()}`;
      });

      const set = (session: string, name: string, what: Json = value) => small.store.sessionState.set(session, name, what, account);
      const untilTaken = (session: string, name: string) =>
        waitUntil(
          async () =>
            set(session, name).then(
              () => true,
              () => false,
            ),
          { description: 'there is room' },
        );

      it('takes so many bytes of all sessions together, and those of other accounts are their own', async () => {
        const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
        await set(first, 'a');
        await set(second, 'a');
        await expect(set(third, 'a')).rejects.toMatchObject(full);
        await expect(small.store.sessionState.add(first, 'b', value, account)).rejects.toMatchObject(full);
        await set(third, 'small', 1);
        await small.store.sessionState.set(third, 'a', value, 'user:other');
        expect(await small.store.sessionState.names(first, '')).toEqual(['a']);
      });

      it('has room again when a value is removed or made smaller, and when a session ends or expires', async () => {
        const { sessionState } = small.store;
        const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
        await set(first, 'a');
        await set(second, 'a');
        await sessionState.delete(first, 'a');
        await untilTaken(third, 'a');
        await set(third, 'a', 1);
        await set(first, 'b');
        await expect(set(third, 'c')).rejects.toMatchObject(full);
        await sessionState.clear(first);
        await untilTaken(third, 'c');
        await sessionState.keep(second, wholeMs(20));
        await untilTaken(third, 'd');
        await expect(set(first, 'a')).rejects.toMatchObject(full);
      });

      it('counts what was written, however often it is overwritten, refused or there already', async () => {
        const { sessionState } = small.store;
        const session = randomUUID();
        for (let count = 0; count < 20; count++) await set(session, 'a');
        for (let count = 0; count < 20; count++) expect(await sessionState.add(session, 'a', value, account)).toBe(false);
        await set(session, 'b');
        await expect(set(session, 'c')).rejects.toMatchObject(full);
      });

      it('does not take more for many calls at once', async () => {
        const sessions = Array.from({ length: 10 }, () => randomUUID());
        const settled = await Promise.allSettled(sessions.map((session) => set(session, 'a')));
        expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2);
      });
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
