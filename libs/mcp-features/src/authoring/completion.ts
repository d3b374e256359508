/** Completions of arguments, for prompts and resource templates. */
import type { CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import type { RequestContext } from './request-context.js';

/** The protocol's limit of one answer. */
const MAX_VALUES = 100;

/**
 * Values that an argument may be completed to.
 *
 * @param value what the user has typed so far
 * @param given the arguments that are filled in already
 */
export type Completer = (
  value: string,
  given: Readonly<Record<string, string>>,
  context: RequestContext,
) => readonly string[] | Promise<readonly string[]>;

/** Completers by argument. */
export type Completers<Name extends string = string> = { readonly [argument in Name]?: Completer };

/** The completers as clients may ask for them, by any name: not even those of every object's members are found. */
export function completersByName(completers: Completers = {}): Completers {
  return Object.assign(Object.create(null) as Completers, completers);
}

/** The values as the protocol has them: the first hundred, and how many there are. */
export function completionOf(values: readonly string[]): CompleteResult {
  return { completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES } };
}
