/**
 * Holds the recorded operations of a task. A state and the one after it share most of them, because copying all operations for each append
 * would make a long task quadratic. They lie in layers, each several times smaller than the one below. A copy shares all layers except the
 * small one on top, and layers are merged as they grow. So the cost of an append hardly depends on the number of operations.
 */
import type { Operation } from './operation-kinds.js';

/** Entries of the top layer, which is copied with each state. */
const TOP_SIZE = 16;
/** A layer is merged with the one below unless that is at least this many times larger. */
const GROWTH = 4;

/** Operations by their keys, in the order in which they were first recorded. */
export interface Operations extends Iterable<[string, Operation]> {
  get(key: string): Operation | undefined;
  /** Operations that begin as these, which are left as they were. */
  copy(): MutableOperations;
}

type Layer = ReadonlyMap<string, Operation>;

/** Operations under construction, owned by the code that copied them. */
export class MutableOperations implements Operations {
  constructor(
    /** The largest first. An entry of a layer replaces the entries below it. */
    private layers: readonly Layer[] = [],
    private top = new Map<string, Operation>(),
  ) {}

  get(key: string): Operation | undefined {
    const { layers } = this;
    let operation = this.top.get(key);
    for (let index = layers.length - 1; operation === undefined && index >= 0; index--) operation = layers[index]?.get(key);
    return operation;
  }

  set(key: string, operation: Operation): void {
    this.top.set(key, operation);
  }

  /** Keeps the operations for which `keeps` returns true. */
  retain(keeps: (operation: Operation) => boolean): void {
    this.layers = [new Map([...this].filter(([, operation]) => keeps(operation)))];
    this.top = new Map();
  }

  copy(): MutableOperations {
    if (this.top.size < TOP_SIZE) return new MutableOperations(this.layers, new Map(this.top));
    const kept = [...this.layers];
    let merged: Layer = new Map(this.top);
    for (let below = kept.pop(); below !== undefined; below = kept.pop()) {
      if (below.size >= GROWTH * merged.size) {
        kept.push(below);
        break;
      }
      merged = mergedLayer([below, merged]);
    }
    return new MutableOperations([...kept, merged]);
  }

  [Symbol.iterator](): Iterator<[string, Operation]> {
    return mergedLayer([...this.layers, this.top]).entries();
  }
}

/** No operation. */
export const noOperations: Operations = new MutableOperations();

/** A key keeps its position in the lowest layer that has it, and gets the operation of the highest. */
function mergedLayer(layers: readonly Layer[]): Map<string, Operation> {
  const merged = new Map(layers[0]);
  for (const layer of layers.slice(1)) for (const [key, operation] of layer) merged.set(key, operation);
  return merged;
}
