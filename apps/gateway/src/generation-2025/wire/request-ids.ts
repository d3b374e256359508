/**
 * Makes the ids of requests that a feature sends to its client while it runs in a gateway: `r|<gatewayId>|<number>|<signature>`. The client
 * may POST the answer to any gateway; the id names the waiting one. The signature includes the session, so no other session can answer.
 */
import { SIGNATURE_FORM, type Signer } from './signer.js';

/** Makes ids and reads them back. */
export interface RequestIds {
  /** @param n counts the requests of the gateway */
  idOf(gatewayId: string, n: number, sessionId: string): string;
  /** The gateway that waits for the answer; `undefined` for any id that was not sent to the session. */
  gatewayOf(id: string, sessionId: string): string | undefined;
}

// oxlint-disable-next-line no-restricted-globals -- Of constants.
const FORM = new RegExp(`^r\\|([0-9a-f-]{36})\\|(\\d{1,16})\\|(${SIGNATURE_FORM})$`);

export function createRequestIds({ sign, isGenuine }: Signer): RequestIds {
  return {
    idOf(gatewayId, n, sessionId) {
      const text = `r|${gatewayId}|${n}`;
      return `${text}|${sign(`${text}|${sessionId}`)}`;
    },
    gatewayOf(id, sessionId) {
      const [, gatewayId = '', n = '', signature = ''] = FORM.exec(id) ?? [];
      return isGenuine(`r|${gatewayId}|${n}|${sessionId}`, signature) ? gatewayId : undefined;
    },
  };
}
