/** Makes the `TaskContext` of a pass: names become keys, calls become asked operations. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountsOf } from '../write/accounts.js';
import { checkedName } from '../ports/session-values.js';
import { Changes } from './changes.js';
import { requireCapability, requireSession } from './required-capability.js';
import { askClientTask } from './client-task.js';
import { elicitationCompleteParams, logParams } from './notification-params.js';
import { withinSteps } from './owner-in-steps.js';
import { requireNoStep } from './present-step.js';
import { toJson } from './recorded-error.js';
import { askStep, recordedValue } from './steps.js';
import { askInput, askTimer } from './waits.js';
/** Builds the context that the author's function is called with. */
export function createTaskContext(dependencies) {
    const { task, run, reports, chance, owners } = dependencies;
    const { taskId, state } = run.journal;
    const settings = stepSettings(dependencies);
    const changes = new Changes(run);
    const hasSession = task.sessionId !== undefined;
    const operation = (name, begin) => run.promise(name, () => {
        requireNoStep(run, task.tool, name);
        return begin();
    });
    const drawn = (name, used, instead, draw) => {
        requireNoStep(run, task.tool, used, `use ${instead} there`);
        return recordedValue(run, name, draw);
    };
    const ask = (name, method, params, request) => operation(name, async () => {
        requireCapability(task.client, method, params, hasSession);
        return request();
    });
    return {
        taskId,
        attempt: state.attempt,
        get signal() {
            return run.signal;
        },
        client: task.client,
        auth: task.auth,
        ...(task.progressToken !== undefined && { progressToken: task.progressToken }),
        session: sessionValues(dependencies, operation),
        owner: task.recordOwner && withinSteps(owners(task.recordOwner)),
        step: (name, body, options) => operation(`step "${name}"`, () => askStep(run, run.keys.named(name), body, options, settings)),
        sleep: (name, ms) => operation(`sleep "${name}"`, () => askTimer(run, run.keys.named(name), ms)),
        elicit: (params) => ask('elicit', 'elicitation/create', params, () => askInput(run, '$elicit', 'elicitation/create', params)),
        sample: (params) => ask('sample', 'sampling/createMessage', params, () => askInput(run, '$sample', 'sampling/createMessage', params)),
        listRoots: () => ask('listRoots', 'roots/list', {}, async () => (await askInput(run, '$roots', 'roots/list', {})).roots),
        ping: () => operation('ping', async () => {
            if (task.client.generation === '2026-07-28')
                return;
            requireSession(hasSession);
            await askInput(run, '$ping', 'ping', {});
        }),
        clientTask: (request, options) => ask('clientTask', request.method, request.params, () => askClientTask(run, task.client, request, options)),
        continueAsNew: (args) => operation('continueAsNew', () => continueAsNew(run, args)),
        changed(name) {
            requireNoStep(run, task.tool, 'changed');
            return changes.has(name);
        },
        status: (message) => reports.status(message),
        progress: (report) => reports.report(report),
        log: (level, data, logger) => reports.notify('notifications/message', logParams(level, data, logger)),
        elicitationComplete: (elicitationId) => reports.notify('notifications/elicitation/complete', elicitationCompleteParams(elicitationId)),
        now: () => drawn('$now', 'now', 'Date.now()', () => run.clock()),
        randomUUID: () => drawn('$uuid', 'randomUUID', 'crypto.randomUUID()', () => chance.uuid()),
    };
}
/** Never settles: the function is left behind. */
async function continueAsNew(run, args) {
    const draft = { type: 'ContinueAsNew', arguments: toJson(args, 'The arguments of continueAsNew') };
    await nextTurn(); // By then the function awaits this, like everything else that it has started.
    run.finish(draft, true);
    return new Promise(() => undefined);
}
function stepSettings({ stepTimeoutMs, slowStepMs, chance }) {
    return { stepTimeoutMs, slowStepMs, random: () => chance.random() };
}
/**
 * Values of the client's session, or of the owner where there is no session, or of the task alone where the owner is
 * everybody whom nobody knows. Each access is a recorded step.
 */
function sessionValues(dependencies, operation) {
    const { task, run, sessionValues: values } = dependencies;
    const ofTask = task.forkedFrom?.firstTaskId ?? run.journal.taskId;
    const session = task.sessionId ?? (accountsOf(task).includes(task.owner) ? task.owner : ofTask);
    const account = accountsOf(task).at(-1);
    const settings = stepSettings(dependencies);
    const step = (name, body) => operation(`session.${name}`, () => askStep(run, run.keys.own('$session'), body, undefined, settings));
    return {
        get: (name) => step('get', () => values.get(session, checkedName(name))),
        set: (name, value) => step('set', () => values.set(session, checkedName(name), value, account)),
        delete: (name) => step('delete', async () => void (await values.delete(session, checkedName(name)))),
    };
}
//# sourceMappingURL=context.js.map