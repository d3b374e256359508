/** Finds out whether a model's template ignores tools: servers accept them then, and do not say that the model never sees them. */
import type { JsonObject } from '@longhaul/tasks';
import { type Connection, requestCompletion } from './chat-completions.js';
import type { ChatRequest, Usage } from '../model/chat-model.js';

/** About as many as a token of English or of JSON has. A wrong guess costs one short request. */
const CHARACTERS_PER_TOKEN = 4;

/** Whether a request counted fewer tokens than it seems to have with its tools. */
export function mayIgnoreTools({ messages, tools }: ChatRequest, { inputTokens }: Usage): boolean {
  const characters = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, JSON.stringify(tools).length);
  return inputTokens < characters / CHARACTERS_PER_TOKEN;
}

/** Sends the messages of a body without its tools, for one token: whether they count as much. False if that cannot be found out. */
export async function ignoresTools(
  connection: Connection,
  { model, messages }: JsonObject,
  { inputTokens, signal }: { readonly inputTokens: number; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const { usage } = await requestCompletion(connection, { model, messages, max_tokens: 1 }, { signal });
    return usage?.inputTokens === inputTokens;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
