import { opening } from '@longhaul/tasks/testing';
import { beforeAll, describe } from 'vitest';
import type { GatewayState } from '../gateway/gateway-state.js';
import type { SessionContractStore } from './contract-store.js';

/** Declares tests of what gateways share. The store is opened once for all of them. */
export function describeState(store: SessionContractStore, what: string, declare: (state: () => GatewayState) => void): void {
  describe(`${what} in ${store.name}`, () => {
    let state: GatewayState;
    beforeAll(
      opening(
        () => store.open(),
        (opened) => {
          state = opened.store.gateway;
        },
      ),
    );
    declare(() => state);
  });
}
