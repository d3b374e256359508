import type { DurableContext } from '@longhaul/mcp-features';
import type { Recordable } from '@longhaul/tasks';
import type { AgentHost } from '../loop/agent-host.js';
import { checkInProcess } from '../loop/check-in-process.js';
import type { StatusLine } from '@longhaul/servers/durable';
import { TaskReports } from './task-reports.js';

/** The model that is asked: at an endpoint, in a step; or the client's model. Calls of the client's model are recorded by themselves. */
export type ModelLocation = 'endpoint' | 'client';

/** Runs an agent in a task: recorded operations are not repeated, and a sleep holds no resources. */
export function createDurableHost(context: DurableContext, place: ModelLocation, status: StatusLine): AgentHost {
  const { progressToken } = context;
  const reports = new TaskReports({
    status: (message) => status.say(message),
    progress: (report) => context.progress(report),
    ...(progressToken !== undefined && { progressToken }),
  });
  const { signal } = context;
  return {
    signal,
    // Tries are the loop's: what the engine repeats is what a crash has left unrecorded.
    step: <T>(name: string, body: (signal: AbortSignal) => Promise<T & Recordable<T>>) =>
      place === 'client' ? body(signal) : context.step<T>(name, (step) => body(step.signal)),
    check: (name, question) => context.step(name, (step) => checkInProcess(question, context.owner?.key ?? '', step.signal)),
    sleep: (name, ms) => context.sleep(name, ms),
    now: () => context.now(),
    spend: (amount) => context.spend(amount),
    report: (event) => reports.take(event),
  };
}
