/** The client of a request answers what the server asks during it. */
import { formOfOthers, type RequestContext } from '@longhaul/mcp-features';
import type { Asking, LeaseRequest } from '@longhaul/servers';
import { askableCapabilities } from '@longhaul/servers/durable';
import { type AskedMethod, FIELD_LIMITS, type JsonObject } from '@longhaul/tasks';
import type {
  CreateMessageRequestParamsBase,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * A request of a server of 2026-07-28 keeps its name, so that a client of that version sees the names that the server has given.
 *
 * @param onAsk called before somebody is asked; clients tell their roots by themselves
 */
export function clientAnswers(context: RequestContext, onAsk: () => void = () => undefined): LeaseRequest['handlers'] {
  const nameOf = createNames();
  const ask = async (method: AskedMethod, params: object | undefined, { key }: Asking): Promise<JsonObject | undefined> => {
    const name = nameOf(key);
    return name === undefined ? undefined : context.ask(name, { method, ...(params !== undefined && { params }) });
  };
  return {
    capabilities: askableCapabilities({ client: context.client, keptQuestions: [] }),
    ...(context.elicitEnabled && {
      elicitation: async (params, asking) => {
        onAsk();
        const form = formOfOthers(params as never) as unknown as ElicitRequestFormParams | ElicitRequestURLParams;
        const answer = form.mode === 'url' ? undefined : await ask('elicitation/create', form, asking);
        return (answer ?? (await context.elicit(form))) as ElicitResult;
      },
    }),
    ...(context.sampleEnabled && {
      sampling: async (params, asking) => {
        onAsk();
        const answer = await ask('sampling/createMessage', params, asking);
        return (answer ?? (await context.sample(params as CreateMessageRequestParamsBase))) as CreateMessageResult;
      },
    }),
    ...(context.rootsEnabled && {
      roots: async (asking) => ((await ask('roots/list', undefined, asking)) as ListRootsResult | undefined)?.roots ?? context.roots(),
    }),
  };
}

/** A name for each request of a call: a server may ask under the same key in a later round. */
function createNames(): (key: string | undefined) => string | undefined {
  const counts = new Map<string, number>();
  return (key) => {
    if (key === undefined || key === '') return undefined;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const name = count === 1 ? key : `${key}-${count}`;
    return Buffer.byteLength(name) <= FIELD_LIMITS.clientRequestKeyBytes ? name : undefined;
  };
}
