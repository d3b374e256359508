import { type DurableContext, hasCapability } from '@longhaul/mcp-features';
import { TaskError } from '@longhaul/tasks';
import type { CreateMessageRequestParamsBase, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ChatModel, ChatReply, ChatRequest } from '../model/chat-model.js';
import { ModelError } from '../model/model-error.js';
import { toolModes } from '../tool-modes/tool-modes.js';
import { sampledReply, samplingMessages, systemPromptOf } from './sampling-messages.js';

/** The protocol wants a limit of what a model may write. */
const MAX_TOKENS = 8_192;

/**
 * The model of the task's client, for operators without a model. It is asked by sampling. Tools are in their own field if the client takes
 * them (`sampling.tools`), otherwise the prompt describes them. Each call is a recorded operation of the task, so it must not be made
 * within a step.
 */
export function createClientModel(context: Pick<DurableContext, 'client' | 'sample'>): ChatModel {
  const takesTools = hasCapability(context.client.capabilities, 'sampling.tools');
  return {
    name: 'the model of the client',
    takesImages: true,
    complete: async (request) => {
      try {
        return takesTools ? await askNatively(context, request) : await askByText(context, request);
      } catch (error) {
        throw error instanceof TaskError ? modelError(error) : error;
      }
    },
  };
}

async function askNatively({ sample }: Pick<DurableContext, 'sample'>, request: ChatRequest): Promise<ChatReply> {
  const tools = request.tools.map(({ name, description, parameters }): ListedTool => ({
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters as ListedTool['inputSchema'],
  }));
  const { content } = tools.length === 0 ? await sample(paramsOf(request)) : await sample({ ...paramsOf(request), tools });
  return { ...sampledReply(content), mode: 'native' };
}

async function askByText({ sample }: Pick<DurableContext, 'sample'>, request: ChatRequest): Promise<ChatReply> {
  const codec = toolModes.textual;
  const { messages } = codec.request(request);
  const { content } = await sample(paramsOf({ ...request, messages }));
  const { content: text } = sampledReply(content);
  return { ...codec.reply({ content: text, toolCalls: [] }, request), mode: 'textual' };
}

function paramsOf({ messages, maxTokens = MAX_TOKENS }: ChatRequest): CreateMessageRequestParamsBase {
  const systemPrompt = systemPromptOf(messages);
  return {
    messages: samplingMessages(messages),
    maxTokens,
    ...(systemPrompt !== undefined && { systemPrompt }),
  };
}

/** None of these goes away by itself: the client has a person who can be asked again. */
function modelError({ code, message }: TaskError): ModelError {
  return new ModelError(
    code === 'NOT_SERIALIZABLE' ? 'CONTEXT_OVERFLOW' : 'REFUSED',
    `The client's model was not asked, or refused: ${message}`,
  );
}
