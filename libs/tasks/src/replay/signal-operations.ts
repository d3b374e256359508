/** Defines the operations that wait for signals and send them. */
import { MAX_SIGNAL_BYTES } from '../domain/signals.js';
import { TaskError } from '../errors.js';
import { checkKey, FIELD_LIMITS } from '../field-limits.js';
import { operationNamed, optionsOf } from '../given.js';
import { jsonSchemaOf, readValue } from '../signals/author-schema.js';
import { isSigningSecret } from '../signals/signature.js';
import type { ContextOperations, OperationParts } from './context-operation.js';
import { notJson } from './recordable.js';
import { toJson } from './recorded-error.js';
import type { Callback, CallbackOptions, ReceivedSignal, WaitOptions } from './signal-context.js';
import { type SignalWait, SignalWaits } from './signal-waits.js';
import { askStep } from './steps.js';
import { givenTime } from './waits.js';

const DAY_MS = 24 * 3_600_000;
const CALLBACK_MS = { default: 7 * DAY_MS, most: 366 * DAY_MS };
/** Names of one wait. */
const MAX_NAMES = 16;
/** Secrets of one address: the present one, and those before it. */
const MAX_SECRETS = 8;

/** What is recorded of an address. */
interface OpenedCallback {
  readonly url: string;
  readonly until: number;
}

/** The waits of the pass: of `waitFor` and of callbacks together. */
const WAITS = new WeakMap<object, SignalWaits>();

/** Their entries. */
export const SIGNAL_OPERATIONS = {
  waitFor: {
    key: 'named',
    isDrawn: false,
    make: (parts) => ((names: string | readonly string[], options?: WaitOptions<unknown>) => waitFor(parts, names, options)) as never,
  },
  callback: {
    key: '$callback',
    isDrawn: false,
    make:
      (parts) =>
      <T>(name: string, options?: CallbackOptions<T>) =>
        parts.operation(operationNamed('callback', name), () => callback<T>(parts, name, options)),
  },
  sendSignal: {
    key: '$signal',
    isDrawn: false,
    make:
      ({ operation, run, task, signals, settings }) =>
      (to, name, value) =>
        operation(operationNamed('sendSignal', name), () => {
          checkKey('sendSignal: taskId', to, FIELD_LIMITS.idBytes);
          checkKey('sendSignal: name', name, FIELD_LIMITS.signalNameBytes);
          const why = notJson(value);
          if (why !== undefined) throw new TaskError('NOT_SERIALIZABLE', `The value of signal "${name}" cannot be sent: ${why}.`);
          const json = toJson(value, `The value of signal "${name}"`, MAX_SIGNAL_BYTES) ?? null;
          const from = { taskId: run.journal.taskId, owner: task.owner };
          return askStep<void>(
            run,
            run.keys.own('$signal'),
            ({ idempotencyKey: id }) => signals.send({ from, to, name, value: json, id }),
            undefined,
            settings,
          );
        }),
  },
} as const satisfies ContextOperations<'waitFor' | 'callback' | 'sendSignal'>;

function waitFor(parts: OperationParts, wanted: string | readonly string[], options: WaitOptions<unknown> | undefined): Promise<unknown> {
  const names = [wanted].flat();
  const place = operationNamed('waitFor', names.every((name) => typeof name === 'string') ? names.join('|') : undefined);
  return parts.operation(place, async () => {
    const { schema, timeoutMs } = optionsOf(place, options, ['schema', 'timeoutMs']);
    if (names.length === 0 || names.length > MAX_NAMES)
      throw new TaskError('INVALID_KEY', `${place}: waitFor takes 1 to ${MAX_NAMES} names.`);
    for (const name of names) parts.run.keys.check('waitFor', name);
    const limit = timeoutMs === undefined ? {} : { limit: { ms: givenTime(`${place}: timeoutMs`, timeoutMs) } };
    const found = await received(parts, place, schema, { names, ...limit });
    return typeof wanted === 'string' ? found?.value : found;
  });
}

/** The signal that came, with its value as the schema makes it; nothing when the time has expired. */
async function received(
  { run }: OperationParts,
  place: string,
  schema: WaitOptions<unknown>['schema'],
  wait: Omit<SignalWait, 'schema'>,
): Promise<ReceivedSignal<unknown> | undefined> {
  const waits = WAITS.get(run) ?? new SignalWaits(run);
  WAITS.set(run, waits);
  const signal = await waits.begin({ ...wait, schema: schema === undefined ? undefined : jsonSchemaOf(place, schema) });
  return signal && { name: signal.name, value: readValue(place, schema, signal.value) };
}

async function callback<T>(parts: OperationParts, name: string, options: CallbackOptions<T> | undefined): Promise<Callback<T>> {
  const { run, task, signals, settings, operation } = parts;
  run.keys.check('callback', name);
  const place = operationNamed('callback', name);
  const { schema, timeoutMs = CALLBACK_MS.default, signedWith = [] } = optionsOf(place, options, ['schema', 'timeoutMs', 'signedWith']);
  const ms = givenTime(`${place}: timeoutMs`, timeoutMs, 1);
  if (ms > CALLBACK_MS.most) throw new TaskError('INVALID_KEY', `${place}: timeoutMs must be at most ${CALLBACK_MS.most}, and is ${ms}.`);
  const secrets = secretsOf(place, [signedWith].flat());
  const wanted = { ...(schema !== undefined && { schema: jsonSchemaOf(place, schema) }), ...(secrets.length > 0 && { secrets }) };
  const open = async (): Promise<OpenedCallback> => {
    const until = run.clock() + ms;
    return { url: await signals.open({ taskId: run.journal.taskId, owner: task.owner, name, ...wanted, until }), until };
  };
  const { url, until } = await askStep<OpenedCallback>(run, run.keys.own('$callback'), open, undefined, settings);
  const wait = () =>
    operation(
      `wait of ${place}`,
      async () => (await received(parts, place, schema, { names: [name], limit: { until } }))?.value as T | undefined,
    );
  return { url, wait };
}

function secretsOf(place: string, secrets: readonly string[]): readonly string[] {
  const wrong = secrets.findIndex((secret) => !isSigningSecret(secret));
  // Its text is a secret still.
  if (wrong >= 0 || secrets.length > MAX_SECRETS)
    throw new TaskError(
      'INVALID_KEY',
      `${place}: signedWith must have at most ${MAX_SECRETS} secrets, each "whsec_" and base64 of 24 to 64 bytes.`,
    );
  return secrets;
}
