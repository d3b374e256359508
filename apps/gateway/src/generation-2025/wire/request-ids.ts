/**
 * The ids of requests that a feature sends to its client while it runs in a gateway:
 * `r|<gatewayId>|<number>|<signature>`. The answer may be POSTed to any gateway; the id says which one
 * waits for it. The signature includes the session, so no other one can answer.
 */
import { SIGNATURE_FORM, type Signer } from './signer.js';

/** Makes ids and reads them back. */
export interface RequestIds {
  /** @param n counts the requests of the gateway */
  idOf(gatewayId: string, n: number, sessionId: string): string;
  /** The gateway that waits for the answer; `undefined` for anything that the session was not sent. */
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
