/** Defines the limits of a run. */
export interface AgentLimits {
  /** Model calls that are answered. @defaultValue 5 */
  readonly maxRounds?: number;
  /** Tokens of all model calls together, read and generated; looked at after each call, so the last one may go beyond. @defaultValue no limit */
  readonly maxTokens?: number;
  /**
   * The cost limit of all model calls together, in the currency of the run's `price`. Read and generated tokens count, each at its rate. It
   * is checked when `maxTokens` is checked, and only if there is a price. @defaultValue no limit
   */
  readonly maxSpend?: number;
  /** Milliseconds from the beginning, by the host's clock. @defaultValue no limit */
  readonly maxMs?: number;
  /** Calls of one message that are made; for the others the model receives an error. @defaultValue 32 */
  readonly maxCallsPerMessage?: number;
  /** Tools that are sent in one request. If there are more, the model gets some of them and a tool that finds the others. @defaultValue 40 */
  readonly maxListedTools?: number;
  /** Tries of one model call, the first one included, while its errors are transient. @defaultValue 5 */
  readonly maxModelTries?: number;
  /**
   * The longest wait before another try, milliseconds. Waits begin with one second and double; an endpoint that asks for a longer
   * one (`Retry-After`) is not asked again. @defaultValue 60,000
   */
  readonly maxModelWaitMs?: number;
  /** UTF-8 bytes of text that the model receives of one result. @defaultValue 65,536 */
  readonly maxResultTextBytes?: number;
  /** Bytes of images, audio and files that the model is given of one result, as base64. @defaultValue 1,048,576 */
  readonly maxResultMediaBytes?: number;
}

/** Limits with their defaults; `maxTokens`, `maxSpend` and `maxMs` are infinite where there is none. */
export type SetLimits = Required<AgentLimits>;

const DEFAULTS: SetLimits = {
  maxRounds: 5,
  maxTokens: Infinity,
  maxSpend: Infinity,
  maxMs: Infinity,
  maxCallsPerMessage: 32,
  maxListedTools: 40,
  maxModelTries: 5,
  maxModelWaitMs: 60_000,
  maxResultTextBytes: 64 * 1024,
  maxResultMediaBytes: 1024 * 1024,
};

/** @throws RangeError that names a limit which is not a whole number of at least 1. `maxSpend` takes each number from 0 up. */
export function limitsOf(limits: AgentLimits = {}): SetLimits {
  const stated = Object.entries(limits).filter(([, limit]) => limit !== undefined) as [string, number][];
  for (const [name, limit] of stated) {
    if (name === 'maxSpend') {
      if (!(limit >= 0)) throw new RangeError(`The agent's limit maxSpend is ${limit}; it has to be a number of at least 0.`);
    } else if (!(limit >= 1) || (Number.isFinite(limit) && !Number.isInteger(limit))) {
      throw new RangeError(`The agent's limit ${name} is ${limit}; it has to be a whole number of at least 1.`);
    }
  }
  return { ...DEFAULTS, ...Object.fromEntries(stated) };
}
