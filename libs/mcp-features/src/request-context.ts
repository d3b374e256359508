/** Defines the context of a feature that answers within the request, in the gateway. */
import type { FeatureList, StoredSession } from '@longhaul/sessions';
import type { AskedMethod, CallerAuth, CallerKeys, JsonObject, OwnerContext } from '@longhaul/tasks';
import type { ProgressToken, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { ClientContext } from './client-context.js';

/** The request as it came. */
export interface RequestInfo {
  readonly id: RequestId;
  /** `tools/call`, `prompts/get`, … */
  readonly method: string;
  readonly params: JsonObject;
  /** The params' `_meta`. */
  readonly meta: JsonObject;
  /** Where the client wants progress, if it does. */
  readonly progressToken?: ProgressToken;
}

/** The client's session: what it holds is seen by every gateway and worker, and ends with the session. */
export interface SessionContext extends StoredSession {
  /** Notifies the client that a list has changed. */
  listChanged(list: FeatureList): void;
  /** Starts a session job, which continues if this gateway dies. @returns false when it runs already, or the session has ended */
  startJob(name: string): Promise<boolean>;
  /** @returns false when it did not run */
  stopJob(name: string): Promise<boolean>;
}

/** The notifications that a feature can send to all clients of the deployment. */
export interface Announcements {
  /** Notifies every client that a list has changed. */
  listChanged(list: FeatureList): void;
  /**
   * Notifies every client that has subscribed to the resource that it has changed.
   *
   * @throws TaskError `INVALID_KEY` for a URI of more than 8 KiB
   */
  resourceUpdated(uri: string): void;
}

/** The context of a request. */
export interface RequestContext extends ClientContext {
  /** Aborts when the client cancels the request, and when the session or the process ends. */
  readonly signal: AbortSignal;
  readonly request: RequestInfo;
  /** Absent in stateless mode. */
  readonly session: SessionContext | undefined;
  /**
   * The caller's data. It is kept for ever for an authenticated caller and for the one user of `longhaul stdio`. It is kept until the end
   * of the session if only the session is known, and until 30 days after its last use with a caller's secret. Absent if nothing is known of
   * the caller: in 2026-07-28 and stateless mode, without authentication and without a secret.
   */
  readonly owner: OwnerContext | undefined;
  /** Who makes the request, as its token says, without the token. Absent if callers need no authentication. */
  readonly auth: CallerAuth | undefined;
  /** Distinguishes the caller from others. Its tasks have the same keys. */
  readonly caller: CallerKeys;
  /**
   * The limit that the settings of the caller's tenant have for how much runs at once, and a key of the tenant that does not name it. Absent
   * without a limit. The engine counts tasks; a feature counts what it does within requests, if that may take long.
   */
  readonly tenant?: { readonly key: string; readonly maxRunning: number } | undefined;
  readonly everyone: Announcements;
  /**
   * Asks the client in the words of the protocol, under the feature's own name for the request. Clients of 2026-07-28 see the name as the
   * key of the request. Each request of a call needs another name, of at most 256 bytes (TaskError `INVALID_KEY`).
   *
   * @throws TaskError `CLIENT_LACKS_CAPABILITY`. `INPUT_FAILED` when the client answers with an error. ZodError when an accepted form does
   * not fit its `requestedSchema`.
   */
  ask(key: string, request: { readonly method: AskedMethod; readonly params?: object }): Promise<JsonObject>;
  /** Resolves when the client answers; at once in 2026-07-28, which has no ping. @throws Error when it does not within 30 seconds */
  ping(): Promise<void>;
  /**
   * Ends the event stream of the response, while the request continues. The client reconnects for the rest a moment later, to any gateway.
   * This is for work of minutes that is not a task. Without effect on clients that cannot resume.
   */
  closeStream(): void;
}
