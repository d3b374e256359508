/** Declares the contract of stores of event streams. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { GatewayState } from '../gateway/gateway-state.js';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '@longhaul/tasks/testing';
import type { SessionContractStore } from './contract-store.js';
import { describeState } from './describe-state.js';

const leaseMs = 60_000;
const LIMIT = 16;

export function streamsContract(store: SessionContractStore): void {
  describeState(store, 'event streams', (state) => {
    let store: GatewayState['streams'];
    let sessionId: string;

    beforeAll(() => {
      store = state().streams;
    });
    beforeEach(() => {
      sessionId = randomUUID();
    });

    const newId = (): string => randomBytes(16).toString('base64url');
    const refOf = (streamId: string, { epoch = 1, gatewayId = 'a', isStandalone = false } = {}) => ({
      sessionId,
      streamId,
      gatewayId,
      epoch,
      isStandalone,
    });
    async function begin(ids: readonly (string | number)[] = [1], lease = leaseMs) {
      const ref = refOf(newId());
      const verdict = await store.open({ ...ref, leaseMs: lease, maxOpen: 16, requests: ids.map((id) => ({ id })) });
      return { ref, verdict: verdict.verdict };
    }
    const say = (text: string, options: { isExclusive?: boolean; isAnswer?: boolean } = {}) => ({
      json: JSON.stringify(text),
      isExclusive: options.isExclusive ?? true,
      isAnswer: options.isAnswer ?? false,
    });
    const takeOver = (streamId: string, n: number, gatewayId = 'b') =>
      store.takeOver({ sessionId, streamId, n, gatewayId, leaseMs, maxOpen: 16 });

    it('number their entries, and give back those after a cursor', async () => {
      const begunAt = Date.now();
      const { ref } = await begin();
      expect(await store.append(ref, say('one'))).toEqual({ n: 1, isFinished: false });
      expect(await store.append(ref, say('two'))).toEqual({ n: 2, isFinished: false });
      const all = await store.read(ref, 0);

      expect(all.entries.map(({ n, json }) => [n, json])).toEqual([
        [1, '"one"'],
        [2, '"two"'],
      ]);
      expect(all.entries[0]?.at).toBeGreaterThan(begunAt - 60_000);
      expect(all.entries[0]?.at).toBeLessThan(Date.now() + 60_000);
      expect((await store.read(ref, 1)).entries.map(({ n }) => n)).toEqual([2]);
      expect(all.isFinished).toBe(false);
    });

    it('say what they answer, also before they are taken over', async () => {
      const { ref } = await begin([1, 'two']);
      expect(await store.requestsOf(ref)).toEqual([{ id: 1 }, { id: 'two' }]);
      await store.bind(ref, [{ id: 1, scopes: ['a'] }]);
      expect(await store.requestsOf(ref)).toEqual([{ id: 1, scopes: ['a'] }]);
      expect(await store.requestsOf({ sessionId, streamId: newId() })).toEqual([]);
    });

    it('are finished with the last answer that is due, or when the rest will not come', async () => {
      const { ref } = await begin([1, 'two', 3]);
      await store.append(ref, say('first', { isAnswer: true }));
      expect(await store.settleOne(ref, true)).toBe(false);
      expect(await store.append(ref, say('last', { isAnswer: true }))).toEqual({ n: 2, isFinished: true });

      expect((await store.read(ref, 2)).isFinished).toBe(true);
      const { ref: cancelled } = await begin();
      expect(await store.settleOne(cancelled, true)).toBe(true);
      expect((await store.read(cancelled, 0)).isFinished).toBe(true);
    });

    it('give a gateway that takes one over its requests and its origin', async () => {
      const { ref } = await begin([7]);
      const taskId = randomUUID() as Parameters<typeof store.bind>[1][number]['taskId'] & string;
      await store.bind(ref, [{ id: 7, taskId }]);
      const taken = await takeOver(ref.streamId, 0);

      expect(taken).toMatchObject({
        verdict: 'taken',
        stream: { epoch: 2, isStandalone: false, requests: [{ id: 7, taskId }], origin: 'a', isFinished: false },
      });
    });

    it('refuse questions and answers of an earlier writer, and take its notifications, of which the present one hears', async () => {
      const { ref } = await begin();
      await takeOver(ref.streamId, 0);
      let heard = 0;
      const stop = await store.watch(ref, () => {
        heard += 1;
      });

      expect(await store.append(ref, say('question'))).toBe('taken');
      expect(await store.append(ref, say('notification', { isExclusive: false }))).toEqual({ n: 1, isFinished: false });
      expect(await store.append(refOf(ref.streamId, { epoch: 2, gatewayId: 'b' }), say('question'))).toEqual({ n: 2, isFinished: false });
      expect(await store.settleOne(ref, true)).toBe(false);
      expect(await store.keep(ref, leaseMs)).toBe('taken');
      await waitUntil(() => heard > 0, { description: 'the present writer hears of it' });
      stop();
      expect(heard).toBe(1);
    });

    it('are finished by an earlier writer when it alone knows that an answer will not come, and the present one hears of it', async () => {
      const { ref } = await begin();
      await takeOver(ref.streamId, 0);
      const heard = Promise.withResolvers<void>();
      const stop = await store.watch(ref, heard.resolve);

      expect(await store.settleOne(ref, false)).toBe(true);
      await heard.promise;
      stop();
      expect((await store.read(ref, 0)).isFinished).toBe(true);
    });

    it.each([
      [
        'of another session',
        (streamId: string) => store.takeOver({ sessionId: randomUUID(), streamId, n: 0, gatewayId: 'b', leaseMs, maxOpen: 16 }),
      ],
      ['that was never opened', () => takeOver(newId(), 0)],
      ['beyond its last entry', (streamId: string) => takeOver(streamId, 2)],
    ])('cannot be taken over at a place %s', async (_title, attempt) => {
      const { ref } = await begin();
      await store.append(ref, say('one'));

      expect(await attempt(ref.streamId)).toEqual({ verdict: 'unknown' });
      expect(await store.append(ref, say('two'))).toEqual({ n: 2, isFinished: false });
    });

    it('remember so many cancelled requests of a session, and no more', async () => {
      const { notedCancellations } = FIELD_LIMITS;
      for (let id = 0; id < notedCancellations + 5; id++) await store.noteCancelled(sessionId, id, { at: id });

      const ids = [0, notedCancellations - 1, notedCancellations, notedCancellations + 4];
      const noted = await Promise.all(ids.map((id) => store.cancellationOf(sessionId, id)));
      expect(noted).toEqual([{ at: 0 }, { at: notedCancellations - 1 }, undefined, undefined]);
    });

    it('remember which requests the client cancelled, by value and type of their ids, and why', async () => {
      const why = { at: 5, reason: 'Request timed out' };
      await store.noteCancelled(sessionId, 1, { at: 5 });
      await store.noteCancelled(sessionId, 'two', why);

      const noted = await Promise.all([1, 'two', '1', 3].map((id) => store.cancellationOf(sessionId, id)));
      expect(noted).toEqual([{ at: 5 }, why, undefined, undefined]);
      expect(await store.cancellationOf(randomUUID(), 1)).toBeUndefined();
    });

    it('are nowhere written to when they are gone', async () => {
      const ref = refOf(newId());
      expect(await store.append(ref, say('late', { isExclusive: false }))).toBe('gone');
      expect(await store.keep(ref, leaseMs)).toBe('gone');
      expect(await store.settleOne(ref, true)).toBe(true);
      await store.bind(ref, []);
      await store.leave(ref);
      expect(await store.read(ref, 0)).toEqual({ entries: [], isFinished: true });
    });

    it('are at most sixteen open ones in a session, wherever they were opened', async () => {
      const opened = await Promise.all(Array.from({ length: LIMIT }, () => begin()));
      const [first, second, third] = opened.map(({ ref }) => ref);
      expect((await begin()).verdict).toBe('too-many');
      if (first === undefined || second === undefined || third === undefined) throw new Error('no streams');
      await store.append(first, say('answer', { isAnswer: true }));
      expect((await begin()).verdict).toBe('opened');
      await store.leave(second);
      expect((await begin()).verdict).toBe('opened');
      expect((await begin()).verdict).toBe('too-many');
      // One that is open is taken over in its own place, one that was left needs a new one.
      expect((await takeOver(third.streamId, 0)).verdict).toBe('taken');
      expect((await takeOver(second.streamId, 0)).verdict).toBe('too-many');
      // A finished one takes no place.
      expect(await takeOver(first.streamId, 0)).toMatchObject({ verdict: 'taken', stream: { isFinished: true } });
    });

    it('are as many as the opener allows', async () => {
      const open = (maxOpen: number) => {
        const { streamId, gatewayId, isStandalone } = refOf(newId());
        return store.open({ sessionId, streamId, gatewayId, isStandalone, leaseMs, maxOpen, requests: [{ id: 1 }] });
      };
      expect(await Promise.all([open(2), open(2)])).toEqual([{ verdict: 'opened' }, { verdict: 'opened' }]);
      expect(await open(2)).toEqual({ verdict: 'too-many' });
      expect(await open(3)).toEqual({ verdict: 'opened' });
    });

    it('count as open no longer than their lease, unless it is renewed', async () => {
      const opened = await Promise.all(Array.from({ length: LIMIT }, (_, index) => begin([1], index < 2 ? 30 : leaseMs)));
      const kept = opened[0]?.ref;
      if (kept === undefined) throw new Error('no streams');
      expect(await store.keep(kept, leaseMs)).toBe('kept');
      await waitUntil(async () => (await begin()).verdict === 'opened', { description: 'the lease is over' });
      expect((await begin()).verdict).toBe('too-many');
    });

    it('are not left by one that is no longer their writer', async () => {
      const opened = await Promise.all(Array.from({ length: LIMIT }, () => begin()));
      const taken = opened[0]?.ref;
      if (taken === undefined) throw new Error('no streams');
      await takeOver(taken.streamId, 0);
      await store.leave(taken);
      expect((await begin()).verdict).toBe('too-many');
    });

    describe('the standalone one', () => {
      const standalone = (gatewayId: string, replacing?: { gatewayId: string; streamId: string }) => {
        const ref = refOf(newId(), { gatewayId, isStandalone: true });
        return store
          .open({ ...ref, leaseMs, maxOpen: 16, requests: [], ...(replacing !== undefined && { replacing }) })
          .then((outcome) => ({ ref, outcome }));
      };

      it('is one among all gateways', async () => {
        const attempts = await Promise.all(['a', 'b', 'c'].map((gatewayId) => standalone(gatewayId)));
        const winners = attempts.filter(({ outcome }) => outcome.verdict === 'opened').map(({ ref }) => ref);
        expect(winners).toHaveLength(1);
        const [{ gatewayId, streamId } = refOf('')] = winners;
        for (const { outcome } of attempts)
          if (outcome.verdict !== 'opened') expect(outcome).toEqual({ verdict: 'held', holder: { gatewayId, streamId } });
      });

      it('goes to the next one when its holder leaves', async () => {
        const { ref } = await standalone('a');
        await store.leave(ref);
        expect((await standalone('b')).outcome).toEqual({ verdict: 'opened' });
      });

      it('is taken from a dead holder, which notices', async () => {
        const { ref: dead } = await standalone('a');
        expect((await standalone('b', { gatewayId: 'a', streamId: newId() })).outcome.verdict).toBe('held');
        expect((await standalone('b', dead)).outcome.verdict).toBe('opened');
        expect(await store.keep(dead, leaseMs)).toBe('taken');
        await store.leave(dead);
        expect((await standalone('c')).outcome.verdict).toBe('held');
      });

      it('is resumed by its own client though the holder lives, and never finished', async () => {
        const { ref } = await standalone('a');
        await store.append(ref, say('status'));
        expect(await takeOver(ref.streamId, 1)).toMatchObject({
          verdict: 'taken',
          stream: { isStandalone: true, isFinished: false, epoch: 2 },
        });
        expect(await store.keep(ref, leaseMs)).toBe('taken');
        expect(await store.keep({ ...ref, gatewayId: 'b', epoch: 2 }, leaseMs)).toBe('kept');
        expect((await standalone('c')).outcome).toEqual({ verdict: 'held', holder: { gatewayId: 'b', streamId: ref.streamId } });
      });

      it('cannot be resumed while another one is open, unless its holder is dead', async () => {
        const { ref: old } = await standalone('a');
        await store.leave(old);
        const { ref: holder } = await standalone('b');
        expect(await takeOver(old.streamId, 0, 'c')).toEqual({ verdict: 'held', holder: { gatewayId: 'b', streamId: holder.streamId } });
        expect(
          await store.takeOver({ sessionId, streamId: old.streamId, n: 0, gatewayId: 'c', leaseMs, maxOpen: 16, replacing: holder }),
        ).toMatchObject({
          verdict: 'taken',
        });
      });
    });
  });
}
