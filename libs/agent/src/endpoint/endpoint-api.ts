/** Defines what differs between the APIs of endpoints: the form of a request, and of its answer. */
import type { JsonObject } from '@longhaul/tasks';
import type { Taken } from '../conversation/media.js';
import type { ChatDelta } from '../model/chat-model.js';
import type { OperatorSampling } from '../model/sampling.js';
import type { ShapedRequest } from '../tool-modes/tool-mode.js';
import type { AnswerReader } from './completion.js';
import type { EndpointFacts, OptionalMember } from './endpoint-memory.js';

/** The parts of a body that are not in the shaped request. */
export interface BodyOptions {
  readonly model: string;
  readonly taken: Taken;
  readonly isStreamed: boolean;
  readonly maxTokens: number | undefined;
  readonly facts: EndpointFacts;
  readonly sampling?: OperatorSampling | undefined;
  /** The name of this model at this endpoint: of all thoughts, it gets back its own. */
  readonly thinker: string;
}

/** An API. */
export interface EndpointApi {
  /** What comes after the base URL. */
  readonly path: string;
  /** Whether it has a form for audio. */
  readonly hasAudio: boolean;
  /** The body of a request. Members that the endpoint is known to refuse are left out, or expressed differently. @throws ModelError for what it cannot express */
  body(shaped: ShapedRequest, options: BodyOptions): JsonObject;
  /** The body of the shortest request with the messages of another body, without its tools. */
  probe(body: JsonObject): JsonObject;
  /** Whether a body has a member, under the name that the API gives it. */
  has(member: OptionalMember, body: JsonObject): boolean;
  /** @param onDelta is called with what is added to the content and to the reasoning */
  reader(body: JsonObject, onDelta: ((delta: ChatDelta) => void) | undefined): AnswerReader;
}

/** The name of a format for a JSON Schema in the words of a prompt. */
export function formatInstruction(format: JsonObject): string {
  return `Write nothing but JSON that fits this format: ${JSON.stringify(format['json_schema'] ?? format)}`;
}

/** Most tokens of an answer; undefined where nobody limits them. */
export function mostTokens({ maxTokens, sampling }: Pick<BodyOptions, 'maxTokens' | 'sampling'>): number | undefined {
  const most = Math.min(maxTokens ?? Infinity, sampling?.maxTokens ?? Infinity);
  return most === Infinity ? undefined : most;
}
