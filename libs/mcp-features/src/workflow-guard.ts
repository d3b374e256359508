/**
 * Finds what a durable tool does outside of steps that a replay would do again, with another outcome: time, randomness, requests. While
 * it is on, such functions of the process are wrapped by ones that look at who calls them; it is for development and for tests, finds
 * what goes through these functions, and changes nothing of what they do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { callSite, type CallSite } from './call-site.js';

/** Receives a warning once for each place in the code of a tool. */
export type OnWorkflowWarning = (warning: { readonly tool: string; readonly message: string }) => void;

interface Guard {
  readonly onWarning: OnWorkflowWarning;
  readonly known: Set<string>;
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
  const uninstall = install();
  guardOfProcess = { onWarning, known: new Set() };
  return () => {
    guardOfProcess = undefined;
    uninstall();
  };
}

/** Warns of durable tools that run within `work`. */
export async function whileGuarded<T>(onWarning: OnWorkflowWarning, work: () => Promise<T>): Promise<T> {
  const uninstall = install();
  try {
    return await guards.run({ onWarning, known: new Set() }, work);
  } finally {
    uninstall();
  }
}

/** Runs the code of a workflow with its context, which it leaves with each operation. */
export function asWorkflow<Context extends object, T>(tool: string, context: Context, run: (context: Context) => T): T {
  const guard = guards.getStore() ?? guardOfProcess;
  if (guard === undefined) return run(context);
  const code: WorkflowCode = { tool, guard };
  return workflows.run(code, () => run(guardedContext(context, code)));
}

/** The context, whose operations are no code of the workflow. */
function guardedContext<Context extends object>(context: Context, code: WorkflowCode): Context {
  const sites = new Map<string, string>();
  const guarded = leaving(context, (name, args) => {
    if (name === 'step' && typeof args[0] === 'string') checkStepSite(code, sites, args[0]);
  });
  // Made when somebody looks at it.
  return Object.defineProperty(guarded, 'signal', { get: (): unknown => Reflect.get(context, 'signal'), enumerable: true });
}

function leaving<T extends object>(operations: T, before: (name: string, args: readonly unknown[]) => void = () => undefined): T {
  const members = Object.entries(operations).map(([name, member]: [string, unknown]) => {
    if (name === 'session') return [name, leaving(member as object)];
    if (typeof member !== 'function') return [name, member];
    const operation = (...args: unknown[]): unknown => {
      before(name, args);
      return workflows.run(undefined, () => Reflect.apply(member, operations, args) as unknown);
    };
    return [name, operation];
  });
  return Object.fromEntries(members) as T;
}

/** Uses of a name are told apart by their order only. */
function checkStepSite(code: WorkflowCode, sites: Map<string, string>, name: string): void {
  const { place } = callSite();
  const before = sites.get(name) ?? place;
  sites.set(name, before);
  if (before !== place)
    warn(
      code,
      `${name} ${place}`,
      `uses the step name "${name}" in two places (${before}, ${place}): a task that runs while their order changes gives each the value of the other. Name them differently.`,
    );
}

function warn({ tool, guard }: WorkflowCode, key: string, text: string): void {
  const known = `${tool} ${key}`;
  if (guard.known.has(known)) return;
  guard.known.add(known);
  guard.onWarning({ tool, message: `Tool "${tool}" ${text}` });
}

/** What is wrapped, and what to use in its place. */
interface Guarded {
  readonly owner: object;
  readonly name: string;
  /** As it is called. */
  readonly used: string;
  readonly remedy: string;
  /** Libraries use it for themselves, as to log the time. */
  readonly isOfLibraries?: boolean;
}

const STEP = 'do it in context.step';
const NOW = 'use context.now(), which is recorded';
const UUID = 'use context.randomUUID(), which is recorded';
const SLEEP = 'use context.sleep, which is recorded';

const GUARDED: readonly Guarded[] = [
  { owner: Math, name: 'random', used: 'Math.random()', remedy: STEP },
  { owner: Date, name: 'now', used: 'Date.now()', remedy: NOW, isOfLibraries: true },
  { owner: globalThis, name: 'Date', used: 'new Date()', remedy: NOW, isOfLibraries: true },
  { owner: performance, name: 'now', used: 'performance.now()', remedy: NOW, isOfLibraries: true },
  { owner: crypto, name: 'randomUUID', used: 'crypto.randomUUID()', remedy: UUID },
  { owner: nodeCrypto, name: 'randomUUID', used: 'randomUUID()', remedy: UUID },
  { owner: globalThis, name: 'fetch', used: 'fetch()', remedy: STEP },
  { owner: globalThis, name: 'setTimeout', used: 'setTimeout()', remedy: SLEEP, isOfLibraries: true },
  { owner: globalThis, name: 'setInterval', used: 'setInterval()', remedy: SLEEP, isOfLibraries: true },
  { owner: timersPromises, name: 'setTimeout', used: 'setTimeout()', remedy: SLEEP },
];

let installs = 0;
let restore: readonly (() => void)[] = [];

/** Wraps what is guarded, unless it is wrapped already. @returns undoes that */
function install(): () => void {
  installs += 1;
  if (installs === 1) {
    restore = GUARDED.map(wrap);
    syncBuiltinESMExports();
  }
  return () => {
    installs -= 1;
    if (installs > 0) return;
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  };
}

function wrap(guarded: Guarded): () => void {
  const { owner, name } = guarded;
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const original = Reflect.get(owner, name) as (...args: never) => unknown;
  const wrapped = name === 'Date' ? wrappedDate(guarded) : wrappedFunction(guarded, original);
  Object.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: before?.enumerable ?? true });
  return () => {
    // Somebody else may have replaced it meanwhile, such as a library with a clock of its own.
    if (Reflect.get(owner, name) !== wrapped) return;
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
    if (name === 'Date') Date.prototype.constructor = Date;
  };
}

function wrappedFunction(guarded: Guarded, original: (...args: never) => unknown): unknown {
  const wrapped = function (this: unknown, ...args: never): unknown {
    return leave(guarded, () => Reflect.apply(original, this, args));
  };
  return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}

function wrappedDate(guarded: Guarded): unknown {
  const wrapped = new Proxy(Date, {
    construct: (target, args, newTarget) => {
      const make = (): object => Reflect.construct(target, args, newTarget) as object;
      return args.length === 0 ? leave(guarded, make) : make();
    },
    apply: (target, self, args) => leave(guarded, () => Reflect.apply(target, self, args) as string),
  });
  Date.prototype.constructor = wrapped;
  return wrapped;
}

/** Does what code of a workflow has asked for, outside of it, and warns of that. */
function leave<T>({ used, remedy, isOfLibraries = false }: Guarded, use: () => T): T {
  const code = workflows.getStore();
  if (code === undefined) return use();
  const site: CallSite = callSite();
  if (!(isOfLibraries && site.isLibrary))
    warn(
      code,
      `${used} ${site.place}`,
      `uses ${used} outside of a step, at ${site.place}: a replay gets another value. Instead, ${remedy}.`,
    );
  return workflows.run(undefined, use);
}
