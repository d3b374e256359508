/** Provides a client, a session and a request for tests of features. They do what the test says. */
import type { FeatureList } from '@longhaul/sessions';
import type { CallerAuth, Json, JsonObject, OwnerContext } from '@longhaul/tasks';
import { type ClientOperations, withClientContext } from '../client-context.js';
import type { RequestContext, SessionContext } from '../request-context.js';

/** How the client answers, and what it declared. A request without a given answer gets an error. */
export interface FakeAnswers extends Partial<Pick<ClientOperations, 'elicit' | 'sample' | 'listRoots'>> {
  readonly capabilities?: JsonObject;
}

/** A client that answers as the test says. */
export interface FakeClient extends ClientOperations {
  /** The notifications that it received: the operation and its arguments. */
  readonly received: readonly (readonly unknown[])[];
}

/** The operations of a feature towards a client, without a client. */
export function fakeClient({ capabilities = {}, ...answers }: FakeAnswers = {}): FakeClient {
  const received: (readonly unknown[])[] = [];
  const recorder =
    (operation: string) =>
    (...args: readonly unknown[]): void => {
      received.push([operation, ...args]);
    };
  return {
    received,
    client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities },
    elicit: unanswered('elicit'),
    sample: unanswered('sample'),
    listRoots: unanswered('listRoots'),
    ...answers,
    progress: recorder('progress'),
    log: recorder('log'),
    elicitationComplete: recorder('elicitationComplete'),
  };
}

function unanswered(operation: string) {
  return () => Promise.reject(new Error(`The test says no answer to ${operation}.`));
}

/** The special properties of a request; by default it has a client without capabilities, and no session. */
export interface FakeRequestOptions {
  readonly client?: FakeClient;
  readonly session?: SessionContext;
  /** @defaultValue absent: nothing is known of the caller */
  readonly owner?: OwnerContext;
  /** Who its token says it is. @defaultValue absent: callers need no authentication */
  readonly auth?: CallerAuth;
  readonly signal?: AbortSignal;
}

/** The context of a request that never came. */
export function fakeRequest({ client = fakeClient(), session, owner, auth, signal }: FakeRequestOptions = {}): RequestContext {
  return withClientContext({
    ...client,
    signal: signal ?? new AbortController().signal,
    request: { id: 1, method: 'tools/call', params: {}, meta: {} },
    session,
    owner,
    auth,
    caller: { key: session?.id, account: 'tester' },
    everyone: { listChanged: () => undefined, resourceUpdated: () => undefined },
    ask: (key: string) => Promise.reject(new Error(`The test says no answer to ${key}.`)),
    ping: () => Promise.resolve(),
    closeStream: () => undefined,
  });
}

/** A session in memory that remembers the notifications. */
export class FakeSession implements SessionContext {
  readonly id = 'session';
  readonly values = new Map<string, Json>();
  readonly subscribed: string[] = [];
  readonly jobs = new Set<string>();
  /** The lists that were reported as changed to the client. */
  readonly changed: FeatureList[] = [];

  async get(name: string): Promise<Json | undefined> {
    return structuredClone(this.values.get(name));
  }

  async set(name: string, value: Json): Promise<void> {
    this.values.set(name, structuredClone(value));
  }

  async delete(name: string): Promise<void> {
    this.values.delete(name);
  }

  async names(prefix: string): Promise<readonly string[]> {
    return [...this.values.keys()].filter((name) => name.startsWith(prefix)).toSorted();
  }

  async subscriptions(): Promise<readonly string[]> {
    return this.subscribed;
  }

  listChanged(list: FeatureList): void {
    this.changed.push(list);
  }

  async startJob(name: string): Promise<boolean> {
    if (this.jobs.has(name)) return false;
    this.jobs.add(name);
    return true;
  }

  async stopJob(name: string): Promise<boolean> {
    return this.jobs.delete(name);
  }
}
