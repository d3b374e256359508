/** Talks with an agent in two ways: with one question, or with one question after the other until the user leaves. */
import { type Outcome, ThreadError } from '@longhaul/agent';
import type { Approvals } from './answers/approval.js';
import { EXIT_CODES, exitCodeOf } from './exit-code.js';
import type { Session } from './session.js';
import { showEvents } from './show-events.js';
import type { Dialogue } from './terminal/dialogue.js';
import { Cancelled, type Interrupts } from './terminal/interrupts.js';

/** Who talks, and how. */
export interface Talk {
  readonly session: Session;
  readonly dialogue: Dialogue;
  readonly interrupts: Interrupts;
  readonly approvals: Approvals;
}

/**
 * Asks one question.
 *
 * @param writeJson takes the outcome instead of the terminal
 * @returns the exit code
 */
export async function askOnce(
  { session, dialogue, interrupts, approvals }: Talk,
  question: string,
  writeJson?: (outcome: Outcome) => void,
) {
  const show = showEvents(dialogue, writeJson === undefined && dialogue.isWatched);
  const outcome = await interrupts.during((signal) => session.ask(question, signal, (event) => show.report(event)));
  if (writeJson === undefined) show.end(outcome);
  else writeJson(outcome);
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
      show.end(await interrupts.during((signal) => session.ask(question, signal, (event) => show.report(event))));
    } catch (error) {
      // Another client uses the conversation at the moment, or it can hold no more.
      if (error instanceof ThreadError) dialogue.say(error.message);
      else if (!(error instanceof Cancelled)) throw error;
    }
  }
  return EXIT_CODES.answered;
}
