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

/** These files stand between the caller and what it calls. */
const BETWEEN = /\/(call-site|workflow-guard|guarded-functions)\.[jt]s/;

/** Where the function was called that asks: the first place outside of Node and of what stands between. */
export function callSite(): CallSite {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const places = stack.split('\n').flatMap((line) => /^ {4}at .*?\(?((?:file:\/\/)?\/[^()]*:\d+:\d+)\)?$/.exec(line)?.[1] ?? []);
  const outside = places.filter((place) => !BETWEEN.test(place));
  const [first = 'an unknown place'] = outside;
  const own = outside.find((place) => !isLibrary(place)) ?? first;
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
