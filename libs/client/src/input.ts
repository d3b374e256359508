import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/client';

/** The second argument of a function of `onInput`, after the request. */
export interface InputContext {
  /** The tool that asks, if that is known. */
  readonly tool?: string;
  /**
   * The name that the server gives to this request, in protocol version 2026-07-28. Another request of the same call has the same name if
   * the server asks again.
   */
  readonly key?: string;
  /** The task that asks; absent when a call asks that is no task (yet). */
  readonly taskId?: string;
  /** Aborted when the answer is not needed any more. */
  readonly signal: AbortSignal;
}

type Awaitable<T> = T | Promise<T>;

/** Answers what tools ask. Several requests of one call may run at the same time. */
export interface InputHandlers {
  /** Asks the user: a form, or a page to visit if the capability `elicitation.url` was declared. */
  readonly elicitation?: (params: ElicitRequestParams, context: InputContext) => Awaitable<ElicitResult>;
  /** Asks the client's model. */
  readonly sampling?: (
    params: CreateMessageRequestParams,
    context: InputContext,
  ) => Awaitable<CreateMessageResult | CreateMessageResultWithTools>;
  /** Returns the folders that the server may work with. */
  readonly roots?: (context: InputContext) => Awaitable<ListRootsResult>;
}

/** The kinds of input that a server can ask for. */
export type InputKind = keyof InputHandlers;

/** The method of the server's request, by the kind of input. */
export const INPUT_METHODS = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
} as const satisfies Record<InputKind, string>;

/** A request for input. */
export interface InputRequest {
  readonly kind: InputKind;
  readonly params?: unknown;
  /** The server's name for it, in protocol version 2026-07-28. */
  readonly key?: string;
}

/** The kind of input that a method asks for. */
export function inputKindOf(method: string): InputKind | undefined {
  return (Object.keys(INPUT_METHODS) as InputKind[]).find((kind) => INPUT_METHODS[kind] === method);
}

/** The capabilities that the functions amount to; elicitation means forms. */
export function capabilitiesFor(handlers: InputHandlers): ClientCapabilities {
  return {
    ...(handlers.elicitation !== undefined && { elicitation: { form: {} } }),
    ...(handlers.sampling !== undefined && { sampling: {} }),
    ...(handlers.roots !== undefined && { roots: {} }),
  };
}
