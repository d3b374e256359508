/** Makes a call in the form that methods receive, for tests. */
import type { JsonObject } from '@longhaul/tasks';
import { silentOperation } from './operation.js';
import type { Call } from './method.js';

/** @param params of the request; @param capabilities that the client has declared */
export function callWith(params?: Call['params'], capabilities: JsonObject = {}): Call {
  return {
    id: 1,
    method: 'tools/call',
    params,
    caller: { owner: 'ada', auth: undefined },
    requester: {
      owner: 'ada',
      generation: '2025-11-25',
      protocolVersion: '2025-11-25',
      client: () => ({ capabilities, name: 'c', version: '1' }),
    },
    sessionId: 's',
    operation: silentOperation(),
    ask: () => Promise.reject(new Error('Nobody is there to be asked.')),
    scope: { signal: new AbortController().signal, isCancelled: false, push: () => undefined },
  };
}
