/** An operator's answer to a question, checked as a client's is. */
import { APPROVAL, describeIssues, withAnswerChecked } from '@longhaul/mcp-features';
import { isJsonObject } from '@longhaul/tasks';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { Refused } from '../http/problems.js';
const ELICITATION = 'elicitation/create';
/** Whether a question is for the user of an agent alone: whether the agent may call a tool. */
export function isApproval({ _meta: meta }) {
    return isJsonObject(meta) && meta[APPROVAL] === true;
}
/** @throws Refused 403 where operators answer nothing */
export function requireAnswers(areAllowed) {
    if (!areAllowed)
        throw new Refused(403, 'ANSWERS_SWITCHED_OFF', 'Operators answer no questions here: LONGHAUL_OPS_ANSWERS is 0.');
}
/** Whether operators may answer it: what is asked of a model or of a client's own files, nobody else can answer. */
export function isAnswerable({ method, params }) {
    return method === ELICITATION && !isApproval(params);
}
/**
 * Checks an answer against what was asked.
 *
 * @throws Refused 422 with the fields that do not fit; 409 for a question that operators may not answer
 */
export async function checkedAnswer({ method, params }, { action, content }) {
    if (method !== ELICITATION)
        throw new Refused(409, 'NOT_ANSWERABLE', `Only the client itself can answer a request of ${method}.`);
    if (isApproval(params))
        throw new Refused(409, 'APPROVAL_OF_USER', 'An agent asks its user whether it may call a tool: nobody else answers that in their place.');
    const given = ElicitResultSchema.parse({ action, ...(action === 'accept' && content !== undefined && { content }) });
    try {
        await withAnswerChecked(params, async () => given);
    }
    catch (error) {
        if (!(error instanceof z.ZodError))
            throw error;
        const errors = error.issues.map(({ path, message }) => ({ field: ['content', ...path.map(String)].join('.'), message }));
        throw new Refused(422, 'ANSWER_DOES_NOT_FIT', `The answer does not fit the question: ${describeIssues(error, 'content')}`, errors);
    }
    return { response: given };
}
//# sourceMappingURL=answer-of.js.map