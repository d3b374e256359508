/** The chat completions of OpenAI, which almost all endpoints offer. */
import { isJsonObject, type JsonObject } from '@longhaul/tasks';
import { samplingMembers } from '../model/sampling.js';
import { withInstructions } from '../tool-modes/instructions.js';
import type { ShapedRequest } from '../tool-modes/tool-mode.js';
import { CompletionBuilder } from './completion.js';
import { type BodyOptions, type EndpointApi, formatInstruction, mostTokens } from './endpoint-api.js';
import type { EndpointFacts, OptionalMember } from './endpoint-memory.js';
import { wireMessages } from './wire-messages.js';

export const chatApi: EndpointApi = {
  path: '/chat/completions',
  hasAudio: true,
  body: chatBody,
  probe: ({ model = '', messages = [] }) => ({ model, messages, max_tokens: 1 }),
  has: (member, body) => member in body,
  reader: (body, onDelta) => new CompletionBuilder(onDelta, toolNamesOf(body)),
};

function chatBody(shaped: ShapedRequest, options: BodyOptions): JsonObject {
  const { model, taken, isStreamed, facts, sampling = {} } = options;
  const refuses = (member: OptionalMember): boolean => facts.refuses?.includes(member) === true;
  const { responseFormat } = shaped;
  const isInstructed = responseFormat !== undefined && refuses('response_format');
  const messages = wireMessages(
    isInstructed ? withInstructions(shaped.messages, [formatInstruction(responseFormat)]) : shaped.messages,
    taken,
  );
  const most = mostTokens(options);
  return {
    ...sampling.extraBody,
    model,
    messages: messages as unknown as JsonObject[],
    ...(isStreamed && { stream: true, ...(!refuses('stream_options') && { stream_options: { include_usage: true } }) }),
    ...toolMembers(shaped, facts, refuses('parallel_tool_calls')),
    ...(responseFormat !== undefined && !isInstructed && { response_format: responseFormat }),
    ...(most !== undefined && { [refuses('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: most }),
    ...samplingMembers(sampling),
  };
}

function toolMembers({ tools = [] }: ShapedRequest, { lacksToolParser }: EndpointFacts, refusesParallelCalls: boolean): JsonObject {
  // An empty list is refused by vLLM.
  if (tools.length === 0) return {};
  const offered = tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));
  // The template still shows the tools, and some models write their calls with special tokens.
  if (lacksToolParser === true) return { tools: offered, tool_choice: 'none', skip_special_tokens: false };
  // One call at a time is the default of llama.cpp.
  return { tools: offered, ...(!refusesParallelCalls && { parallel_tool_calls: true }) };
}

function toolNamesOf({ tools }: JsonObject): ReadonlySet<string> {
  const names = (Array.isArray(tools) ? tools : []).map(
    (tool) => isJsonObject(tool) && isJsonObject(tool['function']) && tool['function']['name'],
  );
  return new Set(names.filter((name) => typeof name === 'string'));
}
