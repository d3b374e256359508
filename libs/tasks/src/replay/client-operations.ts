/** Defines the operations that ask the client for something. */
import type { ListRootsResult } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../domain/json.js';
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';
import { requireFunction } from '../given.js';
import { askClientTask } from './client-task.js';
import type { ContextOperations, OperationParts } from './context-operation.js';
import { type AskedMethod, isKept, requireAsked, requireCapability, requireSession } from './required-capability.js';
import { askInput } from './waits.js';

/** Their entries. */
export const CLIENT_OPERATIONS = {
  elicit: {
    key: '$elicit',
    isDrawn: false,
    make: (parts) => (params) => {
      const request = (): Promise<never> => askInput(parts.run, '$elicit', 'elicitation/create', params as JsonObject);
      return ask(parts, 'elicit', { method: 'elicitation/create', params }, request);
    },
  },
  sample: {
    key: '$sample',
    isDrawn: false,
    make: (parts) => (params: object) => {
      const request = (): Promise<never> => askInput(parts.run, '$sample', 'sampling/createMessage', params as JsonObject);
      return ask(parts, 'sample', { method: 'sampling/createMessage', params }, request);
    },
  },
  listRoots: {
    key: '$roots',
    isDrawn: false,
    make: (parts) => () =>
      ask(parts, 'listRoots', { method: 'roots/list', params: {} }, async () => {
        const { roots } = await askInput<ListRootsResult>(parts.run, '$roots', 'roots/list', {});
        return roots;
      }),
  },
  ping: {
    key: '$ping',
    isDrawn: false,
    make:
      ({ task, run, operation }) =>
      () =>
        operation('ping', async () => {
          if (task.client.generation === '2026-07-28') return;
          requireSession(task.sessionId !== undefined);
          await askInput(run, '$ping', 'ping', {});
        }),
  },
  clientTask: {
    key: 'several',
    isDrawn: false,
    make: (parts) => (request, options) =>
      ask(parts, 'clientTask', request, () => askClientTask(parts.run, parts.task.client, request, options)),
  },
  whileWanted: {
    key: 'none',
    isDrawn: false,
    make:
      ({ run }) =>
      (signal, asks) => {
        if (!(signal instanceof AbortSignal))
          throw new TaskError('INVALID_KEY', `whileWanted: signal must be an AbortSignal, and is ${shown(signal)}.`);
        requireFunction('whileWanted', 'ask', asks);
        return run.whileWanted(signal, asks);
      },
  },
} as const satisfies ContextOperations<'elicit' | 'sample' | 'listRoots' | 'ping' | 'clientTask' | 'whileWanted'>;

/** @param name of the operation. @param request is made if the client can answer it, or the question is kept for somebody else */
function ask<T>(
  { operation, task }: OperationParts,
  name: string,
  asked: { readonly method: AskedMethod; readonly params: object },
  request: () => Promise<T>,
): Promise<T> {
  return operation(name, async () => {
    requireAsked(name, asked);
    const { method, params } = asked;
    if (!isKept(method, task.keptQuestions)) requireCapability(task.client, method, params, task.sessionId !== undefined);
    return request();
  });
}
