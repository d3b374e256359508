/**
 * What is asked of a client, in the words of this revision: it has neither the id of a URL elicitation nor
 * tasks of the client's own, so a request that offers those is asked without them.
 */
import { missingCapability } from '@longhaul/tasks';
import { inputAnswerOf } from '../../rpc/tasks/client-response.js';
/** The requests that this revision has. */
const METHODS = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);
/** Whether a client of this revision can be asked by the method. */
export function canBeAsked(method) {
    return METHODS.has(method);
}
/**
 * The requests as the client gets them. Those that it cannot be asked are left out.
 *
 * @param capabilities that the request declares which is answered: another one than that which created the task may declare less
 */
export function inputRequestsOf(asked, capabilities) {
    const shown = asked.filter(({ method, params }) => canBeAsked(method) && missingCapability(capabilities, method, params) === undefined);
    return Object.fromEntries(shown.map(({ key, ...request }) => [key, inputRequest(request)]));
}
export function inputRequest({ method, params }) {
    const { task: _task, elicitationId: _elicitationId, ...rest } = params;
    return { method, params: rest };
}
/** What the client has answered a request with: an error when it does not have the shape which the request wants. */
export function answerTo(asked, result) {
    return inputAnswerOf(inputRequest(asked), { result });
}
//# sourceMappingURL=input-requests.js.map