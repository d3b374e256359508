import { presentStep } from './present-step.js';
/**
 * The owner, to a function that runs again from its start in every pass: nothing but steps reads and changes what is kept.
 *
 * @returns what throws a `TypeError` that says so when it is used elsewhere, and rejects with the reason of the step's signal when
 *   a step that was aborted would change something
 */
export function withinSteps(owner) {
    return {
        collection: (name, options) => collectionWithinSteps(name, owner.collection(name, options)),
        resourceUpdated(uri) {
            requireStep('resourceUpdated');
            owner.resourceUpdated(uri);
        },
    };
}
function collectionWithinSteps(name, collection) {
    const stepOf = (method) => requireStep(`collection(${JSON.stringify(name)}).${method}`);
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
/** Thrown, not rejected: a promise that nobody awaits would hide it. */
function requireStep(used) {
    const step = presentStep();
    if (step === undefined)
        throw new TypeError(`owner.${used} is used outside of a step, where each replay would do it again: put it into context.step(…).`);
    return step.context;
}
//# sourceMappingURL=owner-in-steps.js.map