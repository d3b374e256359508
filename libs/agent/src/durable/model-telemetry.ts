/**
 * Reports the requests to models: as metrics, and as spans by OpenTelemetry's conventions for generative AI. A request is reported when it
 * is made. So one that is made again after a crash is reported twice, as its endpoint counts it twice; the bill of a task has what is
 * recorded.
 */
import { startClientSpan } from '@longhaul/runtime/client-span';
import type { Metrics } from '@longhaul/runtime/telemetry';
import type { Completion } from '../endpoint/completion.js';
import type { ObserveRequest, SentRequest } from '../endpoint/observe-request.js';
import { EndpointRefusal } from '../endpoint/refusal.js';
import type { Usage } from '../model/chat-model.js';
import { ModelError } from '../model/model-error.js';
import { type ModelPrice, spentOn } from '../model/usage.js';
import { inputContent, outputContent } from './traced-content.js';

const MODEL = 'gen_ai.request.model';

/** What is known of a request that has ended. */
interface MadeRequest {
  readonly seconds: number;
  readonly usage: Usage | undefined;
  readonly price: ModelPrice | undefined;
  readonly problem: string | undefined;
}

/** The telemetry of a process. Without metrics and traces it does nothing. */
export class ModelTelemetry {
  metrics: Pick<Metrics, 'add' | 'record'> | undefined;

  /** @param showsContent whether spans have what models read and write */
  constructor(
    private readonly showsContent: boolean,
    private readonly startSpan = startClientSpan,
  ) {}

  /** Observes the requests to a model. */
  observing(price: ModelPrice | undefined): ObserveRequest {
    return async (sent, send) => {
      const name = modelOf(sent);
      const attributes = { ...requestAttributes(sent), ...(this.showsContent && inputContent(sent.body)) };
      const span = this.startSpan(`chat ${name}`, attributes);
      const startedAt = performance.now();
      let usage: Usage | undefined;
      let problem: string | undefined;
      try {
        const completion = await span.within(() => send((counted) => (usage = counted)));
        span.set({ ...answerAttributes(completion), ...(this.showsContent && outputContent(completion)) });
        return completion;
      } catch (error) {
        problem = problemOf(error);
        span.fail(problem);
        throw error;
      } finally {
        if (usage !== undefined) span.set(usageAttributes(usage));
        span.end();
        this.count(name, { usage, price, problem, seconds: (performance.now() - startedAt) / 1_000 });
      }
    };
  }

  private count(model: string, { usage, price, problem, seconds }: MadeRequest): void {
    const { metrics } = this;
    if (metrics === undefined) return;
    const labels = { [MODEL]: model };
    const ended = { ...labels, ...(problem !== undefined && { 'error.type': problem }) };
    metrics.add('longhaul.agent.requests', 1, ended);
    metrics.record('gen_ai.client.operation.duration', seconds, { 'gen_ai.operation.name': 'chat', ...ended });
    if (usage === undefined) return;
    const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 } = usage;
    // Each token counts under one type, so that their sum is that of all tokens.
    const types = {
      input: inputTokens - cachedTokens,
      cached: cachedTokens,
      output: outputTokens - reasoningTokens,
      reasoning: reasoningTokens,
    };
    for (const [type, tokens] of Object.entries(types))
      if (tokens > 0) metrics.add('longhaul.agent.tokens', tokens, { ...labels, 'gen_ai.token.type': type });
    if (price !== undefined) metrics.add('longhaul.agent.cost', spentOn(usage, price), labels);
  }
}

function modelOf({ body: { model } }: SentRequest): string {
  return typeof model === 'string' ? model : '';
}

function requestAttributes(sent: SentRequest) {
  const { baseUrl, body } = sent;
  const { temperature, max_tokens, max_completion_tokens, max_output_tokens, stop, stream } = body;
  const maxTokens = max_output_tokens ?? max_completion_tokens ?? max_tokens;
  return {
    'gen_ai.operation.name': 'chat',
    // The conventions name the format so, where the provider is not known.
    'gen_ai.provider.name': 'openai',
    [MODEL]: modelOf(sent),
    'server.address': baseUrl.hostname,
    'server.port': Number(baseUrl.port || (baseUrl.protocol === 'https:' ? 443 : 80)),
    ...(typeof temperature === 'number' && { 'gen_ai.request.temperature': temperature }),
    ...(typeof maxTokens === 'number' && { 'gen_ai.request.max_tokens': maxTokens }),
    ...(Array.isArray(stop) && { 'gen_ai.request.stop_sequences': stop.map(String) }),
    ...(stream === true && { 'gen_ai.request.stream': true }),
  };
}

function answerAttributes({ finishReason }: Completion) {
  return { ...(finishReason !== undefined && { 'gen_ai.response.finish_reasons': [finishReason] }) };
}

function usageAttributes({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage) {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cachedTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cachedTokens }),
    ...(reasoningTokens !== undefined && { 'gen_ai.usage.reasoning.output_tokens': reasoningTokens }),
  };
}

function problemOf(error: unknown): string {
  if (error instanceof EndpointRefusal) return error.modelError.code;
  return error instanceof ModelError ? error.code : 'cancelled';
}
