/** Values that a feature's code gives to the context of a request are limited, as in a durable tool. */
import type { RequestContext } from '@longhaul/mcp-features';
import { FIELD_LIMITS, type JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { callWith } from '../call.fixture.js';
import type { Pushed } from '../method.js';
import { contextInMemory } from './context-in-memory.fixture.js';

const {
  clientRequestBytes,
  clientRequestKeyBytes,
  idBytes,
  logDataBytes,
  nameBytes,
  progressMessageBytes,
  sessionValueNameBytes,
  uriBytes,
} = FIELD_LIMITS;

const x = (bytes: number): string => 'x'.repeat(bytes);

/** A context of a client that answers everything, and the messages that were sent to it. */
function contextOf() {
  const pushed: Pushed[] = [];
  const asked: JsonObject[] = [];
  const ask = async ({ params }: { readonly params: JsonObject }): Promise<JsonObject> => {
    asked.push(params);
    return { action: 'decline' };
  };
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const call = callWith({ _meta: { progressToken: 1 } }, capabilities);
  const scope = { ...call.scope, push: (message: Pushed) => void pushed.push(message) };
  const make = contextInMemory();
  return { context: make({ ...call, scope, ask }), pushed, asked };
}

const tooLong = (what: string, max: number) => ({
  code: 'INVALID_KEY',
  message: `${what} has ${max + 1} bytes; at most ${max} are allowed.`,
});
const tooLarge = (what: string, max: number) => ({
  code: 'NOT_SERIALIZABLE',
  message: `${what} cannot be recorded: its JSON has more than ${max} bytes.`,
});
const form = (message: string) => ({ message, requestedSchema: { type: 'object' as const, properties: {} } });

describe('what is too long for a field', () => {
  it.each<[string, (context: RequestContext) => unknown, object]>([
    ['data of a log message', (context) => context.info(x(logDataBytes)), tooLarge('The data of a log message', logDataBytes)],
    ['data that no client wants', (context) => context.debug(x(logDataBytes)), tooLarge('The data of a log message', logDataBytes)],
    ['name of a logger', (context) => context.info('', x(nameBytes + 1)), tooLong('The name of a logger', nameBytes)],
    ['id of an elicitation', (context) => context.elicitationComplete(x(idBytes + 1)), tooLong('The id of an elicitation', idBytes)],
    ['URI of a resource', (context) => context.everyone.resourceUpdated(x(uriBytes + 1)), tooLong('The URI of a resource', uriBytes)],
    ['form', (context) => context.elicit(form(x(clientRequestBytes))), tooLarge('A request elicitation/create', clientRequestBytes)],
    ['prompt', (context) => context.sample(x(clientRequestBytes)), tooLarge('A request sampling/createMessage', clientRequestBytes)],
    [
      'key of a request',
      (context) => context.ask(x(clientRequestKeyBytes + 1), { method: 'roots/list' }),
      tooLong('The key of a request', clientRequestKeyBytes),
    ],
    [
      'name of a value',
      (context) => context.session?.set(x(sessionValueNameBytes + 1), 1),
      tooLong('The name of a session value', sessionValueNameBytes),
    ],
    [
      'name of a value that is read',
      (context) => context.session?.get(x(sessionValueNameBytes + 1)),
      tooLong('The name of a session value', sessionValueNameBytes),
    ],
    [
      'name of a value that is removed',
      (context) => context.session?.delete(x(sessionValueNameBytes + 1)),
      tooLong('The name of a session value', sessionValueNameBytes),
    ],
  ])('is refused at the call, and nothing is sent: the %s', async (_what, act, error) => {
    const { context, pushed, asked } = contextOf();
    await expect((async () => act(context))()).rejects.toMatchObject(error);
    expect([pushed, asked]).toEqual([[], []]);
  });

  it('is cut where it is only shown: the message of progress', () => {
    const { context, pushed } = contextOf();
    context.progress({ progress: 1, total: 2, message: x(progressMessageBytes + 1) });
    const params = { progressToken: 1, progress: 1, total: 2, message: `${x(progressMessageBytes - 3)}…` };
    expect(pushed).toEqual([{ method: 'notifications/progress', params }]);
  });

  it('is sent at its limit', async () => {
    const { context, pushed } = contextOf();
    context.info(x(logDataBytes - 2), x(nameBytes));
    context.elicitationComplete(x(idBytes));
    context.everyone.resourceUpdated(x(uriBytes));
    await context.session?.set(x(sessionValueNameBytes), 1);
    await context.ask(x(clientRequestKeyBytes), { method: 'elicitation/create', params: form('') });
    expect(pushed).toHaveLength(2);
  });
});
