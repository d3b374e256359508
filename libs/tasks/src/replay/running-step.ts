import { readableThrown } from '@longhaul/runtime/readable-thrown';
import type { StepStart } from '../domain/events.js';
import { type Spending, sumOfSpending } from '../domain/spending.js';
import { TaskError } from '../errors.js';
import type { PassDraft } from './drafts.js';
import { inStep } from './present-step.js';
import type { StepContext } from './step-context.js';

/** The parts of one try of a step. */
export interface StepTry {
  readonly key: string;
  /** Stands for the pass that runs it. */
  readonly pass: object;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Runs the function in its surroundings. */
  readonly surround: <T>(run: () => T) => T;
  /** How long it may take, milliseconds. */
  readonly timeoutMs: number;
  /** How long it runs before that is recorded, milliseconds. */
  readonly slowMs: number;
  readonly start: StepStart;
  /** Whether it creates a child: a part of a call, and no step of the author. @defaultValue false */
  readonly createsChild?: boolean;
  /** The author's function. */
  readonly body: (step: StepContext) => unknown;
  /** What is recorded of its value; later, if the value must be kept first. @throws TaskError `NOT_SERIALIZABLE` */
  readonly completed: (value: unknown) => PassDraft | Promise<PassDraft>;
  /** What is recorded of what it has thrown. */
  readonly failed: (thrown: unknown) => PassDraft;
}

/** Starts are recorded at such times only, milliseconds: the starts of many steps together, instead of with a timer each. */
const NOTED_EACH_MS = 250;

/** One try of a step while it runs. */
export class RunningStep {
  private isNoted = false;
  /** The function has returned, and its value is being kept: there is no time limit for that. */
  private hasReturned = false;
  private controller: AbortController | undefined;
  private abortedBy: Error | undefined;
  private spent: Spending | undefined;

  constructor(private readonly what: StepTry) {}

  get key(): string {
    return this.what.key;
  }

  get createsChild(): boolean {
    return this.what.createsChild ?? false;
  }

  /** When it must be looked at next: to note that it runs, or to end it. Epoch milliseconds. */
  get lookAt(): number {
    return this.isNoted ? this.endsAt : Math.min(this.notedAt, this.endsAt);
  }

  /** Whether its time has expired. */
  isOverdue(now: number): boolean {
    return !this.hasReturned && this.endsAt <= now;
  }

  /** Notes that it runs, once it has for a while. @returns what to record, if there is anything */
  note(now: number): PassDraft | undefined {
    if (this.isNoted || now < this.notedAt) return undefined;
    this.isNoted = true;
    const { key, attempt, start } = this.what;
    return { type: 'StartStep', key, attempt, ...start };
  }

  /** Runs the body. @returns what to record; nothing when it was aborted, because a later try runs it again */
  async run(): Promise<PassDraft | undefined> {
    const { key, pass, body, attempt, idempotencyKey, surround, completed, failed } = this.what;
    const signalOf = (): AbortSignal => this.signal;
    const context: StepContext = {
      attempt,
      idempotencyKey,
      get signal() {
        return signalOf();
      },
    };
    try {
      const value: unknown = await surround(() => inStep({ key, pass, context, spend: (amount) => this.spend(amount) }, body));
      const draft = completed(value);
      if (!(draft instanceof Promise)) return draft;
      this.hasReturned = true;
      return await draft;
    } catch (thrown) {
      return this.abortedBy === undefined ? failed(readableThrown(thrown)) : undefined;
    }
  }

  /** What its function has spent so far. @returns what to record, if it is anything */
  get spending(): PassDraft | undefined {
    return this.spent && { type: 'ReportSpending', ...this.spent, step: this.what.key };
  }

  private spend(amount: Spending): void {
    this.spent = sumOfSpending(this.spent, amount);
  }

  abort(reason: Error): void {
    this.abortedBy ??= reason;
    this.controller?.abort(reason);
  }

  /** Aborts it because its time has expired. @returns what to record */
  timeOut(): PassDraft {
    const { key, timeoutMs, failed } = this.what;
    const error = new TaskError('STEP_TIMEOUT', `Step "${key}" was stopped: it did not end within ${timeoutMs} ms (timeoutMs).`);
    this.abort(error);
    return failed(error);
  }

  private get endsAt(): number {
    return this.what.start.startedAt + this.what.timeoutMs;
  }

  private get notedAt(): number {
    return Math.ceil((this.what.start.startedAt + this.what.slowMs) / NOTED_EACH_MS) * NOTED_EACH_MS;
  }

  /** Made when somebody looks at it, as most steps never do. */
  private get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.abortedBy !== undefined) this.controller.abort(this.abortedBy);
    return this.controller.signal;
  }
}
