/**
 * The Responses API of OpenAI. Nothing is stored at the endpoint: each request has the whole conversation, and what a model thinks comes
 * back encrypted, to be sent with the results of its calls. So a run continues in another process, and after the endpoint has forgotten it.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { ModelError } from '../model/model-error.js';
import type { OperatorSampling } from '../model/sampling.js';
import { withInstructions } from '../tool-modes/instructions.js';
import type { ShapedRequest } from '../tool-modes/tool-mode.js';
import { type BodyOptions, type EndpointApi, formatInstruction, mostTokens } from './endpoint-api.js';
import type { EndpointFacts, OptionalMember } from './endpoint-memory.js';
import { ResponseReader } from './response-reader.js';
import { responsesInput } from './responses-input.js';

/** Fewer tokens of an answer are refused. */
const LEAST_TOKENS = 16;
const THOUGHTS = 'reasoning.encrypted_content';

export const responsesApi: EndpointApi = {
  path: '/responses',
  hasAudio: false,
  body: responsesBody,
  probe: ({ model = '', instructions, input = [], store }) => ({
    model,
    ...(instructions !== undefined && { instructions }),
    input,
    ...(store !== undefined && { store }),
    max_output_tokens: LEAST_TOKENS,
  }),
  has: hasMember,
  reader: (_body, onDelta) => new ResponseReader(onDelta),
};

function responsesBody(shaped: ShapedRequest, options: BodyOptions): JsonObject {
  const { model, isStreamed, facts, sampling = {} } = options;
  if (sampling.stop !== undefined) throw new ModelError('REFUSED', `The Responses API has no "stop": leave it out of the sampling.`);
  const refuses = (member: OptionalMember): boolean => facts.refuses?.includes(member) === true;
  const { responseFormat } = shaped;
  const isInstructed = responseFormat !== undefined && refuses('response_format');
  const messages = isInstructed ? withInstructions(shaped.messages, [formatInstruction(responseFormat)]) : shaped.messages;
  const { instructions, input } = responsesInput(messages, { ...options, sendsThoughts: !refuses('thoughts') });
  const most = mostTokens(options);
  return {
    ...sampling.extraBody,
    model,
    ...(instructions !== undefined && { instructions }),
    input,
    ...(isStreamed && { stream: true }),
    ...(!refuses('store') && { store: false }),
    ...(!refuses('include') && { include: [...listIn(sampling, 'include'), THOUGHTS] }),
    ...toolMembers(shaped, facts, refuses('parallel_tool_calls')),
    ...(responseFormat !== undefined && !isInstructed && { text: { ...objectIn(sampling, 'text'), format: textFormat(responseFormat) } }),
    ...(most !== undefined && { max_output_tokens: Math.max(LEAST_TOKENS, most) }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.reasoningEffort !== undefined && {
      reasoning: { ...objectIn(sampling, 'reasoning'), effort: sampling.reasoningEffort },
    }),
  };
}

function toolMembers({ tools = [] }: ShapedRequest, { lacksToolParser }: EndpointFacts, refusesParallelCalls: boolean): JsonObject {
  if (tools.length === 0) return {};
  // Strict schemas are the default, and only some schemas may be strict.
  const offered = tools.map((tool) => ({ type: 'function', ...tool, strict: false }));
  if (lacksToolParser === true) return { tools: offered, tool_choice: 'none' };
  return { tools: offered, ...(!refusesParallelCalls && { parallel_tool_calls: true }) };
}

/** The format of chat completions, without its object around name and schema. */
function textFormat({ type = 'json_schema', json_schema: format }: JsonObject): JsonObject {
  return { type, ...(isJsonObject(format) && format) };
}

function hasMember(member: OptionalMember, body: JsonObject): boolean {
  switch (member) {
    case 'response_format':
      return isJsonObject(body['text']) && 'format' in body['text'];
    case 'thoughts':
      return (body['input'] as readonly Json[]).some((item) => isJsonObject(item) && item['type'] === 'reasoning');
    default:
      return member in body;
  }
}

/** What the operator has set of a member that the agent sets too. */
function objectIn({ extraBody = {} }: OperatorSampling, name: string): JsonObject {
  const set = extraBody[name];
  return isJsonObject(set) ? set : {};
}

function listIn({ extraBody = {} }: OperatorSampling, name: string): readonly Json[] {
  const set = extraBody[name];
  return Array.isArray(set) ? set.filter((each) => each !== THOUGHTS) : [];
}
