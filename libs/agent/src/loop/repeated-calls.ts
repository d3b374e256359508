/** Notices that a model calls the same tool with the same arguments again and again. */
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import type { ToolCall } from '../conversation/messages.js';

/** The call in a row that is not made; the model receives the reason. */
const REFUSED_AT = 5;

/** The decision on the calls of a message. */
export interface RepeatedVerdict {
  /** Calls that are not made, with the error for each. */
  readonly refusals: ReadonlyMap<ToolCall, string>;
  /** The call that was repeated after that error: the run ends. */
  readonly goesOn?: ToolCall;
}

/** Counts calls in a row, of one message or of several. */
export class RepeatedCalls {
  private last: string | undefined;
  private count = 0;
  /** Whether an earlier message received the error for the calls that are counted now. */
  private isRefused = false;

  /** Looks at the calls of the next message, in the model's order. */
  look(calls: readonly ToolCall[]): RepeatedVerdict {
    const refusals = new Map<ToolCall, string>();
    for (const call of calls) {
      this.take(call);
      if (this.count < REFUSED_AT) continue;
      if (this.isRefused) return { refusals, goesOn: call };
      refusals.set(call, errorOf(call, this.count));
    }
    this.isRefused = this.count >= REFUSED_AT;
    return { refusals };
  }

  private take(call: ToolCall): void {
    const key = JSON.stringify([call.function.name, canonical(call.function.arguments)]);
    if (key !== this.last) {
      this.count = 0;
      this.isRefused = false;
    }
    this.last = key;
    this.count += 1;
  }
}

function errorOf(call: ToolCall, count: number): string {
  return (
    `Not called: this was call ${count} in a row of ${call.function.name} with the same arguments. ` +
    'Use the results that you have, call it with other arguments, or answer without it. If you repeat it, the run ends.'
  );
}

/** Arguments that differ only in spaces or in the order of members are the same. */
function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}
