import type { Json, RecordedError } from '../domain/json.js';
import { TaskError } from '../errors.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';
import { MAX_STEP_VALUE_BYTES } from '../limits.js';
import { thrownText } from '../thrown-text.js';
import { authorStack, noteRecorded } from './author-stack.js';
import { notJson } from './recordable.js';

/** What is recorded of something thrown. Of its stack, only what its author needs. Long texts are cut. */
export function toRecordedError(thrown: unknown): RecordedError {
  const { errorMessageBytes, errorNameBytes } = FIELD_LIMITS;
  if (!(thrown instanceof Error)) return { name: 'Error', message: cutText(thrownText(thrown), errorMessageBytes) };
  const code = codeOf(thrown);
  const data = 'data' in thrown ? jsonData(thrown.data) : {};
  const stack = authorStack(thrown);
  const { name, message }: { readonly name: unknown; readonly message: unknown } = thrown; // An author may have put anything there.
  return {
    name: cutText(String(name), errorNameBytes),
    message: cutText(String(message), errorMessageBytes),
    ...(code !== undefined && { code: typeof code === 'string' ? cutText(code, errorNameBytes) : code }),
    ...data,
    ...(stack !== undefined && { stack }),
  };
}

/** The code of an error: a stable string, or the number of a JSON-RPC error. */
export function codeOf(error: Error): string | number | undefined {
  // A DOMException, such as a timeout, has a number as well, which is none of JSON-RPC.
  if (error instanceof DOMException || !('code' in error)) return undefined;
  return typeof error.code === 'string' || Number.isSafeInteger(error.code) ? (error.code as string | number) : undefined;
}

/** The error of a step that a replay throws: match it on `name` or `code`, never with `instanceof`. */
export function fromRecordedError(recorded: RecordedError, key: string): Error {
  const error = new Error(recorded.message);
  error.name = recorded.name;
  noteRecorded(error, recorded, key);
  return Object.assign(
    error,
    recorded.code !== undefined && { code: recorded.code },
    recorded.data !== undefined && { data: recorded.data },
    recorded.stack !== undefined && { stack: recorded.stack },
  );
}

/**
 * The value as it will be read back, so that the first run sees what a replay sees.
 *
 * @param maxBytes that its JSON may have
 * @throws TaskError `NOT_SERIALIZABLE`
 */
export function toJson(value: unknown, what: string, maxBytes: number = MAX_STEP_VALUE_BYTES): Json | undefined {
  const text = jsonText(value, what, { maxBytes });
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

/** The most bytes of a JSON, and what is said of more: the setting that allows them. */
interface JsonBound {
  readonly maxBytes: number;
  readonly remedy?: string;
}

function jsonText(value: unknown, what: string, { maxBytes, remedy }: JsonBound): string | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined && value !== undefined) throw new TypeError(`a ${typeof value} is not JSON`);
    if (text !== undefined && text.length > maxBytes / 3 && Buffer.byteLength(text) > maxBytes)
      throw new RangeError(`its JSON has more than ${maxBytes} bytes${remedy === undefined ? '' : ` (${remedy})`}`);
    return text;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TaskError('NOT_SERIALIZABLE', `${what} cannot be recorded: ${reason}.`, undefined, { cause });
  }
}

/**
 * The JSON of the value of a step as it is recorded. Other than in a report, nothing may be lost in it but members that are `undefined`: the
 * function continues with it.
 *
 * @throws TaskError `NOT_SERIALIZABLE`
 */
export function stepValueText(value: unknown, what: string, bound: JsonBound = { maxBytes: MAX_STEP_VALUE_BYTES }): string | undefined {
  const why = notJson(value, bound.maxBytes);
  if (why !== undefined) throw new TaskError('NOT_SERIALIZABLE', `${what} cannot be recorded: ${why}.`);
  return jsonText(value, what, bound);
}

/** The same, as it will be read back. @throws TaskError `NOT_SERIALIZABLE` */
export function toStepValue(value: unknown, what: string): Json | undefined {
  const text = stepValueText(value, what);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

function jsonData(value: unknown): { data?: Json } {
  try {
    const data = toJson(value, 'Error data');
    return data === undefined ? {} : { data };
  } catch {
    return {}; // The error matters, not data that cannot be read.
  }
}
