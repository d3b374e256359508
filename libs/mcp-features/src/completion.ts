/** Completes arguments of prompts and resource templates. */
import type { CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { type FeatureScope, inFeature } from './feature-scope.js';
import type { RequestContext } from './request-context.js';

/** The protocol's limit of one answer. */
const MAX_VALUES = 100;

/** All values that fit, or some of them with what is known of the others. */
export type Completion =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are in all. */
      readonly total?: number;
      /** Whether there are more than these. Default: whether there are more than the client gets. */
      readonly hasMore?: boolean;
    };

/**
 * Values that an argument may be completed to.
 *
 * @param value the text that the user has typed so far
 * @param given the arguments that are filled in already
 * @param argument its name, for a completer of several
 */
export type Completer = (
  value: string,
  given: Readonly<Record<string, string>>,
  context: RequestContext,
  argument: string,
) => Completion | Promise<Completion>;

type BoundCompleter = (...asked: Parameters<Completer> extends [...infer Asked, string] ? Asked : never) => ReturnType<Completer>;

/** Completers that know their argument, by its name. */
export type BoundCompleters = Readonly<Record<string, BoundCompleter | undefined>>;

/** Completers by argument. */
export type Completers<Name extends string = string> = { readonly [argument in Name]?: Completer };

/**
 * The completers by any name that a client may send. Members that every object has are not found.
 *
 * @param scope their feature
 */
export function completersByName(scope: FeatureScope, completers: Completers = {}): BoundCompleters {
  const scoped = Object.entries(completers).map(([name, completer]): [string, BoundCompleter | undefined] => [
    name,
    completer === undefined ? undefined : (value, given, context) => inFeature(scope, () => completer(value, given, context, name)),
  ]);
  return Object.assign(Object.create(null) as BoundCompleters, Object.fromEntries(scoped));
}

/** The values as the protocol has them: the first hundred, and how many there are, as far as that is known. */
export function completionOf(completion: Completion): CompleteResult {
  const { values, total, hasMore }: Exclude<Completion, readonly string[]> = isList(completion)
    ? { values: completion, total: completion.length }
    : completion;
  const given = values.slice(0, MAX_VALUES);
  // If values are cut off, there are more, even if the completer says otherwise.
  const isMore = given.length < values.length || (hasMore ?? (total !== undefined && total > given.length));
  return { completion: { values: given, ...(total !== undefined && { total }), hasMore: isMore } };
}

function isList(completion: Completion): completion is readonly string[] {
  return Array.isArray(completion);
}
