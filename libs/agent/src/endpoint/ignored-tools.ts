/** Finds out whether a model's template ignores tools. Servers accept such tools, and do not say that the model never sees them. */
import type { JsonObject } from '@longhaul/tasks';
import { type CompletionOptions, type Connection, requestCompletion } from './request-completion.js';
import type { ChatRequest, Usage } from '../model/chat-model.js';

/** About as many as a token of English or of JSON has. A wrong guess costs one short request. */
const CHARACTERS_PER_TOKEN = 4;
/** More than a token of any text has: an endpoint that counts fewer tokens than that does not count what it reads. */
const MOST_CHARACTERS_PER_TOKEN = 8;

/** Whether a request counted fewer tokens than it seems to have with its tools, and as many as it has at least without them. */
export function mayIgnoreTools({ messages, tools }: ChatRequest, { inputTokens }: Usage): boolean {
  const characters = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
  const isPlausible = inputTokens >= characters / MOST_CHARACTERS_PER_TOKEN;
  return isPlausible && inputTokens < (characters + charactersOf(tools)) / CHARACTERS_PER_TOKEN;
}

/**
 * Sends the messages with the tools in their text, and asks for one token. If this counts far more than the request with the tools in their
 * own field, the model has not seen the tools. An endpoint that counts the same for everything proves nothing. Returns false if it cannot
 * be found out.
 *
 * @param asked the request, its body with the tools in the text, and its count with the tools in their own field
 */
export async function ignoresTools(
  connection: Connection,
  asked: { readonly request: ChatRequest; readonly described: JsonObject; readonly usage: Usage },
  options: Pick<CompletionOptions, 'signal' | 'onUsage'>,
): Promise<boolean> {
  try {
    const { usage } = await requestCompletion(connection, connection.api.probe(asked.described), options);
    const least = charactersOf(asked.request.tools) / MOST_CHARACTERS_PER_TOKEN;
    return usage !== undefined && usage.inputTokens - asked.usage.inputTokens >= least;
  } catch {
    options.signal.throwIfAborted();
    return false;
  }
}

function charactersOf(tools: ChatRequest['tools']): number {
  return JSON.stringify(tools).length;
}
