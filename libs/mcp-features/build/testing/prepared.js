import { StuckTask } from '@longhaul/tasks/simulation';
import { fakeClient, fakeRequest } from './fakes.js';
/**
 * The arguments that a task begins with: completed by the tool within the request, if it does that.
 *
 * @throws StuckTask when the tool asks what is never answered; what the script throws
 */
export async function prepared(tool, input, client, script) {
    if (tool.prepare === undefined)
        return input;
    const stuck = Promise.withResolvers();
    const ask = async (method, params) => {
        const reply = await script({ key: 'prepare', method, params: params });
        if (reply === undefined) {
            stuck.reject(new StuckTask(`Tool "${tool.name}" waits in \`prepare\` for an answer, which never comes.`));
            return new Promise(() => undefined);
        }
        const { answer } = reply;
        if ('error' in answer)
            throw new Error(answer.error.message);
        return answer.response;
    };
    const asked = fakeClient({
        elicit: (params) => ask('elicitation/create', params),
        sample: (params) => ask('sampling/createMessage', params),
        listRoots: async () => (await ask('roots/list', {})).roots,
    });
    return Promise.race([tool.prepare(input, fakeRequest({ client: { ...asked, client } })), stuck.promise]);
}
//# sourceMappingURL=prepared.js.map