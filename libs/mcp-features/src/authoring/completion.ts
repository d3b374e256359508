/** Completions of arguments, for prompts and resource templates. */
import type { CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { type FeatureScope, inFeature } from './feature-scope.js';
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

/**
 * The completers as clients may ask for them, by any name: not even those of every object's members are found.
 *
 * @param scope the feature that they are of
 */
export function completersByName(scope: FeatureScope, completers: Completers = {}): Completers {
  const scoped = Object.entries(completers).map(([name, completer]): [string, Completer | undefined] => [
    name,
    completer === undefined ? undefined : (...asked) => inFeature(scope, () => completer(...asked)),
  ]);
  return Object.assign(Object.create(null) as Completers, Object.fromEntries(scoped));
}

/** The values as the protocol has them: the first hundred, and how many there are. */
export function completionOf(values: readonly string[]): CompleteResult {
  return { completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES } };
}
