import { opening } from '@longhaul/tasks/testing';
import { beforeAll, describe } from 'vitest';
import type { GatewayState } from '../gateway/gateway-state.js';
import type { SessionContractBackend } from './contract-backend.js';

/** Declares tests of what gateways share. The store is opened once for all of them. */
export function describeState(backend: SessionContractBackend, what: string, declare: (state: () => GatewayState) => void): void {
  describe(`${what} in ${backend.name}`, () => {
    let state: GatewayState;
    beforeAll(
      opening(
        () => backend.open(),
        (opened) => {
          state = opened.backend.gateway;
        },
      ),
    );
    declare(() => state);
  });
}
