import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where code calls something. */
export interface CallSite {
  /** As in `src/tools.ts:12:5`; of a library, where the author's code called it. */
  readonly place: string;
  /** Whether code of a library called it, and the author's only that. */
  readonly isLibrary: boolean;
}

const MAX_FRAMES = 50;

/** Where the function is called, which is on the stack: the first place outside of Node. */
export function callSite(called: (...args: never) => unknown): CallSite {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const captured = { stack: '' };
  Error.captureStackTrace(captured, called);
  Error.stackTraceLimit = stackTraceLimit;
  const places = captured.stack.split('\n').flatMap((line) => /^ {4}at .*?\(?((?:file:\/\/)?\/.*:\d+:\d+)\)?$/.exec(line)?.[1] ?? []);
  const [first = 'an unknown place'] = places;
  const own = places.find((place) => !isLibrary(place)) ?? first;
  return { place: readable(own), isLibrary: isLibrary(first) };
}

function isLibrary(place: string): boolean {
  return place.includes('/node_modules/');
}

function readable(place: string): string {
  const path = place.startsWith('file://') ? fileURLToPath(place) : place;
  const shorter = relative(process.cwd(), path);
  return shorter.startsWith('..') ? path : shorter;
}
