/** Defines how a model generates, as callers and operators may set it. */
import type { JsonObject } from '@longhaul/tasks';
import { z } from 'zod';

/** How a model generates. What is absent is up to the endpoint. */
export interface Sampling {
  readonly temperature?: number | undefined;
  /** Most tokens of an answer. */
  readonly maxTokens?: number | undefined;
  /** As the endpoint names it, such as `low`. */
  readonly reasoningEffort?: string | undefined;
  /** Texts at which an answer ends. */
  readonly stop?: readonly string[] | undefined;
}

/** Sampling by the operator. */
export interface OperatorSampling extends Sampling {
  /** Further members of each request. They replace none that the agent sends. */
  readonly extraBody?: JsonObject | undefined;
}

const temperature = z.number().min(0).max(2).optional();
const maxTokens = z.int().min(1).max(10_000_000).optional();
const reasoningEffort = z.string().min(1).max(32).optional();
const stop = z.array(z.string().min(1).max(256)).min(1).max(4).optional();

/** In lists of models and in a variable. */
export const operatorSampling = z.strictObject({
  temperature,
  maxTokens,
  reasoningEffort,
  stop,
  extraBody: (z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>).optional(),
});

/** In the arguments of a call. */
export const callSampling = z.object({
  temperature: temperature.describe('From 0 to 2'),
  max_tokens: maxTokens.describe('Most tokens of one answer of the model'),
  reasoning_effort: reasoningEffort.describe('As the endpoint names it, such as "low"'),
  stop: stop.describe('Texts at which an answer ends, at most 4'),
});

/** What a call sets. */
export function samplingOf({ max_tokens, reasoning_effort, ...rest }: z.output<typeof callSampling>): Sampling {
  return { ...rest, maxTokens: max_tokens, reasoningEffort: reasoning_effort };
}

/** The later one decides, member by member. */
export function mergedSampling(...settings: readonly (OperatorSampling | undefined)[]): OperatorSampling {
  const set = settings.flatMap((each) => Object.entries(each ?? {}).filter(([, value]) => value !== undefined));
  return Object.fromEntries(set);
}

/** As chat completions write it, without the limit of tokens. */
export function samplingMembers({ temperature, reasoningEffort, stop }: Sampling): JsonObject {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...(stop !== undefined && { stop: [...stop] }),
  };
}
