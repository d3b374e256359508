import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../domain/json.js';
import { TaskError } from '../errors.js';
import { type AskedMethod, isKept, kindsNotTaken, requireCapability, takesRequest } from './required-capability.js';

/** The capability that is missing for the request; nothing when the client may be asked. */
function missing(capabilities: JsonObject, method: AskedMethod, params: object): unknown {
  try {
    requireCapability({ capabilities, generation: '2025-11-25' }, method, params, true);
    return undefined;
  } catch (error) {
    return error instanceof TaskError && error.code === 'CLIENT_LACKS_CAPABILITY' ? error.data : error;
  }
}

const sample = 'sampling/createMessage' as const;

describe('a request to a client', () => {
  it.each<[AskedMethod, object, JsonObject, string | undefined]>([
    ['roots/list', {}, {}, 'roots'],
    ['roots/list', {}, { roots: {} }, undefined],
    ['elicitation/create', {}, {}, 'elicitation.form'],
    ['elicitation/create', {}, { elicitation: { url: {} } }, 'elicitation.form'],
    ['elicitation/create', { mode: 'url' }, { elicitation: {} }, 'elicitation.url'],
    [sample, {}, {}, 'sampling'],
    [sample, {}, { sampling: {} }, undefined],
    [sample, { tools: [] }, { sampling: { context: {} } }, 'sampling.tools'],
    [sample, { toolChoice: { mode: 'auto' } }, { sampling: {} }, 'sampling.tools'],
    [sample, { tools: [] }, { sampling: { tools: {} } }, undefined],
    [sample, { includeContext: 'thisServer' }, { sampling: { tools: {} } }, 'sampling.context'],
    [sample, { includeContext: 'allServers' }, { sampling: { context: {} } }, undefined],
    [sample, { includeContext: 'none' }, { sampling: {} }, undefined],
    [sample, { tools: [] }, { sampling: true }, 'sampling'],
  ])('%s with %j to one that has declared %j lacks %s', (method, params, capabilities, capability) => {
    expect(missing(capabilities, method, params)).toEqual(capability === undefined ? undefined : { capability });
  });

  it.each([
    ['2025-11-25', true, 'The client has not declared the capability "roots".'],
    ['2026-07-28', false, 'The client has not declared the capability "roots".'],
    [
      '2025-11-25',
      false,
      'In stateless mode no client can be asked. A feature that asks names "roots" in its "needs", and is then not offered here.',
    ],
  ] as const)('of %s, with a session: %s, is refused with "%s"', (generation, hasSession, message) => {
    expect(() => requireCapability({ capabilities: {}, generation }, 'roots/list', {}, hasSession)).toThrow(message);
  });
});

describe('a question of a client that cannot be asked', () => {
  it('is kept if its kind is: a form as well as a URL, and nothing that is no question', () => {
    const methods = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', 'tasks/get', 'constructor'];
    expect(methods.filter((method) => isKept(method, ['elicitation', 'roots']))).toEqual(['elicitation/create', 'roots/list']);
    expect(methods.filter((method) => isKept(method))).toEqual([]);
  });

  it('is of a kind of which it does not take every question', () => {
    const kinds = ['elicitation', 'sampling', 'roots'] as const;
    expect(kindsNotTaken({ elicitation: { form: {}, url: {} }, sampling: {} }, kinds)).toEqual(['sampling', 'roots']);
    expect(kindsNotTaken({}, ['roots'])).toEqual(['roots']);
  });

  it('is not sent to it, and a request that needs no capability is', () => {
    const url = { mode: 'url' };
    expect(takesRequest({ elicitation: {} }, { method: 'elicitation/create', params: {} })).toBe(true);
    expect(takesRequest({ elicitation: {} }, { method: 'elicitation/create', params: url })).toBe(false);
    expect(takesRequest({}, { method: 'ping', params: {} })).toBe(true);
  });
});
