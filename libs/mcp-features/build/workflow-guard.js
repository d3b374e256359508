/**
 * Finds what a durable tool does outside of steps that a replay would do again, with another outcome: time, randomness, requests. While
 * it is on, such functions of the process are wrapped by ones that look at who calls them; it is for development and for tests, finds
 * what goes through these functions, and changes nothing of what they do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { callSite } from './call-site.js';
import { wrapGuarded } from './guarded-functions.js';
function newGuard(onWarning) {
    return { onWarning, known: new Set(), stepPlaces: new Map() };
}
/** Guards of a part of the process, such as one test. */
const guards = new AsyncLocalStorage();
let guardOfProcess;
const workflows = new AsyncLocalStorage();
/** From now on warns of durable tools of this process. @returns ends it */
export function guardWorkflows(onWarning) {
    const unwrap = wrapGuarded(leave);
    const guard = newGuard(onWarning);
    guardOfProcess = guard;
    return () => {
        if (guardOfProcess === guard)
            guardOfProcess = undefined;
        unwrap();
    };
}
/** From now on, each is a line of the log. @returns ends it */
export function logWorkflowWarnings(log) {
    return guardWorkflows(({ tool, message }) => log.warn({ tool }, message));
}
/** Warns of durable tools that run within `work`. */
export async function whileGuarded(onWarning, work) {
    const unwrap = wrapGuarded(leave);
    try {
        return await guards.run(newGuard(onWarning), work);
    }
    finally {
        unwrap();
    }
}
/** Runs the code of a workflow with its context, which it leaves with each operation. */
export function asWorkflow(tool, context, run) {
    const guard = guards.getStore() ?? guardOfProcess;
    if (guard === undefined)
        return run(context);
    const code = { tool, guard };
    return workflows.run(code, () => run(guardedContext(context, code)));
}
/** The context, whose operations are no code of the workflow. */
function guardedContext(context, code) {
    const uses = new Map();
    const guarded = leaving(context, (name, args, called) => {
        if (name === 'step' && typeof args[0] === 'string')
            checkStepSite(code, uses, args[0], called);
    });
    // Made when somebody looks at it.
    return Object.defineProperty(guarded, 'signal', { get: () => Reflect.get(context, 'signal'), enumerable: true });
}
/** @param before called with each operation that is called, and with what stands in its place */
function leaving(operations, before = () => undefined) {
    const members = Object.entries(operations).map(([name, member]) => {
        if (name === 'session')
            return [name, leaving(member)];
        if (typeof member !== 'function')
            return [name, member];
        const operation = (...args) => {
            before(name, args, operation);
            return workflows.run(undefined, () => Reflect.apply(member, operations, args));
        };
        return [name, operation];
    });
    return Object.fromEntries(members);
}
/**
 * Uses of a name are distinguished by their order only. Each is looked at once: later passes come to the same places.
 *
 * @param uses of this pass, by name
 */
function checkStepSite(code, uses, name, called) {
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    const { stepPlaces } = code.guard;
    const key = `${code.tool} ${name}`;
    if (stepPlaces.has(`${key}:${use}`))
        return;
    if (stepPlaces.size >= MAX_KNOWN)
        stepPlaces.clear();
    const { place } = callSite(called);
    stepPlaces.set(`${key}:${use}`, place);
    const first = stepPlaces.get(`${key}:1`) ?? place;
    if (first !== place)
        warn(code, `step ${name} ${place}`, `uses the step name "${name}" in two places (${first}, ${place}): a task that runs while their order changes gives each the value of the other. Name them differently.`);
}
/** A process that runs for long may come to know so many names of steps that it begins again. */
const MAX_KNOWN = 10_000;
function warn({ tool, guard }, key, text) {
    const known = `${tool} ${key}`;
    if (guard.known.size >= MAX_KNOWN)
        guard.known.clear();
    if (guard.known.has(known))
        return;
    guard.known.add(known);
    guard.onWarning({ tool, message: `Tool "${tool}" ${text}` });
}
/** Does what code of a workflow has asked for, outside of it, and warns of that. */
function leave({ used, remedy, isOfLibraries = false, isIdle }, called, use) {
    const code = workflows.getStore();
    if (code === undefined)
        return use();
    const { place, isLibrary } = callSite(called);
    const text = `uses ${used} outside of a step, at ${place}: a replay gets another value. Instead, ${remedy}.`;
    const result = workflows.run(undefined, use);
    if (isOfLibraries && isLibrary)
        return result;
    if (isIdle === undefined)
        warn(code, `${used} ${place}`, text);
    else
        queueMicrotask(() => {
            if (!isIdle(result))
                warn(code, `${used} ${place}`, text);
        });
    return result;
}
//# sourceMappingURL=workflow-guard.js.map