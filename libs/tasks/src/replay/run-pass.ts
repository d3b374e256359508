import { readableThrown } from '@longhaul/runtime/readable-thrown';
import { standInFor } from '../at-rest/large-results.js';
import type { LargeValues } from '../ports/large-values.js';
import type { JsonObject } from '../domain/json.js';
import { wholeMs } from '../domain/milliseconds.js';
import type { ChildStarter } from './child-starter.js';
import type { WorkerLease } from './worker-lease.js';
import { failedStepOf } from './author-stack.js';
import { toRecordedError } from './recorded-error.js';
import { createTaskContext } from './context.js';
import type { Randomness } from './context-operation.js';
import { MAX_RESULT_BYTES } from '../limits.js';
import { LackingOperations } from './lacking.js';
import type { PassJournal } from './pass-journal.js';
import type { PassDraft } from './drafts.js';
import { PassRun } from './pass-run.js';
import { Reports } from './reports.js';
import { isTerminal, retryDelayMs } from './retry-delay.js';
import { JsonRpcCode } from '../domain/json-rpc-code.js';
import type { OwnerContexts } from '../ports/owner-context.js';
import type { SessionValueStore } from '../ports/session-values.js';
import type { Timers } from '../ports/timers.js';
import type { SignalDoor } from './signal-door.js';
import type { Workflow } from './workflow.js';

/** Dependencies of a pass, in addition to its journal. */
export interface PassDependencies {
  readonly sessionValues: SessionValueStore;
  readonly owners: OwnerContexts;
  readonly children: ChildStarter;
  readonly signals: SignalDoor;
  readonly workflow: Workflow;
  readonly clock: () => number;
  readonly timers: Timers;
  readonly chance: Randomness;
  /** How long a step may take that names no limit, milliseconds. */
  readonly stepTimeoutMs: number;
  /** A try of a step that runs for longer than this is recorded as started, milliseconds. */
  readonly slowStepMs: number;
  /** Of the worker that has the job. */
  readonly lease: WorkerLease;
  /** Where large values are kept. @defaultValue nowhere: then values are small */
  readonly values?: LargeValues | undefined;
  /** Called with errors of that store, while the pass waits for it. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/** Starts a claimed pass. Await `over` of the returned run. */
export function startPass(journal: PassJournal, dependencies: PassDependencies): PassRun {
  const { workflow, clock, timers, chance, lease, children } = dependencies;
  const reports = new Reports();
  const { values, onTrouble = () => undefined } = dependencies;
  const run = new PassRun(journal, clock, timers, lease, reports.take, children.atOnce, { values, onTrouble });
  reports.run = run;
  const { task } = journal.state;
  if (task === undefined) throw new RangeError('A pass needs a task.');
  const lacking = new LackingOperations(task.tool);
  const context = createTaskContext({ ...dependencies, task, run, reports, lacking });
  const { refused } = task;
  void invoke(async () =>
    refused === undefined ? workflow.run(task.arguments, context) : workflow.resultOfFailure({ name: 'Error', message: refused }),
  );
  return run;

  async function invoke(call: () => Promise<JsonObject>): Promise<void> {
    try {
      const result = await call();
      const json = JSON.stringify(result);
      run.finish(
        run.values.isLarge(json) ? await endWithLarge(run, result, json) : (tooLarge(json) ?? { type: 'CompleteTask', result }),
        true,
      );
    } catch (caught) {
      const thrown = readableThrown(caught);
      const misfit = lacking.misfitBy(thrown);
      if (misfit !== undefined) return run.misfits(misfit);
      journal.thrown = thrown;
      run.finish(afterThrow(thrown, workflow, journal.state.attempt, clock, chance), false);
    }
  }
}

function afterThrow(thrown: unknown, workflow: Workflow, attempt: number, clock: () => number, chance: Randomness): PassDraft {
  const delay = isTerminal(thrown) ? undefined : retryDelayMs(workflow.retry, attempt, chance.random());
  const error = toRecordedError(thrown);
  if (delay !== undefined) return { type: 'FailPass', error, retryAt: wholeMs(clock() + delay) };
  const { name, code, message, data, stack } = error;
  const step = failedStepOf(thrown);
  const optional = { ...(code !== undefined && { code }), ...(step !== undefined && { step }), ...(stack !== undefined && { stack }) };
  const ofThrown = { thrown: { name, ...optional } };
  if (typeof code !== 'number') return { type: 'CompleteTask', result: workflow.resultOfFailure({ name, message }), ...ofThrown };
  return { type: 'FailTask', error: { code, message, ...(data !== undefined && { data }) }, ...ofThrown };
}

/** Keeps the result apart, and ends the task with what stands in its place. */
async function endWithLarge(run: PassRun, result: JsonObject, json: string): Promise<PassDraft> {
  const most = result['structuredContent'] === undefined ? run.values.maxBytes : MAX_RESULT_BYTES;
  const refused = tooLarge(json, most);
  if (refused !== undefined) return refused;
  run.expectEnd();
  const large = await run.values.keep(json);
  return { type: 'CompleteTask', result: standInFor(run.journal.taskId, result, large), large };
}

function tooLarge(json: string, most = MAX_RESULT_BYTES): PassDraft | undefined {
  const bytes = Buffer.byteLength(json);
  if (bytes <= most) return undefined;
  const message = `The result has ${bytes} bytes as JSON; at most ${most} are allowed.`;
  return { type: 'FailTask', error: { code: JsonRpcCode.InternalError, message, data: { reason: 'RESULT_TOO_LARGE' } } };
}
