/** Tests that the input of a tool's code to its context is limited, field by field. */
import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import type { JsonObject } from '../domain/json.js';
import { FIELD_LIMITS } from '../field-limits.js';
import type { TaskContext } from './task-context.js';

const long = (maxBytes: number): string => 'x'.repeat(maxBytes + 1);

/** Runs the function in an engine, as far as it gets. */
async function started(run: Run) {
  const engine = new Engine(run);
  const client = {
    generation: '2025-11-25',
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {}, sampling: {}, roots: {}, tasks: { requests: { sampling: { createMessage: {} } } } },
  } as const;
  const id = await engine.create({ client });
  await engine.settle();
  return { engine, id };
}

/** The error that an operation throws, as its code and text. */
const thrownBy = async (act: () => unknown): Promise<string> => {
  try {
    await act();
    return 'nothing';
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return `${code} ${message}`;
  }
};

describe('a text that is only shown', () => {
  it('is cut with an ellipsis: the message of a status, of progress and of an error', async () => {
    const { engine, id } = await started(async (context) => {
      context.status(long(FIELD_LIMITS.statusMessageBytes));
      context.progress({ progress: 1, message: long(FIELD_LIMITS.progressMessageBytes) });
      await context.step('fails', () => {
        throw Object.assign(new Error(long(FIELD_LIMITS.errorMessageBytes)), { name: long(300), code: long(300) });
      });
    });
    const recorded = (await engine.events(id)).flatMap(({ type, data }): unknown[] => {
      if (type === 'StatusReported' || type === 'ProgressReported') return [data.message];
      return type === 'StepFailed' ? [data.error.message, data.error.name, data.error.code] : [];
    });
    const { statusMessageBytes, progressMessageBytes, errorMessageBytes, errorNameBytes } = FIELD_LIMITS;
    const limits = [statusMessageBytes, progressMessageBytes, errorMessageBytes, errorNameBytes, errorNameBytes];
    expect(recorded.map((text) => Buffer.byteLength(String(text)))).toEqual(limits);
    expect(recorded.every((text) => String(text).endsWith('x…'))).toBe(true);
  });

  it('is what was thrown, also when that is no error', async () => {
    const { engine, id } = await started(async (context) => {
      await context.step('fails', () => Promise.reject(long(FIELD_LIMITS.errorMessageBytes) as unknown as Error));
    });
    const failed = (await engine.events(id)).find(({ type }) => type === 'StepFailed');
    expect(failed).toMatchObject({ data: { error: { message: expect.stringMatching(/x…$/) as string } } });
  });
});

describe('what cannot be cut', () => {
  const { nameBytes, idBytes, sessionValueNameBytes, clientRequestBytes, logDataBytes } = FIELD_LIMITS;
  const name = (what: string, max: number) => `INVALID_KEY ${what} has ${max + 1} bytes; at most ${max} are allowed.`;
  const value = (operation: string, what: string, max: number) =>
    `${at(operation)}${what} cannot be recorded: its JSON has more than ${max} bytes.`;
  const at = (operation: string) => `NOT_SERIALIZABLE Tool "tool", ${operation} (PLACE): `;

  it.each<[string, (context: TaskContext) => unknown, string]>([
    [
      'data of a log message',
      (context) => context.log('info', long(logDataBytes)),
      value('log', 'The data of a log message', logDataBytes),
    ],
    [
      'data that is no JSON',
      (context) => context.log('info', () => 1),
      `${at('log')}The data of a log message cannot be recorded: a function is not JSON.`,
    ],
    ['name of a logger', (context) => context.log('info', 1, long(nameBytes)), name('The name of a logger', nameBytes)],
    ['id of an elicitation', (context) => context.elicitationComplete(long(idBytes)), name('The id of an elicitation', idBytes)],
    [
      'question',
      (context) => context.elicit({ message: long(clientRequestBytes), requestedSchema: { type: 'object', properties: {} } }),
      value('elicit', 'A request elicitation/create', clientRequestBytes),
    ],
    [
      'request for a task of the client',
      (context) => context.clientTask({ method: 'sampling/createMessage', params: { text: long(clientRequestBytes) } }),
      value('clientTask', 'A request sampling/createMessage', clientRequestBytes),
    ],
    [
      'name of a value that is read',
      (context) => context.session.get(long(sessionValueNameBytes)),
      name('The name of a session value', sessionValueNameBytes),
    ],
    [
      'name of a value that is set',
      (context) => context.session.set(long(sessionValueNameBytes), 1),
      name('The name of a session value', sessionValueNameBytes),
    ],
    [
      'name of a value that is removed',
      (context) => context.session.delete(long(sessionValueNameBytes)),
      name('The name of a session value', sessionValueNameBytes),
    ],
  ])('is refused at the call: the %s', async (_what, act, message) => {
    const { engine, id } = await started((context) => thrownBy(() => act(context)));
    expect(String(await engine.value(id)).replace(/\(libs\S*bounded-fields\.unit\.test\.ts:\d+:\d+\)/, '(PLACE)')).toBe(message);
  });

  it('is taken up to the limit', async () => {
    const { engine, id } = await started((context) =>
      thrownBy(() => {
        context.log('info', 'x'.repeat(logDataBytes - 2), 'x'.repeat(nameBytes));
        context.log('info', undefined);
        context.elicitationComplete('x'.repeat(idBytes));
      }),
    );
    expect(await engine.value(id)).toBe('nothing');
    const sent = (await engine.events(id)).flatMap((event): unknown[] => (event.type === 'NotificationSent' ? [event.data.params] : []));
    expect(sent).toMatchObject([{ level: 'info' }, { level: 'info', data: null }, { elicitationId: 'x'.repeat(idBytes) }]);
  });
});

describe('a client', () => {
  it('cannot have a long id of its task recorded with every poll', async () => {
    const request = { method: 'sampling/createMessage', params: {} } as const;
    const { engine, id } = await started((context) => thrownBy(() => context.clientTask(request)));
    const answer: JsonObject = { task: { taskId: long(FIELD_LIMITS.idBytes), status: 'working' } };
    const [asked] = (await engine.service.get(id, { owner: 'ada' })).pendingInputs;
    await engine.answer(id, asked?.key ?? '', answer);
    await engine.settle();
    expect(await engine.value(id)).toBe("INPUT_FAILED The id of the client's task has 257 bytes; at most 256 are allowed.");
  });
});

describe('a recorded question', () => {
  it('is not checked again, so that a replay does not depend on the limit', async () => {
    let message = 'short';
    const ask: Run = async (context) => (await context.elicit({ message, requestedSchema: { type: 'object', properties: {} } })).action;
    const { engine, id } = await started(ask);
    message = long(FIELD_LIMITS.clientRequestBytes);
    await engine.answer(id, '$elicit', { action: 'decline' });
    await engine.settle();
    expect(await engine.value(id)).toBe('decline');
  });
});

it.each<[string, (context: TaskContext, given: string) => Promise<unknown>]>([
  ['the name of a tool', (context, given) => context.call(given)],
  ['idempotencyKey', (context, given) => context.call('tool', {}, { idempotencyKey: given })],
  ['sendSignal: name', (context, given) => context.sendSignal(context.taskId, given, 1)],
])('%s must be a text', async (field, act) => {
  for (const given of [0, null, 5n]) {
    const seen: string[] = [];
    await started(async (context) => void seen.push(await thrownBy(() => act(context, given as unknown as string))));
    expect(seen.at(-1)).toContain(`${field} must be a text, and is ${given}`);
  }
});
