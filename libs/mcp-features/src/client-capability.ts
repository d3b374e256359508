/**
 * Which capabilities of the client a feature may need, and how to find out whether it has them from what it declared
 * in `initialize`.
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';

const DECLARATIONS = {
  // `{}`, and any other value without a mode, stands for form mode: the URL mode came later.
  'elicitation.form': ({ elicitation }) => isJsonObject(elicitation) && ('form' in elicitation || !('url' in elicitation)),
  'elicitation.url': (capabilities) => declares(capabilities, ['elicitation', 'url']),
  sampling: (capabilities) => declares(capabilities, ['sampling']),
  'sampling.tools': (capabilities) => declares(capabilities, ['sampling', 'tools']),
  'sampling.context': (capabilities) => declares(capabilities, ['sampling', 'context']),
  roots: (capabilities) => declares(capabilities, ['roots']),
  'tasks.elicitation': (capabilities) => declares(capabilities, ['tasks', 'requests', 'elicitation', 'create']),
  'tasks.sampling': (capabilities) => declares(capabilities, ['tasks', 'requests', 'sampling', 'createMessage']),
} satisfies Record<string, (capabilities: JsonObject) => boolean>;

/**
 * A capability of the client that a feature can need. `tasks.elicitation` and `tasks.sampling` are the
 * client's ability to run such a request as a task of its own.
 */
export type ClientCapability = keyof typeof DECLARATIONS;

/** Whether the client has declared the capability. */
export function hasCapability(capabilities: JsonObject, capability: ClientCapability): boolean {
  return DECLARATIONS[capability](capabilities);
}

/** Those of the needed capabilities that the client has not declared, in the given order. */
export function missingCapabilities(needs: readonly ClientCapability[], capabilities: JsonObject): readonly ClientCapability[] {
  return needs.filter((need) => !hasCapability(capabilities, need));
}

function declares(capabilities: JsonObject, path: readonly string[]): boolean {
  let at: Json | undefined = capabilities;
  for (const member of path) at = isJsonObject(at) ? at[member] : undefined;
  return isJsonObject(at);
}
