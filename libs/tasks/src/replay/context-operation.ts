/** Describes the operations of the context: their functions, and the facts that other code needs. */
import type { TaskCreatedData } from '../domain/events.js';
import type { OwnerContexts } from '../ports/owner-context.js';
import type { SessionValueStore } from '../ports/session-values.js';
import type { ChildStarter } from './child-starter.js';
import type { LackingOperations } from './lacking.js';
import type { PassRun } from './pass-run.js';
import type { PlacedOperations } from './placed-operations.js';
import type { Reports } from './reports.js';
import type { SignalDoor } from './signal-door.js';
import type { StepSettings } from './steps.js';
import type { TaskContext } from './task-context.js';

/** Where randomness comes from; injected, so that tests can repeat it. */
export interface Randomness {
  /** From 0 to 1. */
  random(): number;
  uuid(): string;
}

/** Dependencies of a context. */
export interface ContextDependencies {
  readonly task: TaskCreatedData;
  readonly run: PassRun;
  readonly reports: Reports;
  readonly chance: Randomness;
  readonly sessionValues: SessionValueStore;
  readonly owners: OwnerContexts;
  /** Starts the tasks that the function calls. */
  readonly children: ChildStarter;
  readonly signals: SignalDoor;
  /** Notes what the function asks the context for in vain. */
  readonly lacking: LackingOperations;
  /** How long a step may take that names no limit, milliseconds. */
  readonly stepTimeoutMs: number;
  /** A try of a step that runs for longer than this is recorded as started, milliseconds. */
  readonly slowStepMs: number;
}

/** The input for making an operation. */
export interface OperationParts extends ContextDependencies, PlacedOperations {
  readonly settings: StepSettings;
}

/** The name of an operation: all that a context does for its function. */
export type OperationName = {
  [K in keyof TaskContext]-?: NonNullable<TaskContext[K]> extends (...args: never) => unknown ? K : never;
}[keyof TaskContext];

/** The members of a context that record something. `session` has its own operations. */
export type UsedName = OperationName | 'session';

/** An operation of the context. */
export interface ContextOperation<K extends UsedName = UsedName> {
  /**
   * What its records have as their key, after which uses are counted. `named`: what the author calls it. `several`: it is made of others.
   * `none`: it has no record of its own, or one without a key.
   */
  readonly key: `$${string}` | 'named' | 'several' | 'none';
  /** Whether it draws a value without waiting: then no operator would name it to continue from there. */
  readonly isDrawn: boolean;
  readonly make: (parts: OperationParts) => TaskContext[K];
}

/** Operations by their names. */
export type ContextOperations<K extends UsedName> = { readonly [N in K]: ContextOperation<N> };
