/** Shows the events of an agent's work on a terminal. */
import type { AgentEvent, Outcome } from '@longhaul/agent';
import type { Dialogue } from './terminal/dialogue.js';
import { printable, printableLine, printableParts } from '@longhaul/runtime/printable';

const MAX_SHOWN = 200;
const MS_PER_SECOND = 1_000;

/** Shows the events of one run, and what came of it. */
export interface Show {
  report(event: AgentEvent): void;
  /** Shows the answer, unless it has been shown while it was generated; or why there is none. */
  end(outcome: Outcome): void;
}

/** @param streams whether parts of what the model says are shown as they come */
export function showEvents(dialogue: Dialogue, streams: boolean): Show {
  /** The part of the round that was shown. */
  let shown = '';
  let readable = printableParts();
  const report = (event: AgentEvent): void => {
    if (event.type === 'round') {
      shown = '';
      readable = printableParts();
    }
    if (event.type === 'delta') {
      if (!streams || event.text === undefined) return;
      shown += event.text;
      dialogue.write(dialogue.isWatched ? readable(event.text) : event.text);
    } else {
      const line = lineOf(event);
      if (line !== undefined) dialogue.say(line);
    }
  };
  return {
    report,
    end({ outcome, text, data }) {
      if (outcome === 'cancelled') return dialogue.say('Cancelled.');
      if (outcome !== 'answered') return dialogue.say(`The agent has no answer (${outcome}): ${text}`);
      const said = data === undefined ? text : JSON.stringify(data);
      const all = dialogue.isWatched ? printable(said) : said;
      const rest = shown.trim() === '' ? all : shown.trim() === text.trim() ? '' : `\n${all}`;
      dialogue.write(`${rest}\n`);
    },
  };
}

function lineOf(event: Exclude<AgentEvent, { type: 'delta' }>): string | undefined {
  switch (event.type) {
    case 'round':
      return undefined;
    case 'retry':
      return `… asks the model again in ${duration(event.afterMs)}: ${printableLine(event.reason, MAX_SHOWN)}`;
    case 'fallback':
      return `… asks ${printableLine(event.to, MAX_SHOWN)} instead of ${printableLine(event.from, MAX_SHOWN)}: ${printableLine(event.reason, MAX_SHOWN)}`;
    case 'compaction':
      return `… summarises ${event.messages} messages`;
    case 'tool-call':
      return `→ ${printableLine(event.tool, MAX_SHOWN)} ${printableLine(event.arguments, MAX_SHOWN)}`;
    case 'tool-edited':
      return `✎ ${printableLine(event.tool, MAX_SHOWN)} ${printableLine(event.arguments, MAX_SHOWN)}`;
    case 'tool-progress':
      return `  ${printableLine(event.message, MAX_SHOWN)}`;
    case 'tool-result':
      return `${event.isError ? '✗' : '←'} ${printableLine(event.tool, MAX_SHOWN)}, ${duration(event.ms)}: ${printableLine(event.text, MAX_SHOWN)}`;
  }
}

function duration(ms: number): string {
  return ms < MS_PER_SECOND ? `${Math.round(ms)} ms` : `${(ms / MS_PER_SECOND).toFixed(1)} s`;
}
