import type { ClientInfo, JsonObject } from '@longhaul/tasks';
import { type AnswerScript, StuckTask } from '@longhaul/tasks/simulation';
import type { DurableTool } from '../tool.js';
import { fakeClient, fakeRequest } from './fakes.js';

/**
 * The arguments that a task begins with: completed by the tool within the request, if it does that.
 *
 * @throws StuckTask when the tool asks a question that is never answered; the errors of the script
 */
export async function prepared(tool: DurableTool, input: JsonObject, client: ClientInfo, script: AnswerScript): Promise<JsonObject> {
  if (tool.prepare === undefined) return input;
  const stuck = Promise.withResolvers<never>();
  const ask = async <Answer>(method: string, params: object): Promise<Answer> => {
    const reply = await script({ key: 'prepare', method, params: params as JsonObject });
    if (reply === undefined) {
      stuck.reject(new StuckTask(`Tool "${tool.name}" waits in \`prepare\` for an answer, which never comes.`));
      return new Promise<never>(() => undefined);
    }
    const { answer } = reply;
    if ('error' in answer) throw new Error(answer.error.message);
    return answer.response as Answer;
  };
  const asked = fakeClient({
    elicit: (params) => ask('elicitation/create', params),
    sample: (params: object) => ask('sampling/createMessage', params),
    listRoots: async () => (await ask<{ roots: never[] }>('roots/list', {})).roots,
  });
  return Promise.race([tool.prepare(input, fakeRequest({ client: { ...asked, client } })), stuck.promise]);
}
