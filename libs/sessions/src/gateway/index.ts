/** Exports, as a separate entry of the package, the state that gateways share, and its rules. */
export { type AskedRequest, type ClientResponseStore, RESPONSE_TTL_MS } from './client-response-store.js';
export type { ControlChannels } from './cluster.js';
export { type DeliveryLeaseRequest, type DeliveryLeaseStore, DETACHED_LEASE_MS, type LeaseHolder } from './delivery-lease-store.js';
export type { GatewayState } from './gateway-state.js';
export { grant, intervalUs, type Wanted } from './gcra.js';
export { ALIVE_FOR_MS, type Heartbeats } from './cluster.js';
export { type KeySettings, type KeyStores, openKeyRing } from './key-ring.js';
export { createQuestionLinks, type LinkedQuestion, type QuestionLinks } from './question-links.js';
export type { OutcomeStore } from './outcome-store.js';
export type { Rate, Rated, RateStore, Taken } from './rate-store.js';
export { sealedState } from './sealed-state.js';
export { type Belongings, clearBelongings, keepBelongings } from './session-belongings.js';
export { accountOfRequester, type ClientDescription, clientInfoOf, type Principal, type Requester } from './requester.js';
export { isSessionId, type NewSession, type Session, type SessionStore } from './session.js';
export type { ListHashes, ShownLists } from './cluster.js';
export {
  type AppendVerdict,
  FINISHED_TTL_MS,
  MAX_LOG_ENTRIES,
  type NewEntry,
  type NewStream,
  type OpenVerdict,
  type StreamEntry,
  type StreamHolder,
  type StreamName,
  type StreamRef,
  type StreamRequest,
  type Cancellation,
  type StreamStore,
  type TakenStream,
  type TakeOver,
  type TakeOverVerdict,
  UNFINISHED_TTL_MS,
} from './stream-store.js';
