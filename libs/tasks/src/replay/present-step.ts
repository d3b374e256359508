/** Knows which step's function runs, for everything that the function calls and starts. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Spending } from '../domain/spending.js';
import { TerminalError } from '../errors.js';
import type { StepContext } from './step-context.js';

/** A step with a running function. */
export interface PresentStep {
  readonly key: string;
  /** Stands for the pass that runs it. */
  readonly pass: object;
  readonly context: StepContext;
  /** Counts what its function has spent. */
  readonly spend: (amount: Spending) => void;
}

const steps = new AsyncLocalStorage<PresentStep>();

/** Runs the function of a step. */
export function inStep<T>(step: PresentStep, body: (step: StepContext) => T): T {
  return steps.run(step, body, step.context);
}

/** The step of any task that is running here. */
export function presentStep(): PresentStep | undefined {
  return steps.getStore();
}

/**
 * Refuses an operation within a step of the same pass: its record would be one that no replay asks for, since that gets the value of the
 * step and does not run it.
 *
 * @param used what was used, as in `sleep "nap"`
 * @throws TerminalError
 */
export function requireNoStep(pass: object, tool: string, used: string, remedy = 'move it out of the step'): void {
  const step = presentStep();
  if (step?.pass === pass)
    throw new TerminalError(
      `Tool "${tool}" uses context.${used.replace(/ (".*")$/s, '($1)')} within step "${step.key}", where a replay never comes to it: ${remedy}.`,
    );
}
