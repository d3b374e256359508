/** Checks that a task accesses its owner's records only in steps: that is I/O like any other, and steps are recorded. */
import type { OwnerCollection, OwnerContext } from '../ports/owner-context.js';
import { presentStep } from './present-step.js';
import type { StepContext } from './step-context.js';

/**
 * The owner, for a function that runs again from its start in every pass: only steps read and change the records.
 *
 * @returns what throws a `TypeError` that says so when it is used elsewhere, and rejects with the reason of the step's signal when
 *   a step that was aborted would change something
 */
export function withinSteps(owner: OwnerContext): OwnerContext {
  return {
    key: owner.key,
    collection: (name, options) => collectionWithinSteps(name, owner.collection(name, options)),
    resourceUpdated(uri) {
      requireStep('resourceUpdated');
      owner.resourceUpdated(uri);
    },
  };
}

function collectionWithinSteps(name: string, collection: OwnerCollection): OwnerCollection {
  const stepOf = (method: string): StepContext => requireStep(`collection(${JSON.stringify(name)}).${method}`);
  return {
    read(look) {
      stepOf('read');
      return collection.read(look);
    },
    update(decide) {
      const { signal } = stepOf('update');
      return collection.update((records) => {
        // Another worker may be running the step by now.
        signal.throwIfAborted();
        return decide(records);
      });
    },
  };
}

/** Thrown, not rejected: a promise that is never awaited would hide it. */
function requireStep(used: string): StepContext {
  const step = presentStep();
  if (step === undefined)
    throw new TypeError(`owner.${used} is used outside of a step, where each replay would do it again: put it into context.step(…).`);
  return step.context;
}
