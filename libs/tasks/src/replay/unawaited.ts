import { basename, isAbsolute } from 'node:path';
import { type Calls, siteOf } from '../call-site.js';
import { OperationPromise } from './operation-promise.js';

/** Operations that one message names. */
const MAX_NAMED = 5;

/** An operation of the function, and where that has begun it. */
export interface Begun {
  /** As in `sleep "nap"`. */
  readonly name: string;
  readonly calls: Calls;
}

/** As in `sleep "nap" (src/tools.ts:12:5)`. Clients read it: of a file outside of the working folder only the name is in it. */
export function describeBegun({ name, calls }: Begun): string {
  const { place } = siteOf(calls);
  return `${name} (${isAbsolute(place) ? basename(place) : place})`;
}

/** The operations that the function has started and not awaited yet. */
export class Unawaited {
  /** By anything that stands for the promise. */
  private readonly begun = new Map<object, Begun>();

  /**
   * The promise that the author gets of an operation. A bad name rejects it like any other failure, so that
   * `catch` sees all of them.
   */
  promise<T>(begun: Begun, ask: () => Promise<T>): Promise<T> {
    const token = {};
    this.begun.set(token, begun);
    return OperationPromise.of(ask, () => void this.begun.delete(token));
  }

  /** Why the workflow of a tool may not end now; nothing when everything was awaited. */
  problemOf(tool: string): string | undefined {
    if (this.begun.size === 0) return undefined;
    const named = [...this.begun.values()].slice(0, MAX_NAMED).map(describeBegun);
    const more = this.begun.size - named.length;
    const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `Tool "${tool}" has ended without having awaited ${names}: what it starts it has to await, as by Promise.all.`;
  }
}
