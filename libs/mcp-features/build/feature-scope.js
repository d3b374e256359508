/**
 * Which feature's code runs: known to everything that it starts, its timers and forgotten promises included, so that an
 * error that nobody catches can be laid at its door.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
const scopes = new AsyncLocalStorage();
/** Runs code of a feature. */
export function inFeature(scope, run) {
    return scopes.run(scope, run);
}
/** The feature whose code runs, or whose code has begun what runs. */
export function presentFeature() {
    return scopes.getStore();
}
//# sourceMappingURL=feature-scope.js.map