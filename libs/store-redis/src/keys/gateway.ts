import { hashOfAccount } from '@longhaul/sessions';

/**
 * Names every key and channel that the gateway itself uses in Redis. All keys of one script share a hash tag (`{…}`), so that everything
 * works on a Redis Cluster too.
 */
export interface GatewayKeys {
  /** Hash: one session. Expires after the idle time without use. */
  session(id: string): string;
  /** String: the secret that signs the ids of requests to clients. Permanent. */
  readonly secret: string;
  /** Hash: a hash of each list of features of the gateway that started last. Permanent. */
  readonly lists: string;
  /** Stream: the messages of one event stream, entry id `<n>-0`. TTL some minutes from its last use. */
  streamLog(sessionId: string, streamId: string): string;
  /** Hash: the requests that the stream answers, and the epoch of its present writer. TTL as the log. */
  streamMeta(sessionId: string, streamId: string): string;
  /** Sorted set: the session's open streams by the time at which their leases end. TTL one lease. */
  openStreams(sessionId: string): string;
  /** String: which gateway holds the session's standalone stream. TTL one lease. */
  standalone(sessionId: string): string;
  /** Hash: requests that the client cancelled while their streams could be resumed, with when and why, as JSON. TTL as the log. */
  cancelledRequests(sessionId: string): string;
  /** String: the client's answer to a request of a feature that runs in another gateway than it was sent to, as JSON. TTL one minute. */
  clientResponse(sessionId: string, requestId: string): string;
  /** Channel: numbers of entries that someone other than the stream's present writer appended. Channels hold nothing. */
  streamChanged(sessionId: string, streamId: string): string;
  /** String: the process id of a gateway that is alive. TTL a few of its heartbeats. */
  gateway(id: string): string;
  /** Hash: which stream a request of the task to its client went out on. TTL two leases. */
  deliveryLeases(taskId: string): string;
  /**
   * String: the result of the call of a `requestState`, as JSON; empty while it runs. TTL `LONGHAUL_REQUEST_STATE_MS` from its beginning.
   */
  outcome(id: string): string;
  /** String: when all permits that the account has taken of a rate are back, by the clock of Redis. TTL until then. */
  rate(what: string, account: string): string;
  /** Channel: messages to all gateways. Channels hold nothing. */
  readonly control: string;
  /** Channel: messages to one gateway. Channels hold nothing. */
  controlOf(gatewayId: string): string;
}

/** The keys under a prefix. */
export function gatewayKeys(prefix: string): GatewayKeys {
  const session = (id: string): string => `${prefix}:session:{${id}}`;
  const streamLog = (sessionId: string, streamId: string): string => `${session(sessionId)}:sse:${streamId}`;
  return {
    session,
    secret: `${prefix}:secret`,
    lists: `${prefix}:lists`,
    streamLog,
    streamMeta: (sessionId, streamId) => `${streamLog(sessionId, streamId)}:meta`,
    openStreams: (sessionId) => `${session(sessionId)}:streams`,
    standalone: (sessionId) => `${session(sessionId)}:standalone`,
    cancelledRequests: (sessionId) => `${session(sessionId)}:cancellations`,
    clientResponse: (sessionId, requestId) => `${session(sessionId)}:answer:${requestId}`,
    streamChanged: (sessionId, streamId) => `${streamLog(sessionId, streamId)}:changed`,
    gateway: (id) => `${prefix}:gateway:{${id}}`,
    deliveryLeases: (taskId) => `${prefix}:{${taskId}}:claims`,
    outcome: (id) => `${prefix}:outcome:{${id}}`,
    rate: (what, account) => `${prefix}:rate:{${hashOfAccount(account)}}:${what}`,
    control: `${prefix}:gateways`,
    controlOf: (gatewayId) => `${prefix}:gateways:${gatewayId}`,
  };
}
