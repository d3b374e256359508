import { isJsonObject } from '@longhaul/tasks';
import { type MethodName, traitsOf } from './methods.js';

/**
 * The methods that a server serves, by their names.
 *
 * @param capabilities of the server
 */
export function servedMethods<M extends { readonly name: MethodName }>(
  methods: readonly M[],
  capabilities: object,
): ReadonlyMap<string, M> {
  return new Map(methods.filter(({ name }) => isServed(name, capabilities)).map((method) => [method.name, method]));
}

function isServed(name: MethodName, capabilities: object): boolean {
  let at: unknown = capabilities;
  for (const member of traitsOf(name).capability?.split('.') ?? []) at = isJsonObject(at) ? at[member] : undefined;
  return at !== undefined;
}
