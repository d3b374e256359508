/** Makes the `TaskContext` of a pass: names become keys, calls become asked operations. */
import type { ListRootsResult } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../domain/json.js';
import type { TaskCreatedData } from '../domain/events.js';
import { checkedName, type SessionState } from '../store/session-state.js';
import { requireCapability } from './client-capability.js';
import { askClientTask } from './client-task.js';
import { elicitationCompleteParams, logParams } from './notification-params.js';
import type { PassRun } from './pass-run.js';
import type { Reports } from './reports.js';
import { askStep, recordedValue } from './steps.js';
import type { SessionValues, TaskContext } from './task-context.js';
import { askInput, askTimer } from './waits.js';

/** Where randomness comes from; injected, so that tests can repeat it. */
export interface Randomness {
  /** From 0 to 1. */
  random(): number;
  uuid(): string;
}

/** What a context is made of. */
export interface ContextDependencies {
  readonly task: TaskCreatedData;
  readonly run: PassRun;
  readonly reports: Reports;
  readonly chance: Randomness;
  readonly sessionState: SessionState;
}

/** Builds the context that the author's function is called with. */
export function createTaskContext(dependencies: ContextDependencies): TaskContext {
  const { task, run, reports, chance } = dependencies;
  const { taskId, state } = run.journal;
  const ask = <T>(method: Parameters<typeof requireCapability>[1], params: object, request: () => Promise<T>): Promise<T> =>
    asked(async () => {
      requireCapability(task.client, method, params);
      return request();
    });
  return {
    taskId,
    attempt: state.attempt,
    get signal() {
      return run.signal;
    },
    client: task.client,
    session: sessionValues(dependencies),
    step: (name, body, retry) => asked(() => askStep(run, run.keys.named(name), body, retry, () => chance.random())),
    sleep: (name, ms) => asked(() => askTimer(run, run.keys.named(name), ms)),
    elicit: (params) => ask('elicitation/create', params, () => askInput(run, '$elicit', 'elicitation/create', params as JsonObject)),
    sample: (params) =>
      ask('sampling/createMessage', params, () => askInput(run, '$sample', 'sampling/createMessage', params as JsonObject)),
    listRoots: () => ask('roots/list', {}, async () => (await askInput<ListRootsResult>(run, '$roots', 'roots/list', {})).roots),
    clientTask: (request, options) => ask(request.method, request.params, () => askClientTask(run, task.client, request, options)),
    status: (message) => reports.status(message),
    progress: (report) => reports.report(report),
    log: (level, data, logger) => reports.notify('notifications/message', logParams(level, data, logger)),
    elicitationComplete: (elicitationId) => reports.notify('notifications/elicitation/complete', elicitationCompleteParams(elicitationId)),
    now: () => recordedValue(run, '$now', () => run.clock()),
    randomUUID: () => recordedValue(run, '$uuid', () => chance.uuid()),
  };
}

/** Values of the client's session, or of the owner where there is no session. Each access is a recorded step. */
function sessionValues({ task, run, chance, sessionState }: ContextDependencies): SessionValues {
  const session = task.sessionId ?? task.owner;
  const step = <T>(body: () => Promise<T>): Promise<T> =>
    asked(() => askStep(run, run.keys.own('$session'), body, undefined, () => chance.random()));
  return {
    get: (name) => step(() => sessionState.get(session, checkedName(name))),
    set: (name, value) => step(() => sessionState.set(session, checkedName(name), value)),
    delete: (name) => step(async () => void (await sessionState.delete(session, checkedName(name)))),
  };
}

/**
 * Makes a bad name reject the promise like any other failure, so that `catch` sees all of them. A
 * rejection that nobody awaits must not end the process.
 */
function asked<T>(ask: () => Promise<T>): Promise<T> {
  const promise = (async () => ask())();
  promise.catch(() => undefined);
  return promise;
}
