import type { CallerAuth, ClientInfo, Generation, JsonObject } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/** What a client says of itself. */
export interface ClientDescription {
  readonly capabilities: JsonObject;
  readonly name?: string;
  readonly version?: string;
}

/** A caller whose token has been verified. */
export interface Principal extends CallerAuth {
  /** Whose is what it creates. No two principals have the same one, for any tokens. */
  readonly owner: string;
  /** When the token is over, epoch milliseconds. Absent: never. */
  readonly expiresAt?: number;
  /** When the token was issued, epoch milliseconds, if it says so. */
  readonly issuedAt?: number;
  /** The thumbprint of the key that the token is bound to: without a proof that its sender has that key it is worth nothing. */
  readonly boundTo?: string;
  /** Calls a listener when the token is revoked. Absent where none can be. @returns what keeps it from being called */
  readonly whenRevoked?: (listener: () => void) => () => void;
}

/** Who makes a request and with which client, as far as all protocol versions know it: from the session, or from the request itself. */
export interface Requester {
  /** Authorization context of the tasks. */
  readonly owner: string;
  /** Under whom tasks are counted for the limits. @defaultValue the owner */
  readonly accounts?: readonly string[];
  /** The generation of the protocol that the client speaks. */
  readonly generation: Generation;
  /** The protocol version within it. */
  readonly protocolVersion: string;
  /** Read when it is asked for: most requests do not need it. */
  client(): ClientDescription;
  /** The least level of log messages that the client wants. */
  readonly logLevel?: LoggingLevel;
  /** Who makes the present request, where something authenticates. */
  readonly auth?: Principal;
  /** What the present request asks of the caller's token. */
  readonly neededScopes?: readonly string[];
}

/** Under whom is counted what is kept for a requester: the caller if it is known, otherwise its address. */
export function accountOfRequester({ accounts, owner }: Requester): string {
  return accounts?.at(-1) ?? owner;
}

/** The client, as tools see it and tasks record it. */
export function clientInfoOf(requester: Requester): ClientInfo {
  const { generation, protocolVersion } = requester;
  return { generation, protocolVersion, ...requester.client() };
}
