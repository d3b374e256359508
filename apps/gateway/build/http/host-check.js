import { createHostCheck as createFindHostProblem } from '@longhaul/runtime/host-check';
import { cutText } from '@longhaul/tasks';
import { Refusal, RpcCode } from '../rpc/errors.js';
const MAX_SHOWN_BYTES = 200;
/** Refuses requests that ask for another name, or come from pages of other places. */
export function createHostCheck(options) {
    const find = createFindHostProblem(options);
    return (request) => {
        const problem = find(request);
        if (problem !== undefined)
            throw refusalOf(problem);
    };
}
function refusalOf({ kind, value }) {
    switch (kind) {
        case 'two hosts':
            return new Refusal(400, RpcCode.Transport, 'The header Host came more than once.');
        case 'host':
            return refusal(`Host ${shown(value)} is not served here. LONGHAUL_ALLOWED_HOSTS names the ones that are.`);
        case 'origin':
            return refusal(`Origin ${shown(value)} is not allowed. LONGHAUL_ALLOWED_ORIGINS names the ones that are.`);
    }
}
/** It is logged and answered, and may be as long as all headers. */
function shown(value) {
    return JSON.stringify(cutText(value, MAX_SHOWN_BYTES));
}
function refusal(message) {
    return new Refusal(403, RpcCode.Transport, message);
}
//# sourceMappingURL=host-check.js.map