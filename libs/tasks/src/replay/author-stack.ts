/**
 * Makes the part of a stack that the author of a tool needs: the error, its causes, and the frames in the author's files. Frames of Node
 * and of this project are left out, and so are those of installed packages, unless there are no others. Frames name positions in the
 * TypeScript of the author where the process reads source maps.
 */
import { fileURLToPath } from 'node:url';
import type { RecordedError } from '../domain/json.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';

const MAX_FRAMES = 20;
const MAX_CAUSES = 5;
const MAX_HEAD_BYTES = 1_024;

/** The folder above that of this package: of a checkout, or of installed packages. */
const ABOVE = /^(.*\/)(?:libs|@longhaul)\/tasks\//.exec(import.meta.url)?.[1] ?? '';
const OWN = [`${ABOVE}libs/`, `${ABOVE}apps/`].map((folder) => folder.replace(/^file:\/\//, ''));

/** What was recorded of errors that were thrown again, and of which step. */
const recordedOf = new WeakMap<Error, { readonly recorded: RecordedError; readonly key: string }>();

/** Notes that an error stands for a recorded one, which has the stack. */
export function noteRecorded(error: Error, recorded: RecordedError, key: string): void {
  recordedOf.set(error, { recorded, key });
}

/** The step that has failed with the error, or with a cause of it. */
export function failedStepOf(thrown: unknown): string | undefined {
  return chainOf(thrown)
    .map((error) => recordedOf.get(error)?.key)
    .find((key) => key !== undefined);
}

/** The error, its causes and the author's frames as text. @returns nothing when no frame is the author's and there is no cause */
export function authorStack(thrown: unknown): string | undefined {
  const chain = chainOf(thrown);
  const parts: string[] = [];
  let frames = 0;
  for (const error of chain) {
    const { recorded } = recordedOf.get(error) ?? {};
    if (recorded !== undefined) {
      parts.push(recorded.stack ?? headOf(recorded));
      // It has its own causes.
      break;
    }
    const own = framesOf(error).slice(0, MAX_FRAMES - frames);
    frames += own.length;
    parts.push([headOf(error), ...own].join('\n'));
  }
  const [only] = parts;
  if (parts.length === 0 || (parts.length === 1 && only?.includes('\n    at ') !== true)) return undefined;
  return cutText(parts.join('\nCaused by: '), FIELD_LIMITS.errorStackBytes);
}

/** The error, its causes, and the errors that it joins. */
function chainOf(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  const waiting: unknown[] = [thrown];
  while (waiting.length > 0 && chain.length <= MAX_CAUSES) {
    const error = waiting.shift();
    if (!(error instanceof Error) || chain.includes(error)) continue;
    chain.push(error);
    waiting.push(error.cause, ...(error instanceof AggregateError ? error.errors : []));
  }
  return chain;
}

/** An author may have put anything into the members of an error. */
function headOf(error: { readonly name: unknown; readonly message: unknown; readonly code?: unknown }): string {
  const { name, message, code } = error;
  const isCode = typeof code === 'string' || typeof code === 'number';
  return cutText(`${String(name)}: ${String(message)}${isCode ? ` (${code})` : ''}`, MAX_HEAD_BYTES);
}

/** A frame with the place of a file: `    at name (place)` or `    at place`. */
const FRAME = /^ {4}at (?:(.*) \(|(async ))?((?:file:\/\/)?(?:[A-Za-z]:)?[\\/].*:\d+:\d+)\)?$/;

function framesOf(error: Error): readonly string[] {
  const { name, message, stack: whole }: { readonly name: unknown; readonly message: unknown; readonly stack?: unknown } = error;
  const [stack, head] = [String(whole), `${String(name)}: ${String(message)}`];
  const lines = (stack.startsWith(head) ? stack.slice(head.length) : stack).split('\n');
  const frames = lines.flatMap((line) => {
    const [, called, isAsync = '', place] = FRAME.exec(line) ?? [];
    if (place === undefined) return [];
    const path = pathOf(place);
    return isOwn(path) ? [] : [{ path, text: called === undefined ? `    at ${isAsync}${path}` : `    at ${called} (${path})` }];
  });
  const ofAuthor = frames.filter(({ path }) => !path.includes('/node_modules/'));
  return (ofAuthor.length > 0 ? ofAuthor : frames).map(({ text }) => text);
}

function pathOf(place: string): string {
  if (!place.startsWith('file://')) return place;
  try {
    return fileURLToPath(place);
  } catch {
    return place; // An author can name any place for code that is made at run time.
  }
}

function isOwn(path: string): boolean {
  return path.includes('/node_modules/@longhaul/') || OWN.some((folder) => path.startsWith(folder));
}
