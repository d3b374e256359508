/** Reports the work of an agent as the status message and the progress of its task. */
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import { lastCharacters } from '@longhaul/tasks/text';
import type { DurableContext } from '@longhaul/mcp-features';
import type { AgentEvent } from '../loop/agent-event.js';

/** Events within steps are reported at most this often. The interval grows with the age of the work: the age divided by this number. */
const SHORTEST_INTERVAL_MS = 500;
const INTERVALS_OF_AGE = 50;
/** Of a text that grows, its end is shown. */
const SHOWN_CHARACTERS = 500;

/** Of arguments. */
const MAX_ARGUMENT_BYTES = 500;

type Reporting = Pick<DurableContext, 'status' | 'progress' | 'progressToken'>;

/**
 * Turns the events of the loop into reports. Events between the steps are the same in a replay: they set the status message and make the
 * stages of a round. Events within steps are progress between two stages, and are reported only when they happen.
 */
export class TaskReports {
  private readonly running = new Map<string, string>();
  private round = 0;
  private maxRounds = 0;
  private stage = 0;
  private withinStage = 0;
  private text = '';
  /** When steps began to report in this stage, and when they did last, by the machine's clock: it is looked at within steps only. */
  private beganAt: number | undefined;
  private reportedAt = 0;

  constructor(private readonly context: Reporting) {}

  take(event: AgentEvent): void {
    switch (event.type) {
      case 'round':
        this.round = event.round;
        this.maxRounds = event.maxRounds;
        this.stage = -1;
        this.text = '';
        return this.say('asking the model');
      case 'delta':
        this.text = lastCharacters(`${this.text}${event.text ?? ''}`, SHOWN_CHARACTERS);
        return this.addProgress(this.text);
      case 'retry':
        this.text = '';
        return this.say(`asking the model again in ${Math.ceil(event.afterMs / 1_000)} s: ${event.reason}`);
      case 'fallback':
        return this.say(`asking ${event.to}, because ${event.from} does not answer: ${event.reason}`);
      case 'compaction':
        return this.say(`summarising ${event.messages} messages`);
      case 'tool-call':
        this.running.set(event.id, event.tool);
        return this.say(`calling ${[...this.running.values()].join(', ')}`);
      case 'tool-edited':
        return this.say(`calling ${event.tool} with other arguments of the user: ${cutWithNote(event.arguments, MAX_ARGUMENT_BYTES)}`);
      case 'tool-progress':
        return this.addProgress(`${this.running.get(event.id) ?? 'a tool'}: ${event.message}`);
      case 'tool-result':
        this.running.delete(event.id);
        return this.beginStage(`${event.tool} has ${event.isError ? 'failed' : 'answered'}`);
    }
  }

  private say(what: string): void {
    const message = `Round ${this.round} of ${this.maxRounds}: ${what}`;
    this.context.status(message);
    this.beginStage(message);
  }

  private beginStage(message: string): void {
    this.stage += 1;
    this.withinStage = 0;
    this.beganAt = undefined;
    this.report(message);
  }

  private addProgress(message: string): void {
    if (this.context.progressToken === undefined || message === '') return; // Nothing would read the record.
    const now = Date.now();
    this.beganAt ??= now;
    const intervalMs = Math.max(SHORTEST_INTERVAL_MS, (now - this.beganAt) / INTERVALS_OF_AGE);
    if (now - this.reportedAt < intervalMs) return;
    this.reportedAt = now;
    this.withinStage += 1;
    this.report(message);
  }

  /** Each report is higher than the one before, and none of a round reaches the next one. */
  private report(message: string): void {
    const begin = approach(this.stage);
    const end = approach(this.stage + 1);
    const progress = this.round - 1 + begin + (end - begin) * approach(this.withinStage / 20);
    this.context.progress({ progress, total: this.maxRounds, message });
  }
}

/** From 0 towards 1. */
function approach(count: number): number {
  return 1 - 1 / (1 + count);
}
