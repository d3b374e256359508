import { readTextualCalls } from '../textual-calls/read-textual-calls.js';
import { separateReasoning } from '../textual-calls/separate-reasoning.js';
import { callIds, withUniqueIds } from '../conversation/call-ids.js';
/**
 * Reads a reply: the reasoning first, if the endpoint has not separated it. Calls that the endpoint found win; the text is read
 * only if there are none.
 */
export function readReply(raw, request, readText) {
    const { content, reasoning } = raw.reasoning === undefined ? separateReasoning(raw.content) : raw;
    const isSilent = content.trim() === '' || raw.toolCalls.length > 0;
    const said = isSilent ? { content, calls: withUniqueIds(raw.toolCalls, request.messages) } : readText(content, request);
    return {
        content: said.content,
        toolCalls: said.calls,
        ...(reasoning !== undefined && { reasoning }),
        ...(said.problem && { problem: said.problem }),
    };
}
/** Reads calls in any of the forms that models are trained on. */
export function readForms(text, request) {
    return request.tools.length === 0 ? { content: text, calls: [] } : readTextualCalls(text, request.tools, callIds(request.messages));
}
//# sourceMappingURL=read-reply.js.map