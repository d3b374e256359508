/** Quotes the refusals of OpenAI-compatible servers, word for word. */
import type { JsonObject } from '@longhaul/tasks';
import type { ScriptedReply } from './scripted-reply.js';

/** A server that is imitated. */
export type Dialect = 'openai' | 'vllm' | 'llama.cpp' | 'ollama';

function vllmError(message: string, code = 400, type = 'BadRequestError'): ScriptedReply {
  return { status: code, body: { error: { message, type, param: null, code } } };
}

function openaiError(status: number, error: JsonObject): ScriptedReply {
  return { status, body: { error: { param: null, ...error } } };
}

/** The conversation is longer than the model's context. Ollama cuts it silently, and has no such answer. */
export function contextOverflow(dialect: Exclude<Dialect, 'ollama'>, { promptTokens = 9000, contextTokens = 4096 } = {}): ScriptedReply {
  switch (dialect) {
    case 'openai':
      return openaiError(400, {
        message: `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      });
    case 'vllm':
      return vllmError(
        `The input (${promptTokens} tokens) is longer than the model's context length is only ${contextTokens} tokens. Please reduce the length of the input.`,
      );
    case 'llama.cpp':
      return {
        status: 400,
        body: {
          error: {
            code: 400,
            message: 'the request exceeds the available context size, try increasing it',
            type: 'exceed_context_size_error',
            n_prompt_tokens: promptTokens,
            n_ctx: contextTokens,
          },
        },
      };
  }
}

/** The endpoint does not have the model. */
export function unknownModel(dialect: Dialect, model: string): ScriptedReply {
  switch (dialect) {
    case 'openai':
      return openaiError(404, {
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        type: 'invalid_request_error',
        code: 'model_not_found',
      });
    case 'vllm':
      return vllmError(`The model \`${model}\` does not exist.`, 404, 'NotFoundError');
    case 'llama.cpp':
      return { status: 400, body: { error: { code: 400, message: `model '${model}' not found`, type: 'invalid_request_error' } } };
    case 'ollama':
      return openaiError(404, { message: `model "${model}" not found, try pulling it first`, type: 'api_error', code: null });
  }
}

/** vLLM was started without a parser for tool calls. */
export function parserMissing(): ScriptedReply {
  return vllmError('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
}

/** vLLM does not take an empty list of tools. */
export function toolsEmpty(): ScriptedReply {
  return vllmError('Value error, `tools` must not be an empty array. Either provide at least one tool or omit the field entirely.');
}

/** The model's template has no tools, says Ollama. */
export function toolsUnsupported(model: string): ScriptedReply {
  return openaiError(400, { message: `registry.ollama.ai/library/${model} does not support tools`, type: 'api_error', code: null });
}

/** The endpoint takes no more for now. */
export function rateLimited(headers: Readonly<Record<string, string>> = { 'retry-after': '1' }): ScriptedReply {
  return { ...openaiError(429, { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' }), headers };
}
