/**
 * The recorded operations of a task. A state and the one after it share most of them: what changed lies
 * in a small layer over a shared whole, because copying all operations for each append would make a long
 * task quadratic. A layer is merged when it has grown to about the square root of the whole.
 */
import type { Operation } from './state.js';

const SMALLEST_LAYER = 32;

/** Operations by their keys, in the order in which they were first recorded. */
export interface Operations extends Iterable<[string, Operation]> {
  get(key: string): Operation | undefined;
  /** Operations that begin as these, which are left as they were. */
  copy(): MutableOperations;
}

/** Operations under construction, owned by the code that copied them. */
export class MutableOperations implements Operations {
  constructor(
    private below: ReadonlyMap<string, Operation> = new Map(),
    private layer = new Map<string, Operation>(),
  ) {}

  get(key: string): Operation | undefined {
    return this.layer.get(key) ?? this.below.get(key);
  }

  set(key: string, operation: Operation): void {
    this.layer.set(key, operation);
  }

  /** Keeps the operations that `keeps` says yes to. */
  retain(keeps: (operation: Operation) => boolean): void {
    this.below = new Map([...this].filter(([, operation]) => keeps(operation)));
    this.layer = new Map();
  }

  copy(): MutableOperations {
    const { below, layer } = this;
    const isFull = layer.size > Math.max(SMALLEST_LAYER, Math.sqrt(below.size));
    return isFull ? new MutableOperations(new Map(this)) : new MutableOperations(below, new Map(layer));
  }

  *[Symbol.iterator](): Iterator<[string, Operation]> {
    for (const [key, operation] of this.below) yield [key, this.layer.get(key) ?? operation];
    for (const entry of this.layer) if (!this.below.has(entry[0])) yield entry;
  }
}

/** No operation. */
export const noOperations: Operations = new MutableOperations();
