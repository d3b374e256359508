/** Makes the `TaskContext` of a pass: names become keys, calls become asked operations. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListRootsResult } from '@modelcontextprotocol/sdk/types.js';
import { wrapOperations } from '../call-site.js';
import type { JsonObject } from '../domain/json.js';
import type { TaskCreatedData } from '../domain/events.js';
import { accountsOf } from '../write/accounts.js';
import type { OwnerContexts } from '../ports/owner-context.js';
import { checkedName, type SessionValueStore } from '../ports/session-values.js';
import { Changes } from './changes.js';
import { type AskedMethod, requireCapability, requireSession } from './required-capability.js';
import { askClientTask } from './client-task.js';
import { elicitationCompleteParams, logParams } from './notification-params.js';
import { withinSteps } from './owner-in-steps.js';
import type { LackingOperations } from './lacking.js';
import type { PassRun } from './pass-run.js';
import { type Operate, placedOperations } from './placed-operations.js';
import { requireNoStep } from './present-step.js';
import { toJson } from './recorded-error.js';
import type { Reports } from './reports.js';
import { askStep, recordedValue, type StepSettings } from './steps.js';
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
  readonly sessionValues: SessionValueStore;
  readonly owners: OwnerContexts;
  /** Notes what the function asks the context for in vain. */
  readonly lacking: LackingOperations;
  /** How long a step may take that names no limit, milliseconds. */
  readonly stepTimeoutMs: number;
  /** A try of a step that runs for longer than this is recorded as started, milliseconds. */
  readonly slowStepMs: number;
}

/** Builds the context that the author's function is called with. */
export function createTaskContext(dependencies: ContextDependencies): TaskContext {
  const { task, run, reports, chance, owners } = dependencies;
  const { taskId, state } = run.journal;
  const settings = stepSettings(dependencies);
  const changes = new Changes(run);
  const hasSession = task.sessionId !== undefined;
  const { operation, report } = placedOperations(run, task.tool);
  const drawn = <T extends string | number>(name: '$now' | '$uuid', used: string, instead: string, draw: () => T): T => {
    requireNoStep(run, task.tool, used, `use ${instead} there`);
    return recordedValue(run, name, draw);
  };
  const ask = <T>(name: string, method: AskedMethod, params: object, request: () => Promise<T>): Promise<T> =>
    operation(name, async () => {
      requireCapability(task.client, method, params, hasSession);
      return request();
    });
  return dependencies.lacking.noting(
    wrapOperations<TaskContext>({
      taskId,
      attempt: state.attempt,
      get signal() {
        return run.signal;
      },
      client: task.client,
      auth: task.auth,
      ...(task.progressToken !== undefined && { progressToken: task.progressToken }),
      session: sessionValues(dependencies, operation),
      owner: task.recordOwner && withinSteps(owners(task.recordOwner)),
      step: (name, body, options) => operation(`step "${name}"`, () => askStep(run, run.keys.named(name), body, options, settings)),
      sleep: (name, ms) => operation(`sleep "${name}"`, () => askTimer(run, run.keys.named(name), ms)),
      elicit: (params) =>
        ask('elicit', 'elicitation/create', params, () => askInput(run, '$elicit', 'elicitation/create', params as JsonObject)),
      sample: (params) =>
        ask('sample', 'sampling/createMessage', params, () => askInput(run, '$sample', 'sampling/createMessage', params as JsonObject)),
      listRoots: () =>
        ask('listRoots', 'roots/list', {}, async () => (await askInput<ListRootsResult>(run, '$roots', 'roots/list', {})).roots),
      whileWanted: (signal, asks) => run.whileWanted(signal, asks),
      ping: () =>
        operation('ping', async () => {
          if (task.client.generation === '2026-07-28') return;
          requireSession(hasSession);
          await askInput(run, '$ping', 'ping', {});
        }),
      clientTask: (request, options) =>
        ask('clientTask', request.method, request.params, () => askClientTask(run, task.client, request, options)),
      continueAsNew: (args) => operation('continueAsNew', () => continueAsNew(run, args)),
      changed(name) {
        requireNoStep(run, task.tool, 'changed');
        return changes.has(name);
      },
      status: (message) => reports.status(message),
      progress: (report) => reports.report(report),
      log: (level, data, logger) => report('log', () => reports.notify('notifications/message', logParams(level, data, logger))),
      elicitationComplete: (elicitationId) =>
        reports.notify('notifications/elicitation/complete', elicitationCompleteParams(elicitationId)),
      now: () => drawn('$now', 'now', 'Date.now()', () => run.clock()),
      randomUUID: () => drawn('$uuid', 'randomUUID', 'crypto.randomUUID()', () => chance.uuid()),
    }),
  );
}

/** Never settles: the function is left behind. */
async function continueAsNew(run: PassRun, args: JsonObject): Promise<never> {
  const draft = { type: 'ContinueAsNew', arguments: toJson(args, 'The arguments of continueAsNew') as JsonObject } as const;
  await nextTurn(); // By then the function awaits this, like everything else that it has started.
  run.finish(draft, true);
  return new Promise<never>(() => undefined);
}

function stepSettings({ stepTimeoutMs, slowStepMs, chance }: ContextDependencies): StepSettings {
  return { stepTimeoutMs, slowStepMs, random: () => chance.random() };
}

/**
 * Values of the client's session, or of the owner where there is no session, or of the task alone where the owner is
 * everybody whom nobody knows. Each access is a recorded step.
 */
function sessionValues(dependencies: ContextDependencies, operation: Operate): SessionValues {
  const { task, run, sessionValues: values } = dependencies;
  const ofTask = task.forkedFrom?.firstTaskId ?? run.journal.taskId;
  const session = task.sessionId ?? (accountsOf(task).includes(task.owner) ? task.owner : ofTask);
  const account = accountsOf(task).at(-1);
  const settings = stepSettings(dependencies);
  const step = <T>(name: string, body: () => Promise<T>): Promise<T> =>
    operation(`session.${name}`, () => askStep(run, run.keys.own('$session'), body, undefined, settings));
  return {
    get: (name) => step('get', () => values.get(session, checkedName(name))),
    set: (name, value) => step('set', () => values.set(session, checkedName(name), value, account)),
    delete: (name) => step('delete', async () => void (await values.delete(session, checkedName(name)))),
  };
}
