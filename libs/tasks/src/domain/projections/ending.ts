/** Makes the part of a view that says how its task has ended. */
import type { TaskFailure } from '../events.js';
import { isJsonObject, type JsonObject } from '../json.js';
import type { Outcome } from '../state.js';
import { firstCharacters } from '../text.js';
import type { Ending } from './task-view.js';

/** A message in a view is cut off here; the outcome has all of it. */
const MAX_MESSAGE_LENGTH = 500;

const REASON = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The ending of a view, from an outcome. */
export function endingOf(outcome: Outcome): Ending {
  switch (outcome.kind) {
    case 'result': {
      if (outcome.result['isError'] !== true) return { kind: 'result', isError: false };
      const message = firstText(outcome.result);
      const code = outcome.thrown?.code;
      const reason = typeof code === 'string' && REASON.test(code) ? { reason: code } : {};
      return { kind: 'result', isError: true, ...(message !== undefined && { message }), ...reason, ...stepOf(outcome) };
    }
    case 'error':
      return { kind: 'error', isError: true, message: outcome.error.message, reason: reasonOf(outcome.error), ...stepOf(outcome) };
    case 'cancelled':
      return { kind: 'cancelled', isError: false, ...(outcome.reason !== undefined && { message: outcome.reason }) };
  }
}

/** A word that the engine, or an author, gave the failure; else its code. Failures are grouped by it, so no free text may be one. */
function reasonOf({ code, data }: TaskFailure): string {
  const reason: unknown = isJsonObject(data) ? data['reason'] : undefined;
  return typeof reason === 'string' && REASON.test(reason) ? reason : String(code);
}

function stepOf({ thrown }: Outcome & { readonly kind: 'result' | 'error' }): Pick<Ending, 'step'> {
  return thrown?.step === undefined ? {} : { step: thrown.step };
}

/** The text of a tool's error result, for the status message of its task. */
function firstText({ content }: JsonObject): string | undefined {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string') return undefined;
  return firstCharacters(first.text, MAX_MESSAGE_LENGTH);
}
