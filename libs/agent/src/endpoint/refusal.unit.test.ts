import { describe, expect, it } from 'vitest';
import { contextOverflow } from '../testing/scripted-endpoint.js';
import { redaction } from './redaction.js';
import { endpointRefusal } from './refusal.js';

const redact = redaction([]);

/** The obstacle that an answer 400 with this message reports, and the share of the conversation that fits. */
function readMessage(message: string, status = 400): { obstacle: string | undefined; fits: number | undefined } {
  const { obstacle, fits } = endpointRefusal({ status, error: { message } }, redact);
  return { obstacle, fits };
}

describe('A refusal', () => {
  it.each([
    ["This model's maximum context length is 4096 tokens. However, your messages resulted in 8192 tokens.", 0.5],
    [
      "This model's maximum context length is 1000 tokens. However, you requested 1500 tokens (1200 in the messages, 300 in the completion).",
      700 / 1200,
    ],
    [
      "You passed 9000 input tokens and requested 1000 output tokens. However, the model's context length is only 8200 tokens, resulting in a maximum input length of 7200 tokens.",
      0.8,
    ],
    ['request (9412 tokens) exceeds the available context size (4706 tokens), try increasing it', 0.5],
    ['max_tokens must be at least 1, got -186.', undefined],
    ['prompt is too long: 210000 tokens', undefined],
  ])('says how much fits into the context: %s', (message, fits) => {
    expect(readMessage(message)).toEqual({ obstacle: 'context', fits });
  });

  it.each(['openai', 'vllm', 'llama.cpp'] as const)('of a context that is too long has its numbers, from %s', (dialect) => {
    const { status, body } = contextOverflow(dialect, { promptTokens: 8000, contextTokens: 2000 });
    const { error } = body as { error: unknown };

    expect(endpointRefusal({ status, error }, redact)).toMatchObject({
      obstacle: 'context',
      fits: 0.25,
      modelError: { code: 'CONTEXT_OVERFLOW' },
    });
  });

  it.each([
    ['registry.ollama.ai/library/gemma:2b does not support tools', 400],
    ['tools param requires --jinja flag', 500],
    ['Unsupported param: tools', 500],
    ['No endpoints found that support tool use. To learn more about provider routing, visit: …', 404],
  ])('says that there are no tools: %s', (message, status) => {
    expect(readMessage(message, status).obstacle).toBe('tools');
  });

  it('is read also where much stands before the words that matter', () => {
    expect(readMessage(`${'x'.repeat(2000)} does not support tools`).obstacle).toBe('tools');
  });

  it.each([
    [{ detail: 'Not allowed' }, 'Not allowed'],
    [{ detail: [{ loc: ['body', 'n'], msg: 'too large' }] }, '[{"loc":["body","n"],"msg":"too large"}]'],
    [{ object: 'error', message: 'Old vLLM' }, 'Old vLLM'],
    ['plain text', 'plain text'],
    ['<html><body>no title</body></html>', 'a page and no JSON'],
    [{ code: 7 }, '{"code":7}'],
  ])('is shown in the words of the server: %j', (error, words) => {
    expect(endpointRefusal({ status: 400, error }, redact).modelError.message).toBe(`The endpoint refuses the request (400): ${words}`);
  });

  it('is shown without words where the server has none', () => {
    expect(endpointRefusal({ status: 503, error: undefined }, redact).modelError).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The endpoint failed (503).',
    });
  });

  it.each([
    [408, 'TIMEOUT'],
    [409, 'UNAVAILABLE'],
    [504, 'UNAVAILABLE'],
    [405, 'REFUSED'],
    [422, 'REFUSED'],
  ])('with the status %i is %s', (status, code) => {
    expect(endpointRefusal({ status, error: { message: 'No.' } }, redact).modelError.code).toBe(code);
  });
});
