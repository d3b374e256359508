import { withClientContext } from '../authoring/client-context.js';
import type { RequestContext, SessionContext } from '../authoring/request-context.js';
import { type FakeClient, fakeClient } from './fake-client.js';

/** What is special about a request; by default it has a client that can do nothing, and no session. */
export interface FakeRequestOptions {
  readonly client?: FakeClient;
  readonly session?: SessionContext;
  readonly signal?: AbortSignal;
}

/** The context of a request that never came. */
export function fakeRequest({ client = fakeClient(), session, signal }: FakeRequestOptions = {}): RequestContext {
  return withClientContext({
    ...client,
    signal: signal ?? new AbortController().signal,
    request: { id: 1, method: 'tools/call', params: {}, meta: {} },
    session,
    auth: undefined,
    everyone: { listChanged: () => undefined, resourceUpdated: () => undefined },
    ask: (key: string) => Promise.reject(new Error(`The test says no answer to ${key}.`)),
    ping: () => Promise.resolve(),
    closeStream: () => undefined,
  });
}
