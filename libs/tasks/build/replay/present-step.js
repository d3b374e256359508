/** Which step's function runs, known to everything that it calls and starts. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TerminalError } from '../errors.js';
const steps = new AsyncLocalStorage();
/** Runs the function of a step. */
export function inStep(step, body) {
    return steps.run(step, body, step.context);
}
/** The step whose function runs, of any task. */
export function presentStep() {
    return steps.getStore();
}
/**
 * Refuses an operation within a step of the same pass: its record would be one that no replay asks for, since that gets the value of the
 * step and does not run it.
 *
 * @param used what was used, as in `sleep "nap"`
 * @throws TerminalError
 */
export function requireNoStep(pass, tool, used, remedy = 'move it out of the step') {
    const step = presentStep();
    if (step?.pass === pass)
        throw new TerminalError(`Tool "${tool}" uses context.${used.replace(/ (".*")$/s, '($1)')} within step "${step.key}", where a replay never comes to it: ${remedy}.`);
}
//# sourceMappingURL=present-step.js.map