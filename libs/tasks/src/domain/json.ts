/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; absent members are simply absent. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** An error as it is recorded: what is left of an exception after it crossed a process boundary. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  /** Stable string or JSON-RPC number of the error, when it had one. */
  readonly code?: string | number;
  readonly data?: Json;
}
