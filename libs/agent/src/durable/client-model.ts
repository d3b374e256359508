import { type DurableContext, hasCapability } from '@longhaul/mcp-features';
import { TaskError } from '@longhaul/tasks';
import type { CreateMessageRequestParamsBase, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ChatModel, ChatReply, ChatRequest } from '../model/chat-model.js';
import { ModelError } from '../model/model-error.js';
import type { Sampling } from '../model/sampling.js';
import { toolModes } from '../tool-modes/tool-modes.js';
import { sampledReply, samplingMessages, systemPromptOf } from './sampling-messages.js';

/** The protocol wants a limit of what a model may write. */
const MAX_TOKENS = 8_192;

/**
 * The model of the task's client, for operators without a model. It is asked by sampling. Tools are in their own field if the client takes
 * them (`sampling.tools`), otherwise the prompt describes them. Each call is a recorded operation of the task, so it must not be made
 * within a step.
 */
export function createClientModel(context: Pick<DurableContext, 'client' | 'sample'>, sampling: Sampling = {}): ChatModel {
  const takesTools = hasCapability(context.client.capabilities, 'sampling.tools');
  return {
    name: 'the model of the client',
    takesImages: true,
    takesAudio: true,
    complete: async (request) => {
      try {
        return takesTools ? await askNatively(context, request, sampling) : await askByText(context, request, sampling);
      } catch (error) {
        throw error instanceof TaskError ? modelError(error) : error;
      }
    },
  };
}

async function askNatively({ sample }: Pick<DurableContext, 'sample'>, request: ChatRequest, sampling: Sampling): Promise<ChatReply> {
  const tools = request.tools.map(({ name, description, parameters }): ListedTool => ({
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters as ListedTool['inputSchema'],
  }));
  const { content } =
    tools.length === 0 ? await sample(paramsOf(request, sampling)) : await sample({ ...paramsOf(request, sampling), tools });
  return { ...sampledReply(content), mode: 'native' };
}

async function askByText({ sample }: Pick<DurableContext, 'sample'>, request: ChatRequest, sampling: Sampling): Promise<ChatReply> {
  const codec = toolModes.textual;
  const { messages } = codec.request(request);
  const { content } = await sample(paramsOf({ ...request, messages }, sampling));
  const { content: text } = sampledReply(content);
  return { ...codec.reply({ content: text, toolCalls: [] }, request), mode: 'textual' };
}

function paramsOf({ messages, maxTokens }: ChatRequest, sampling: Sampling): CreateMessageRequestParamsBase {
  const systemPrompt = systemPromptOf(messages);
  return {
    messages: samplingMessages(messages),
    maxTokens: Math.min(maxTokens ?? MAX_TOKENS, sampling.maxTokens ?? MAX_TOKENS),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.stop !== undefined && { stopSequences: [...sampling.stop] }),
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
