/** Plays the client of a simulated task: it answers each request once, at once or after a time. */
import type { InputAnswer } from '../domain/events.js';
import { isForOthers, type KindForOthers, type Operation } from '../domain/operation-kinds.js';
import type { PendingInput } from '../domain/projections/task-view.js';
import type { TaskState } from '../domain/state.js';
import type { VirtualClock } from './virtual-clock.js';

/** An answer, and how long it takes, milliseconds. */
export interface ScriptedReply {
  readonly answer: InputAnswer;
  readonly afterMs: number;
}

/** A request to the client. */
export type AskedInput = Pick<PendingInput, 'key' | 'method' | 'params'>;

/** The client's answer to a request: nothing when it never answers. */
export type AnswerScript = (input: AskedInput) => Promise<ScriptedReply | undefined>;

type Asked = Pick<PendingInput, 'method' | 'params'>;

/** What the client is asked by an open operation that others settle; nothing by one that is not for it. */
const ASKED: { readonly [K in KindForOthers]: (operation: Extract<Operation, { kind: K }>) => Asked | undefined } = {
  input: (operation) => (operation.status === 'pending' ? { method: operation.method, params: operation.params } : undefined),
  signal: () => undefined,
};

/** Takes each request of a task once. */
export class ScriptedClient {
  /** The requests, in their order. */
  readonly asked: AskedInput[] = [];
  /** Versions at which they were recorded: a task that was continued as new asks under the same keys again. */
  private readonly seen = new Set<number>();
  private readonly due: { readonly key: string; readonly answer: InputAnswer }[] = [];

  constructor(
    private readonly script: AnswerScript,
    private readonly clock: VirtualClock,
  ) {}

  /** Looks at the requests of a task that are unanswered. @throws what the script throws, such as that it has no answer */
  async look({ operations }: TaskState): Promise<void> {
    for (const [key, operation] of operations) {
      if (!isForOthers(operation) || this.seen.has(operation.since)) continue;
      this.seen.add(operation.since);
      const asked = (ASKED[operation.kind as KindForOthers] as (open: Operation) => Asked | undefined)(operation);
      if (asked === undefined) continue;
      const input = { key, ...asked };
      this.asked.push(input);
      const reply = await this.script(input);
      if (reply === undefined) continue;
      const give = (): void => void this.due.push({ key, answer: reply.answer });
      if (reply.afterMs > 0) this.clock.after(reply.afterMs, give);
      else give();
    }
  }

  /** Takes the next answer that is due. */
  nextAnswer(): { readonly key: string; readonly answer: InputAnswer } | undefined {
    return this.due.shift();
  }
}
