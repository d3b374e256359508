/** A call as methods get it, for tests. */
import type { JsonObject } from '@longhaul/tasks';
import type { ActCall } from './method.js';

/** @param params of the request; @param capabilities that the client has declared */
export function actCall(params?: ActCall['params'], capabilities: JsonObject = {}): ActCall {
  return {
    id: 1,
    method: 'tools/call',
    params,
    caller: { owner: 'ada' },
    session: {
      id: 's',
      owner: 'ada',
      generation: '2025-11-25',
      protocolVersion: '2025-11-25',
      client: () => ({ capabilities, name: 'c', version: '1' }),
      isStored: true,
    },
    ask: () => Promise.reject(new Error('Nobody is there to be asked.')),
    scope: {
      signal: new AbortController().signal,
      isCancelled: false,
      push: () => undefined,
      closeStream: () => undefined,
      whenOver: () => () => undefined,
      stream: { holder: { streamId: 's', epoch: 1, gatewayId: 'g' }, hasSent: () => false, bind: () => undefined },
    },
  };
}
