/** What a feature gets that answers within the request, in the gateway. */
import type { FeatureList, StoredSession } from '@longhaul/sessions';
import type { AskedMethod, CallerAuth, JsonObject, OwnerContext } from '@longhaul/tasks';
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
  /** Starts a session job, which goes on if this gateway dies. @returns false when it runs already, or the session has ended */
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
   * What belongs to the caller: for ever if something authenticates it, or if it is the one user of `longhaul stdio`; until the
   * end of its session if that is all that is known of it; until 30 days after its last use with a caller's secret. Absent
   * where nothing is known: 2026-07-28 and stateless mode, without authentication and without a secret.
   */
  readonly owner: OwnerContext | undefined;
  /** Who makes the request, as its token says, without the token. Absent where nobody has to say who it is. */
  readonly auth: CallerAuth | undefined;
  readonly everyone: Announcements;
  /**
   * Asks the client in the words of the protocol, under a name of the feature's own: clients of 2026-07-28 see it as the key
   * of the request. It must be another one for each request of a call, and has at most 256 bytes (TaskError `INVALID_KEY`).
   *
   * @throws TaskError `CLIENT_LACKS_CAPABILITY`; `INPUT_FAILED` when the client answers with an error; ZodError when what was
   *   accepted of a form does not fit its `requestedSchema`
   */
  ask(key: string, request: { readonly method: AskedMethod; readonly params?: object }): Promise<JsonObject>;
  /** Resolves when the client answers; at once in 2026-07-28, which has no ping. @throws Error when it does not within 30 seconds */
  ping(): Promise<void>;
  /**
   * Ends the event stream of the response, while the request goes on: the client comes back for the rest a moment later, to
   * any gateway. For work of minutes that is not a task. Without effect on clients that cannot resume.
   */
  closeStream(): void;
}
