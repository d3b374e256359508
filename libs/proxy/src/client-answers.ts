/** The client of a request answers what the server asks during it. */
import { RpcError } from '@longhaul/client';
import { formOfOthers, type RequestContext } from '@longhaul/mcp-features';
import type { Asking, LeaseRequest } from '@longhaul/servers';
import { askableCapabilities } from '@longhaul/servers/durable';
import { type AskedMethod, FIELD_LIMITS, type JsonObject } from '@longhaul/tasks';
import {
  ErrorCode,
  type CreateMessageRequestParamsBase,
  type CreateMessageResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type ListRootsResult,
} from '@modelcontextprotocol/sdk/types.js';

export interface AnsweredCall {
  /** Called before somebody is asked; clients tell their roots by themselves. */
  readonly onAsk?: (() => void) | undefined;
  /** Whether the call may be made twice. */
  readonly isRepeatable: boolean;
}

const NOT_ASKED =
  'The client can answer only by making the call again, and this tool does not say that it may be called twice. Let its calls be tasks ("task": "optional" in the file of servers), or give it the annotation readOnlyHint or idempotentHint there.';

/**
 * A request of a server of 2026-07-28 keeps its name, so that a client of that version sees the names that the server has given. A server of
 * an older version waits for the answer within its call, and a client of 2026-07-28 answers by making the call again. So such a question is
 * refused, with an error to the server, if the call may not be made twice.
 */
export function clientAnswers(context: RequestContext, { onAsk = () => undefined, isRepeatable }: AnsweredCall): LeaseRequest['handlers'] {
  const nameOf = createNames();
  const ask = async (method: AskedMethod, params: object | undefined, { key }: Asking): Promise<JsonObject | undefined> => {
    if (key === undefined && !isRepeatable && context.client.generation === '2026-07-28')
      throw new RpcError(ErrorCode.InternalError, NOT_ASKED);
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
