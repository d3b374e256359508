/** Talks with an agent in two ways: with one question, or with one question after the other until the user leaves. */
import { type AgentEvent, type Outcome, ThreadError } from '@longhaul/agent';
import type { Approvals } from './answers/approval.js';
import { EXIT_CODES, exitCodeOf } from './exit-code.js';
import type { Session } from './session.js';
import { showEvents } from './show-events.js';
import { UserError } from '../user-error.js';
import type { Dialogue } from './terminal/dialogue.js';
import { Cancelled, type Interrupts } from './terminal/interrupts.js';

/** How long that may take, milliseconds. */
const KEEPING_MS = 5_000;

/** Who talks, and how. */
export interface Talk {
  readonly session: Session;
  readonly dialogue: Dialogue;
  readonly interrupts: Interrupts;
  readonly approvals: Approvals;
}

/** How the work on one question is written. */
export interface Output {
  /** Takes the events, in addition to what is shown. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Takes the outcome instead of the terminal. */
  readonly write?: ((outcome: Outcome) => void) | undefined;
  /** Whether text is shown while it is generated. */
  readonly streams: boolean;
}

/** Asks one question. @returns the exit code */
export async function askOnce({ session, dialogue, interrupts, approvals }: Talk, question: string, { onEvent, write, streams }: Output) {
  const show = showEvents(dialogue, streams);
  const report = (event: AgentEvent): void => {
    onEvent?.(event);
    show.report(event);
  };
  const outcome = await interrupts.during((signal) => session.ask(question, signal, report), endMsOf(session));
  if (write === undefined) show.end(outcome);
  else write(outcome);
  return exitCodeOf(outcome, approvals.takeRefused());
}

/** Asks what the user types, until the end of the input or Ctrl-C while nothing runs. @returns the exit code */
export async function converse({ session, dialogue, interrupts }: Talk): Promise<number> {
  while (!interrupts.leaving.aborted) {
    try {
      const question = await dialogue.message('> ', interrupts.leaving);
      if (question === undefined) break;
      if (question.trim() === '') continue;
      const show = showEvents(dialogue, dialogue.isWatched);
      show.end(await interrupts.during((signal) => session.ask(question, signal, (event) => show.report(event)), endMsOf(session)));
    } catch (error) {
      // Another client uses the conversation at the moment, it can hold no more, or there is no such prompt.
      if (error instanceof ThreadError || error instanceof UserError) dialogue.say(error.message);
      else if (!(error instanceof Cancelled)) throw error;
    }
  }
  return EXIT_CODES.answered;
}

/** What is known of a stopped question is kept before the process ends. */
function endMsOf({ isKept }: Session): number {
  return isKept ? KEEPING_MS : 0;
}
