import { withInstructions } from '../tool-modes/instructions.js';
import { wireMessages } from './wire-messages.js';
/** The body of a request for a chat completion. What the endpoint is known to refuse is left out, or said in other words. */
export function requestBody(shaped, { model, takesImages, isStreamed, maxTokens, facts }) {
    const refuses = (member) => facts.refuses?.includes(member) === true;
    const { responseFormat } = shaped;
    const isInstructed = responseFormat !== undefined && refuses('response_format');
    const messages = wireMessages(isInstructed ? withInstructions(shaped.messages, [formatInstruction(responseFormat)]) : shaped.messages, takesImages);
    return {
        model,
        messages: messages,
        ...(isStreamed && { stream: true, ...(!refuses('stream_options') && { stream_options: { include_usage: true } }) }),
        ...toolMembers(shaped, facts, refuses('parallel_tool_calls')),
        ...(responseFormat !== undefined && !isInstructed && { response_format: responseFormat }),
        ...(maxTokens !== undefined && { [refuses('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    };
}
function toolMembers({ tools = [] }, { lacksToolParser }, refusesParallelCalls) {
    // An empty list is refused by vLLM.
    if (tools.length === 0)
        return {};
    const offered = tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));
    // The template shows the tools all the same, and some models write their calls with special tokens.
    if (lacksToolParser === true)
        return { tools: offered, tool_choice: 'none', skip_special_tokens: false };
    // One call at a time is the default of llama.cpp.
    return { tools: offered, ...(!refusesParallelCalls && { parallel_tool_calls: true }) };
}
function formatInstruction(responseFormat) {
    return `Write nothing but JSON that fits this format: ${JSON.stringify(responseFormat['json_schema'] ?? responseFormat)}`;
}
//# sourceMappingURL=request-body.js.map