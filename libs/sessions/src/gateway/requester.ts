import type { CallerAuth, ClientInfo, Generation, JsonObject } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/** A client's description of itself. */
export interface ClientDescription {
  readonly capabilities: JsonObject;
  readonly name?: string;
  readonly version?: string;
}

/** A caller with a verified token. */
export interface Principal extends CallerAuth {
  /** The owner of everything that it creates. No two principals have the same owner, for any tokens. */
  readonly owner: string;
  /** When the token expires, epoch milliseconds. Absent: never. */
  readonly expiresAt?: number;
  /** When the token was issued, epoch milliseconds, if it says so. */
  readonly issuedAt?: number;
  /** The thumbprint of the key that the token is bound to: the token is worthless without a proof that its sender has that key. */
  readonly boundTo?: string;
  /** The token itself, as the present request has shown it. Absent for a static token, which no authorization server knows. */
  readonly token?: () => string;
  /** Calls a listener when the token is revoked. Absent if tokens cannot be revoked. @returns a function that removes the listener */
  readonly whenRevoked?: (listener: () => void) => () => void;
}

/** The caller of a request and its client, as far as all protocol versions know them: from the session, or from the request itself. */
export interface Requester {
  /** Authorization context of the tasks. */
  readonly owner: string;
  /** The accounts under which tasks are counted for the limits. @defaultValue the owner */
  readonly accounts?: readonly string[];
  /** The generation of the protocol that the client speaks. */
  readonly generation: Generation;
  /** The protocol version within it. */
  readonly protocolVersion: string;
  /** Read on first use: most requests do not need it. */
  client(): ClientDescription;
  /** Whether the client has called a tool as a task, in a version in which it need not declare that. */
  readonly followsTasks?: boolean;
  /** The lowest level of log messages that the client wants. */
  readonly logLevel?: LoggingLevel;
  /** The caller of the present request, if requests are authenticated. */
  readonly auth?: Principal;
  /** The scopes that the present request needs from the caller's token. */
  readonly neededScopes?: readonly string[];
}

/** The account under which a requester's stored data is counted: the caller if it is known, otherwise its address. */
export function accountOfRequester({ accounts, owner }: Requester): string {
  return accounts?.at(-1) ?? owner;
}

/** The client, as tools see it and tasks record it. */
export function clientInfoOf(requester: Requester): ClientInfo {
  const { generation, protocolVersion } = requester;
  return { generation, protocolVersion, ...requester.client() };
}
