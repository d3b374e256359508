import type { Json } from '../domain/json.js';
import type { SignalSchema } from '../signals/author-schema.js';

/** How a signal is waited for. */
export interface WaitOptions<T> {
  /**
   * What the value must look like: a JSON Schema, or a schema of zod. It is recorded with the wait, so a value that does not fit is refused
   * to its sender, and the wait continues. Rules that JSON Schema cannot express are checked in the workflow, which gets an error.
   */
  readonly schema?: SignalSchema<T>;
  /** How long to wait, milliseconds, counted from the first time that the wait is reached. Default: for ever. */
  readonly timeoutMs?: number;
}

/** A signal that came. */
export interface ReceivedSignal<T> {
  readonly name: string;
  readonly value: T;
}

/** What an address for signals takes, and for how long. */
export interface CallbackOptions<T> extends Pick<WaitOptions<T>, 'schema'> {
  /** How long the address works, and `wait` waits, milliseconds. Default 7 days, at most 366. */
  readonly timeoutMs?: number;
  /**
   * Secrets of Standard Webhooks (`whsec_…`), one of which must have signed a delivery: several while you change them. They are kept with
   * the address, encrypted where payloads are. Default: no signature is needed, the address alone is the secret.
   */
  readonly signedWith?: string | readonly string[];
}

/** An address that takes signals of one name for one task. */
export interface Callback<T> {
  /** Give it to the system that is to call back. Everybody who has it can send. */
  readonly url: string;
  /** Waits for the next signal that comes by the address; nothing when its time has expired. Failure semantics as for `waitFor`. */
  wait(): Promise<T | undefined>;
}

/** The operations of the context for signals. */
export interface SignalContext {
  /**
   * Waits for a signal: a value that somebody outside sends to this task by this name, without holding a worker. A signal that came before
   * is taken at once. Several signals of a name are taken in the order in which they came, one by each wait.
   *
   * A name has one wait at a time. A second `waitFor` of the same name takes the place of a first one that has not settled, and what the
   * first one took and the workflow has not seen goes to the second. So a wait that lost a race takes nothing from the next one.
   *
   * Failure semantics: a signal is recorded before its sender gets an answer, and is taken exactly once; crashes do not prolong the time.
   * `continueAsNew` and a retry by an operator keep signals that no wait has taken.
   *
   * @returns the value; nothing when `timeoutMs` have passed
   * @throws TaskError `INVALID_KEY` for a name or a time; `WAIT_WITHDRAWN` when another wait took its place, or `whileWanted` gave it up
   */
  waitFor<T = Json>(name: string, options: WaitOptions<T> & { readonly timeoutMs: number }): Promise<T | undefined>;
  waitFor<T = Json>(name: string, options?: WaitOptions<T>): Promise<T>;
  /** The same for a signal of any of the names, at most 16: it resolves with the name too. */
  waitFor<T = Json>(
    names: readonly string[],
    options: WaitOptions<T> & { readonly timeoutMs: number },
  ): Promise<ReceivedSignal<T> | undefined>;
  waitFor<T = Json>(names: readonly string[], options?: WaitOptions<T>): Promise<ReceivedSignal<T>>;

  /**
   * Makes an address at which another system sends signals of this name: `POST` of JSON, or a webhook that is signed as Standard Webhooks
   * say. It is the same address in every replay.
   *
   * Failure semantics: the address works before it is recorded. A crash before the record makes another one, and the first one is forgotten
   * when its time has expired.
   *
   * @throws TaskError `NO_PUBLIC_URL` when the worker does not know LONGHAUL_PUBLIC_URL; `INVALID_KEY` for a name, a time or a secret
   */
  callback<T = Json>(name: string, options?: CallbackOptions<T>): Promise<Callback<T>>;

  /**
   * Sends a signal to another task of the same owner.
   *
   * Failure semantics: as for a step; a crash before the record sends it again, and the other task takes it once.
   *
   * @throws TaskError `TASK_NOT_FOUND`, `TASK_ENDED`, `SIGNAL_DOES_NOT_FIT`, `TOO_MANY_SIGNALS`; `NOT_SERIALIZABLE` when the value is no
   *   JSON, or more than 256 KiB of it
   */
  sendSignal(taskId: string, name: string, value: Json): Promise<void>;
}
