/**
 * Knows which feature's code runs. Everything that the code starts inherits this, also timers and forgotten promises. So an uncaught error
 * can be attributed to its feature.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Code that somebody else has written. */
export interface FeatureScope {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'resource-template' | 'session-job' | 'module';
  readonly name: string;
  /** The task that it runs for, if it does for one. */
  readonly taskId?: string;
}

const scopes = new AsyncLocalStorage<FeatureScope>();

/** Runs code of a feature. */
export function inFeature<T>(scope: FeatureScope, run: () => T): T {
  return scopes.run(scope, run);
}

/** The feature of the running code, or of the code that started it. */
export function presentFeature(): FeatureScope | undefined {
  return scopes.getStore();
}
