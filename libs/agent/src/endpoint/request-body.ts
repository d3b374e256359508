import type { JsonObject } from '@longhaul/tasks';
import { type OperatorSampling, samplingMembers } from '../model/sampling.js';
import { withInstructions } from '../tool-modes/instructions.js';
import type { ShapedRequest } from '../tool-modes/tool-mode.js';
import type { EndpointFacts, OptionalMember } from './endpoint-memory.js';
import { wireMessages } from './wire-messages.js';

/** The parts of a body that are not in the shaped request. */
export interface BodyOptions {
  readonly model: string;
  readonly takesImages: boolean;
  readonly isStreamed: boolean;
  readonly maxTokens: number | undefined;
  readonly facts: EndpointFacts;
  readonly sampling?: OperatorSampling | undefined;
}

/** The body of a request for a chat completion. Members that the endpoint is known to refuse are left out, or expressed differently. */
export function requestBody(
  shaped: ShapedRequest,
  { model, takesImages, isStreamed, maxTokens, facts, sampling = {} }: BodyOptions,
): JsonObject {
  const refuses = (member: OptionalMember): boolean => facts.refuses?.includes(member) === true;
  const { responseFormat } = shaped;
  const isInstructed = responseFormat !== undefined && refuses('response_format');
  const messages = wireMessages(
    isInstructed ? withInstructions(shaped.messages, [formatInstruction(responseFormat)]) : shaped.messages,
    takesImages,
  );
  const most = Math.min(maxTokens ?? Infinity, sampling.maxTokens ?? Infinity);
  return {
    ...sampling.extraBody,
    model,
    messages: messages as unknown as JsonObject[],
    ...(isStreamed && { stream: true, ...(!refuses('stream_options') && { stream_options: { include_usage: true } }) }),
    ...toolMembers(shaped, facts, refuses('parallel_tool_calls')),
    ...(responseFormat !== undefined && !isInstructed && { response_format: responseFormat }),
    ...(most !== Infinity && { [refuses('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: most }),
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

function formatInstruction(responseFormat: JsonObject): string {
  return `Write nothing but JSON that fits this format: ${JSON.stringify(responseFormat['json_schema'] ?? responseFormat)}`;
}
