/** Finds where in an author's code an operation is called, for errors and warnings about that position. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where code calls something. */
export interface CallSite {
  /** As in `src/tools.ts:12:5`; of a library, where the author's code called it. */
  readonly place: string;
  /** Whether code of a library called it, and the author's only that. */
  readonly isLibrary: boolean;
}

/** The calls that led to a place. Text is made of them only when somebody asks for it, which is rare. */
export interface Calls {
  readonly stack: string;
}

type Called = (...args: never) => unknown;

const MAX_FRAMES = 50;

/** The call that wrappers of an operation have noted, while the operation begins. */
let noted: Calls | undefined;

/** Begins an operation for which `called` stands: the code that calls that is the author's. */
function atCallSite<T>(called: Called, begin: () => T): T {
  if (noted !== undefined) return begin();
  noted = callsOf(called);
  try {
    return begin();
  } finally {
    noted = undefined;
  }
}

type Around = (begin: () => unknown, name: string, args: readonly unknown[], called: Called) => unknown;

/**
 * Wraps the operations of a context: `around` begins each one, and reports name their caller's position. Other members stay unchanged. An
 * operation is wrapped on first use: each pass has a context, and its function needs only a few operations.
 *
 * @param around called with what begins the operation, its name, its arguments and what stands for it. @defaultValue begins it
 */
export function wrapOperations<T extends object>(operations: T, around: Around = (begin) => begin()): T {
  return new Proxy(operations, new Wrapping<T>(around));
}

/** The wrapped object, for code that wraps a derived object. */
export function unwrapped<T extends object>(operations: T): T {
  return (operations as { readonly [OPERATIONS]?: T })[OPERATIONS] ?? operations;
}

const OPERATIONS = Symbol('operations');

class Wrapping<T extends object> implements ProxyHandler<T> {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  get(operations: T, name: string | symbol): unknown {
    if (name === OPERATIONS) return operations;
    const member: unknown = Reflect.get(operations, name);
    if (typeof name === 'symbol' || !Object.hasOwn(operations, name)) return member;
    const around = this.#around;
    if (name === 'session' && typeof member === 'object' && member !== null) return wrapOperations(member, around);
    if (typeof member !== 'function') return member;
    const called = (...args: unknown[]): unknown =>
      atCallSite(called, () => around(() => Reflect.apply(member, operations, args) as unknown, name, args, called));
    return called;
  }
}

/** The calls that have led to the operation that begins now. @param called stands for it unless a wrapper does */
export function presentCalls(called: Called): Calls {
  return noted ?? callsOf(called);
}

/** Where the function is called, which is on the stack. */
export function callSite(called: Called): CallSite {
  return siteOf(callsOf(called));
}

/** The first place outside of Node. */
export function siteOf({ stack }: Calls): CallSite {
  const places = stack.split('\n').flatMap((line) => /^ {4}at .*?\(?((?:file:\/\/)?\/.*:\d+:\d+)\)?$/.exec(line)?.[1] ?? []);
  const [first = 'an unknown place'] = places;
  const own = places.find((place) => !isLibrary(place)) ?? first;
  return { place: readable(own), isLibrary: isLibrary(first) };
}

function callsOf(called: Called): Calls {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const captured = { stack: '' };
  Error.captureStackTrace(captured, called);
  Error.stackTraceLimit = stackTraceLimit;
  return captured;
}

function isLibrary(place: string): boolean {
  return place.includes('/node_modules/');
}

function readable(place: string): string {
  const path = place.startsWith('file://') ? fileURLToPath(place) : place;
  const shorter = relative(process.cwd(), path);
  return shorter.startsWith('..') ? path : shorter;
}
