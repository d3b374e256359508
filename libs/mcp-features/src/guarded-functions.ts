/** Lists functions of the process that return another value each time, or have an effect each time. */
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** The wrapped function, and its replacement. */
export interface Guarded {
  readonly owner: object;
  readonly name: string;
  /** As it is called. */
  readonly used: string;
  readonly remedy: string;
  /** Libraries use it for themselves, as to log the time. */
  readonly isOfLibraries?: boolean;
  /** Whether nothing waits for what came of it, when its caller had the time to say so. */
  readonly isIdle?: (result: unknown) => boolean;
}

type Callable = (...args: never) => unknown;

/** Stands between who calls one of them, and what it does. `called` is what stands in its place. */
type Leave = <T>(guarded: Guarded, called: Callable, use: () => T) => T;

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
  { owner: globalThis, name: 'setTimeout', used: 'setTimeout()', remedy: SLEEP, isOfLibraries: true, isIdle: isUnref },
  { owner: globalThis, name: 'setInterval', used: 'setInterval()', remedy: SLEEP, isOfLibraries: true, isIdle: isUnref },
  { owner: timersPromises, name: 'setTimeout', used: 'setTimeout()', remedy: SLEEP },
];

let wraps = 0;
let restore: readonly (() => void)[] = [];

/** Wraps all of them, unless they are wrapped already. @param leave does what a caller has asked for. @returns undoes that, once */
export function wrapGuarded(leave: Leave): () => void {
  wraps += 1;
  if (wraps === 1) {
    restore = GUARDED.map((guarded) => wrap(guarded, leave));
    syncBuiltinESMExports();
  }
  let isUndone = false;
  return () => {
    if (isUndone) return;
    isUndone = true;
    wraps -= 1;
    if (wraps > 0) return;
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  };
}

function wrap(guarded: Guarded, leave: Leave): () => void {
  const { owner, name } = guarded;
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const original = Reflect.get(owner, name) as Callable;
  const wrapped = name === 'Date' ? wrappedDate(guarded, leave) : wrappedFunction(guarded, original, leave);
  Object.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: before?.enumerable ?? true });
  return () => {
    // Other code may have replaced it since then, such as a library with its own clock.
    if (Reflect.get(owner, name) !== wrapped) return;
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
    if (name === 'Date') Reflect.set(Date.prototype, 'constructor', Date);
  };
}

function wrappedFunction(guarded: Guarded, original: Callable, leave: Leave): unknown {
  const wrapped = function (this: unknown, ...args: never): unknown {
    return leave(guarded, wrapped, () => Reflect.apply(original, this, args));
  };
  return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}

function wrappedDate(guarded: Guarded, leave: Leave): unknown {
  const construct = (target: DateConstructor, args: unknown[], newTarget: Callable): object => {
    const make = (): object => Reflect.construct(target, args, newTarget) as object;
    return args.length === 0 ? leave(guarded, construct, make) : make();
  };
  const apply = (target: DateConstructor, self: unknown, args: unknown[]): unknown =>
    leave(guarded, apply, () => Reflect.apply(target, self, args));
  const wrapped = new Proxy(Date, { construct, apply });
  Reflect.set(Date.prototype, 'constructor', wrapped);
  return wrapped;
}

/** A limit of something else, as of a signal: a timer that a workflow waits for holds its process. Timers of others may be numbers. */
function isUnref(timer: unknown): boolean {
  return (timer as Partial<NodeJS.Timeout>).hasRef?.() === false;
}
