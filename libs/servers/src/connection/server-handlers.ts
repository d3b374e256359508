/** Defines the questions and messages of servers to the host of the agent. */
import type { InputContext, InputHandlers } from '@longhaul/client';
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestParams,
  ElicitResult,
  LoggingLevel,
  Root,
} from '@modelcontextprotocol/client';

import type { Logins } from '../auth/login/logins.js';
import type { ListKind } from './server-list.js';

/** The server that asks, in addition to the question. */
export interface Asking extends InputContext {
  readonly server: string;
  /** The id of the model's call, where it is known which call asks. */
  readonly callId?: string;
}

/** Something about a server that somebody may want to read. */
export type ServerEvent =
  | { readonly type: 'connected'; readonly server: string; readonly protocolVersion: string; readonly tools: number }
  /** Its connection has ended; `reason` says why and how. */
  | { readonly type: 'disconnected'; readonly server: string; readonly reason: string }
  /** One of its lists has changed, and has been read again. */
  | { readonly type: 'list-changed'; readonly server: string; readonly list: ListKind; readonly entries: number }
  /** A resource has changed that is subscribed to. */
  | { readonly type: 'resource-updated'; readonly server: string; readonly uri: string }
  /** Its log messages, at the requested level or above. */
  | {
      readonly type: 'log';
      readonly server: string;
      readonly level: LoggingLevel;
      readonly logger?: string | undefined;
      readonly data: unknown;
    }
  | { readonly type: 'warning'; readonly server: string; readonly message: string };

/** A message of a server's log. */
export type ServerLog = Extract<ServerEvent, { type: 'log' }>;

/** A host's answers. Servers are offered only the kinds of questions that have a function here. */
export interface ServerHandlers {
  /** The folders that servers may work with. */
  readonly roots?: (asking: Asking) => readonly Root[] | Promise<readonly Root[]>;
  /** Asks a person to fill in a form or to visit a page. For a page it resolves when the person has agreed and has finished there. */
  readonly elicitation?: (params: ElicitRequestParams, asking: Asking) => Promise<ElicitResult>;
  /** Asks a model. To refuse, it throws; see `samplingWith`. */
  readonly sampling?: (params: CreateMessageRequestParams, asking: Asking) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  /** The capabilities that servers see, if they differ from the functions: forms, pages to visit, tools for the model. */
  readonly capabilities?: ClientCapabilities;
  /** The least severe messages that servers shall send; without it they decide. */
  readonly logLevel?: LoggingLevel;
  /** The lists that are kept of servers: the tools that a language model can be offered, all tools, or all lists. @defaultValue the first */
  readonly lists?: 'tools-for-models' | 'tools' | 'all';
  readonly report?: (event: ServerEvent) => void;
  /** Where a person logs in to servers that want it. */
  readonly logins?: Logins | undefined;
}

/** The capabilities of the client that servers see. */
export function capabilitiesOf({ roots, elicitation, sampling, capabilities }: ServerHandlers): ClientCapabilities {
  if (capabilities !== undefined) return capabilities;
  return {
    ...(roots !== undefined && { roots: {} }),
    ...(elicitation !== undefined && { elicitation: { form: {}, url: {} } }),
    ...(sampling !== undefined && { sampling: { tools: {} } }),
  };
}

/** The host's answers to one server, or to one call of it. */
export function inputHandlersFor(handlers: ServerHandlers, who: Pick<Asking, 'server' | 'callId'>): InputHandlers {
  const { roots, elicitation, sampling } = handlers;
  return {
    ...(roots !== undefined && { roots: async (context) => ({ roots: [...(await roots({ ...context, ...who }))] }) }),
    ...(elicitation !== undefined && { elicitation: (params, context) => elicitation(params, { ...context, ...who }) }),
    ...(sampling !== undefined && { sampling: (params, context) => sampling(params, { ...context, ...who }) }),
  };
}
