import { setTimeout as wait } from 'node:timers/promises';
import type { AgentEvent } from './agent-event.js';
import type { AgentHost } from './agent-host.js';
import { checkInProcess } from './check-in-process.js';

/** Runs an agent in a process. */
export interface ProcessHostOptions {
  /** Aborts the run, with its reason. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** A host that keeps nothing: a run ends with its process. */
export function createProcessHost({ signal = new AbortController().signal, onEvent }: ProcessHostOptions = {}): AgentHost {
  return {
    signal,
    step: (_, body) => body(signal),
    check: (_, question) => checkInProcess(question, '', signal),
    sleep: async (_, ms) => {
      try {
        await wait(ms, undefined, { signal });
      } catch {
        signal.throwIfAborted();
      }
    },
    now: () => Date.now(),
    report: (event) => onEvent?.(event),
  };
}
