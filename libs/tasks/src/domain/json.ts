/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; absent members are simply absent. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** Whether a value that came out of `JSON.parse` is an object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error as it is recorded: what is left of an exception after it crossed a process boundary. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  /** Stable string or JSON-RPC number of the error, when it had one. */
  readonly code?: string | number;
  readonly data?: Json;
  /** The error and its causes, with the frames in the author's files. For operators: clients never get it. */
  readonly stack?: string;
}
