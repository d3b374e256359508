/**
 * Defines work that is repeated for a session, such as simulated notifications. It is a job in the queue, not a timer in a process. So any
 * worker runs it, and it continues after the process that started it has ended. It ends when it is stopped, and with the session.
 */
import type { SessionJobContext } from '@longhaul/sessions';
import { durationOf } from '@longhaul/tasks';
import { madeOf } from './feature-code.js';
import { type StatedNeeds, statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';

/** A session job to be defined. */
export interface SessionJobSpec {
  /** The name that `session.startJob` takes. */
  readonly name: string;
  /** A description of its work, for the documentation. */
  readonly description?: string;
  /** From the end of one run to the next, milliseconds; at least 100. The first run is at once. */
  readonly everyMs: number;
  run(context: SessionJobContext): Promise<void> | void;
}

/** A defined session job. */
export interface SessionJob extends SessionJobSpec, StatedNeeds {
  readonly kind: 'session-job';
}

const SHORTEST_MS = 100;

/** Defines a session job. @throws RangeError for an `everyMs` that is no time, or below 100 */
export function defineSessionJob(spec: SessionJobSpec): SessionJob {
  const { name, description } = spec;
  const everyMs = durationOf(`Session job ${name}: everyMs`, spec.everyMs, SHORTEST_MS);
  const job: SessionJob = {
    kind: 'session-job',
    ...statedNeeds({ needsSession: true }),
    name,
    everyMs,
    ...(description !== undefined && { description }),
    run: (context) => inFeature({ kind: 'session-job', name }, () => spec.run(context)),
  };
  return madeOf(job, spec);
}
