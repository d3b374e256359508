import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Signals } from '../ports/signals.js';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import type { SessionContractStore } from './contract-store.js';

/** Declares the contract of signals on every store. */
export function signalsContract({ name, open }: SessionContractStore): void {
  describe.each(['signals', 'featureSignals'] as const)(`%s in ${name}`, (which) => {
    let signals: Signals;
    beforeAll(opening(open, ({ store }) => (signals = store[which])));

    it('reach everyone who listens to the channel, in order, and nobody else', async () => {
      const [channel, other] = [newChannel(), newChannel()];
      const heard: [string, string | undefined][] = [];
      await signals.subscribe(channel, (message) => heard.push(['first', message]));
      await signals.subscribe(channel, (message) => heard.push(['second', message]));
      await signals.subscribe(other, (message) => heard.push(['other', message]));
      await signals.publish(channel, 'a');
      await signals.publish(channel, 'b');
      await waitUntil(() => heard.length === 4, { description: 'both listeners heard both messages' });

      expect(heard.filter(([who]) => who === 'first')).toEqual([
        ['first', 'a'],
        ['first', 'b'],
      ]);
      expect(heard.filter(([who]) => who === 'other')).toEqual([]);
    });

    it('are not heard by one who has stopped to listen', async () => {
      const channel = newChannel();
      const heard: unknown[] = [];
      const stop = await signals.subscribe(channel, (message) => heard.push(['stopped', message]));
      await signals.subscribe(channel, (message) => heard.push(message));
      stop();
      stop();
      await signals.publish(channel, 'a');
      await waitUntil(() => heard.length > 0, { description: 'the other one heard it' });

      expect(heard).toEqual(['a']);
    });
  });
}

/** Within the key prefix of tests, because the Redis user may have access to nothing else. */
function newChannel(): string {
  return `test-channels:${randomUUID()}`;
}
