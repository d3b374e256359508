/**
 * Which feature's code runs: known to everything that it starts, its timers and forgotten promises included, so that an
 * error that nobody catches can be laid at its door.
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

/** The feature whose code runs, or whose code has begun what runs. */
export function presentFeature(): FeatureScope | undefined {
  return scopes.getStore();
}
