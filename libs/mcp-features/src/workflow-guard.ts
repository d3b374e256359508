/**
 * Finds operations of a durable tool outside of steps that a replay would repeat with another result: time, randomness, requests. While it
 * is on, such functions of the process are wrapped, and the wrappers check their callers. It is for development and for tests. It finds
 * only uses of these functions, and does not change their effects.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { callSite, wrapOperations } from '@longhaul/tasks';
import { type Guarded, wrapGuarded } from './guarded-functions.js';

/** Receives a warning once for each place in the code of a tool. */
export type OnWorkflowWarning = (warning: { readonly tool: string; readonly message: string }) => void;

interface Guard {
  readonly onWarning: OnWorkflowWarning;
  /** Keys of warnings that were given. */
  readonly known: Set<string>;
  /** Where steps are begun, by tool, name and use. */
  readonly stepPlaces: Map<string, string>;
}

function newGuard(onWarning: OnWorkflowWarning): Guard {
  return { onWarning, known: new Set(), stepPlaces: new Map() };
}

/** Code of a tool that a replay runs again. */
interface WorkflowCode {
  readonly tool: string;
  readonly guard: Guard;
}

/** Guards of a part of the process, such as one test. */
const guards = new AsyncLocalStorage<Guard>();
let guardOfProcess: Guard | undefined;
const workflows = new AsyncLocalStorage<WorkflowCode | undefined>();

/** From now on warns of durable tools of this process. @returns ends it */
export function guardWorkflows(onWarning: OnWorkflowWarning): () => void {
  const unwrap = wrapGuarded(leave);
  const guard = newGuard(onWarning);
  guardOfProcess = guard;
  return () => {
    if (guardOfProcess === guard) guardOfProcess = undefined;
    unwrap();
  };
}

/** Where warnings are written. */
export interface WorkflowWarningLog {
  warn(fields: object, message: string): void;
}

/** From now on, each is a line of the log. @returns ends it */
export function logWorkflowWarnings(log: WorkflowWarningLog): () => void {
  return guardWorkflows(({ tool, message }) => log.warn({ tool }, message));
}

/** Warns of durable tools that run within `work`. */
export async function whileGuarded<T>(onWarning: OnWorkflowWarning, work: () => Promise<T>): Promise<T> {
  const unwrap = wrapGuarded(leave);
  try {
    return await guards.run(newGuard(onWarning), work);
  } finally {
    unwrap();
  }
}

/** Runs the code of a workflow with its context, which it leaves with each operation. */
export function asWorkflow<Context extends object, T>(tool: string, context: Context, run: (context: Context) => T): T {
  const guard = guards.getStore() ?? guardOfProcess;
  if (guard === undefined) return run(wrapOperations(context));
  const code: WorkflowCode = { tool, guard };
  return workflows.run(code, () => run(guardedContext(context, code)));
}

/** The context. Its operations do not count as code of the workflow. */
function guardedContext<Context extends object>(context: Context, code: WorkflowCode): Context {
  const uses = new Map<string, number>();
  return wrapOperations(context, (begin, name, args, called) => {
    if (name === 'step' && typeof args[0] === 'string') checkStepSite(code, uses, args[0], called);
    if (RUN_CODE.has(name)) return begin();
    return workflows.run(undefined, begin);
  });
}

/** Operations that run functions which are code of the workflow themselves. */
const RUN_CODE: ReadonlySet<string> = new Set(['all', 'saga', 'whileWanted']);

/**
 * Uses of a name are distinguished by their order only. Each is looked at once: later passes come to the same places.
 *
 * @param uses of this pass, by name
 */
function checkStepSite(code: WorkflowCode, uses: Map<string, number>, name: string, called: (...args: never) => unknown): void {
  const use = (uses.get(name) ?? 0) + 1;
  uses.set(name, use);
  const { stepPlaces } = code.guard;
  const key = `${code.tool} ${name}`;
  if (stepPlaces.has(`${key}:${use}`)) return;
  if (stepPlaces.size >= MAX_KNOWN) stepPlaces.clear();
  const { place } = callSite(called);
  stepPlaces.set(`${key}:${use}`, place);
  const first = stepPlaces.get(`${key}:1`) ?? place;
  if (first !== place)
    warn(
      code,
      `step ${name} ${place}`,
      `uses the step name "${name}" in two places (${first}, ${place}): a task that runs while their order changes gives each the value of the other. Name them differently.`,
    );
}

/** A process that runs for long may come to know so many names of steps that it begins again. */
const MAX_KNOWN = 10_000;

function warn({ tool, guard }: WorkflowCode, key: string, text: string): void {
  const known = `${tool} ${key}`;
  if (guard.known.size >= MAX_KNOWN) guard.known.clear();
  if (guard.known.has(known)) return;
  guard.known.add(known);
  guard.onWarning({ tool, message: `Tool "${tool}" ${text}` });
}

/** Does what code of a workflow has asked for, outside of it, and warns of that. */
function leave<T>({ used, remedy, isOfLibraries = false, isIdle }: Guarded, called: (...args: never) => unknown, use: () => T): T {
  const code = workflows.getStore();
  if (code === undefined) return use();
  const { place, isLibrary } = callSite(called);
  const text = `uses ${used} outside of a step, at ${place}: a replay gets another value. Instead, ${remedy}.`;
  const result = workflows.run(undefined, use);
  if (isOfLibraries && isLibrary) return result;
  if (isIdle === undefined) warn(code, `${used} ${place}`, text);
  else
    queueMicrotask(() => {
      if (!isIdle(result)) warn(code, `${used} ${place}`, text);
    });
  return result;
}
