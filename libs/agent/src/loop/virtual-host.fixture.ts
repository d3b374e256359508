/** Provides a host with virtual time: it passes only during a sleep or when a test says so. */
import type { AgentEvent } from './agent-event.js';
import type { AgentHost } from './agent-host.js';
import { answerSchemaQuestion } from './output-schema.js';

export interface VirtualHost extends AgentHost {
  readonly events: readonly AgentEvent[];
  /** Milliseconds that were slept, in order. */
  readonly sleeps: readonly number[];
  pass(ms: number): void;
}

export function virtualHost(signal: AbortSignal = new AbortController().signal): VirtualHost {
  const events: AgentEvent[] = [];
  const sleeps: number[] = [];
  let clock = 1_000_000;
  return {
    signal,
    events,
    sleeps,
    pass: (ms) => void (clock += ms),
    step: (_, body) => body(signal),
    check: async (_, question) => answerSchemaQuestion(question),
    sleep: async (_, ms) => {
      sleeps.push(ms);
      clock += ms;
    },
    now: () => clock,
    report: (event) => void events.push(event),
  };
}
