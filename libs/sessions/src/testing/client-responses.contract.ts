/** Declares the contract of stores of clients' answers, for every adapter. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SessionContractStore } from './contract-store.js';
import { describeState } from './describe-state.js';

export function clientResponsesContract(store: SessionContractStore): void {
  describeState(store, 'answers of clients', (state) => {
    const request = () => ({ sessionId: randomUUID(), requestId: `r|${randomUUID()}|1|signature` });

    it('are taken once', async () => {
      const { clientResponses } = state();
      const asked = request();
      await clientResponses.put(asked, '{"result":{"roots":[]}}');

      expect(await clientResponses.take(asked)).toBe('{"result":{"roots":[]}}');
      expect(await clientResponses.take(asked)).toBeUndefined();
    });

    it('are those of their session and request only', async () => {
      const { clientResponses } = state();
      const asked = request();
      await clientResponses.put(asked, '{"result":{}}');

      expect(await clientResponses.take({ ...asked, sessionId: randomUUID() })).toBeUndefined();
      expect(await clientResponses.take({ ...asked, requestId: 'r|another' })).toBeUndefined();
    });

    it('are the first ones: a later one changes nothing', async () => {
      const { clientResponses } = state();
      const asked = request();
      await clientResponses.put(asked, '{"result":"first"}');
      await clientResponses.put(asked, '{"result":{}}');

      expect(await clientResponses.take(asked)).toBe('{"result":"first"}');
    });
  });
}
