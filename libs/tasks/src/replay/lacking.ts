/**
 * Finds what a task needs and this version lacks: an operation of the context that newer code calls, or a type of event in the record. A
 * worker of another version may have it, so the pass ends as a misfit, and no attempt is spent on a `TypeError`.
 */

/** How every sentence about it ends. */
const LACKING = 'which this version does not have';

/** Why a record does not fit. @param type of the event that only a later version knows */
export function unknownRecord(tool: string, type: string): string {
  return `The record of the tool "${tool}" has an event ${type}, ${LACKING}`;
}

/** How the sentence about large values ends. */
const NO_PLACE = 'and this worker has no place for them (LONGHAUL_BLOBS)';

/** Why a record does not fit that refers to large values. */
export function withoutPlace(tool: string): string {
  return `The record of the tool "${tool}" refers to large values, ${NO_PLACE}`;
}

/** Whether a misfit is one of versions or settings, and not of the tool's code. */
export function isLack(misfit: string): boolean {
  return misfit.endsWith(LACKING) || misfit.endsWith(NO_PLACE);
}

/** Finds out which operation it was that a function has called in vain. */
export class LackingOperations {
  private readonly asked = new Set<string>();

  constructor(private readonly tool: string) {}

  /** The same object, which notes the missing members that are read. */
  noting<T extends object>(operations: T): T {
    return new Proxy(operations, {
      get: (target, name) => {
        if (typeof name === 'string' && !(name in target)) this.asked.add(name);
        return Reflect.get(target, name) as unknown;
      },
    });
  }

  /** Why the function does not fit, if it has thrown because it called what is not there. */
  misfitBy(thrown: unknown): string | undefined {
    if (!(thrown instanceof TypeError)) return undefined;
    const name = /([\w$]+) is not a function/.exec(thrown.message)?.[1];
    if (name === undefined || !this.asked.has(name)) return undefined;
    return `The workflow of tool "${this.tool}" calls context.${name}, ${LACKING}`;
  }
}
