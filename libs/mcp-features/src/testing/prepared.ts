import type { ClientInfo, JsonObject } from '@longhaul/tasks';
import type { AnswerScript } from '@longhaul/tasks/simulation';
import type { DurableTool } from '../tool.js';
import { fakeClient, fakeRequest } from './fakes.js';

/** The arguments that a task begins with: completed by the tool within the request, if it does that. */
export async function prepared(
  tool: DurableTool,
  input: JsonObject,
  { capabilities }: ClientInfo,
  script: AnswerScript,
): Promise<JsonObject> {
  if (tool.prepare === undefined) return input;
  const ask = async <Answer>(method: string, params: object): Promise<Answer> => {
    const reply = await script({ key: 'prepare', method, params: params as JsonObject });
    if (reply === undefined) return new Promise<never>(() => undefined);
    const { answer } = reply;
    if ('error' in answer) throw new Error(answer.error.message);
    return answer.response as Answer;
  };
  const client = fakeClient({
    capabilities,
    elicit: (params) => ask('elicitation/create', params),
    sample: (params: object) => ask('sampling/createMessage', params),
    listRoots: async () => (await ask<{ roots: never[] }>('roots/list', {})).roots,
  });
  return tool.prepare(input, fakeRequest({ client }));
}
