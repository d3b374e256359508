import { hasCapability } from '@longhaul/mcp-features';
import { TaskError } from '@longhaul/tasks';
import { ModelError } from '../model/model-error.js';
import { toolModes } from '../tool-modes/tool-modes.js';
import { sampledReply, samplingMessages, systemPromptOf } from './sampling-messages.js';
/** The protocol wants a limit of what a model may write. */
const MAX_TOKENS = 8_192;
/**
 * The model of the task's client, where the operator has none: asked by sampling, with tools in its own field if the client takes
 * them (`sampling.tools`), otherwise described in the prompt. Each call is an operation of the task: it is recorded by itself, so it
 * must not be made within a step.
 */
export function createClientModel(context) {
    const takesTools = hasCapability(context.client.capabilities, 'sampling.tools');
    return {
        name: 'the model of the client',
        takesImages: true,
        complete: async (request) => {
            try {
                return takesTools ? await askNatively(context, request) : await askByText(context, request);
            }
            catch (error) {
                throw error instanceof TaskError ? modelError(error) : error;
            }
        },
    };
}
async function askNatively({ sample }, request) {
    const tools = request.tools.map(({ name, description, parameters }) => ({
        name,
        ...(description !== undefined && { description }),
        inputSchema: parameters,
    }));
    const { content } = tools.length === 0 ? await sample(paramsOf(request)) : await sample({ ...paramsOf(request), tools });
    return { ...sampledReply(content), mode: 'native' };
}
async function askByText({ sample }, request) {
    const codec = toolModes.textual;
    const { messages } = codec.request(request);
    const { content } = await sample(paramsOf({ ...request, messages }));
    const { content: text } = sampledReply(content);
    const { problem: _, ...reply } = codec.reply({ content: text, toolCalls: [] }, request);
    return { ...reply, mode: 'textual' };
}
function paramsOf({ messages, maxTokens = MAX_TOKENS }) {
    const systemPrompt = systemPromptOf(messages);
    return {
        messages: samplingMessages(messages),
        maxTokens,
        ...(systemPrompt !== undefined && { systemPrompt }),
    };
}
/** None of these goes away by itself: the client has a person who can be asked again. */
function modelError({ code, message }) {
    return new ModelError(code === 'NOT_SERIALIZABLE' ? 'CONTEXT_OVERFLOW' : 'REFUSED', `The client's model was not asked, or refused: ${message}`);
}
//# sourceMappingURL=client-model.js.map