/**
 * Relays the questions of servers to the client of the task. They are recorded, and no worker is held while the task waits for the answer.
 */
import { type DurableContext, formOfOthers } from '@longhaul/mcp-features';
import type { JsonObject } from '@longhaul/tasks';
import type { CreateMessageRequestParams, ElicitRequestFormParams, ElicitRequestURLParams } from '@modelcontextprotocol/sdk/types.js';
import type { Answer, Question } from './question.js';

/** Who asks, for the person. */
export interface Asker {
  readonly server: string;
  readonly tool: string;
}

/**
 * Puts a question of a server to the client, and takes it back when the signal aborts.
 *
 * @returns its answer, or the reason why there is none; never rejects
 */
export async function relay(context: DurableContext, question: Question, asker: Asker, wanted: AbortSignal): Promise<Answer> {
  if (wanted.aborted) return { error: String(wanted.reason) };
  try {
    return { value: (await context.whileWanted(wanted, () => asked(context, question, asker))) as JsonObject };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function asked(context: DurableContext, { kind, params }: Question, asker: Asker): Promise<object> {
  switch (kind) {
    case 'elicitation':
      return context.elicit(named(formOfOthers(params), asker) as unknown as ElicitRequestFormParams | ElicitRequestURLParams);
    case 'sampling':
      return context.sample(params as unknown as CreateMessageRequestParams);
    case 'roots':
      return context.roots().then((roots) => ({ roots }));
  }
}

/** The person has called the agent, and knows nothing of the server. */
function named(params: JsonObject, { server, tool }: Asker): JsonObject {
  return { ...params, message: `${tool} of the server "${server}" asks: ${params['message'] as string}` };
}
