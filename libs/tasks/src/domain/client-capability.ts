/** Lists the capabilities of clients that features may need, and where a client declares each. */
import { isJsonObject, type Json, type JsonObject } from './json.js';

const DECLARED_AT = {
  'elicitation.form': ['elicitation', 'form'],
  'elicitation.url': ['elicitation', 'url'],
  sampling: ['sampling'],
  'sampling.tools': ['sampling', 'tools'],
  'sampling.context': ['sampling', 'context'],
  roots: ['roots'],
  apps: ['extensions', 'io.modelcontextprotocol/ui'],
  'tasks.elicitation': ['tasks', 'requests', 'elicitation', 'create'],
  'tasks.sampling': ['tasks', 'requests', 'sampling', 'createMessage'],
} as const satisfies Record<string, readonly string[]>;

/** A kind of question that a task can keep when its client cannot be asked. `elicitation` is a form, or a URL to open. */
export type QuestionKind = 'elicitation' | 'sampling' | 'roots';

/** The MIME type of pages of MCP Apps. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/**
 * A capability of the client that a feature can need. `tasks.elicitation` and `tasks.sampling` are the
 * client's ability to run such a request as a task of its own; `apps` is that to show pages of MCP Apps.
 */
export type ClientCapability = keyof typeof DECLARED_AT;

/** Whether the client has declared the capability. */
export function hasCapability(capabilities: JsonObject, capability: ClientCapability): boolean {
  const { elicitation } = capabilities;
  // `{}`, and any other value without a mode, stands for form mode: the URL mode came later.
  if (capability === 'elicitation.form') return isJsonObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
  let at: Json | undefined = capabilities;
  for (const member of DECLARED_AT[capability]) at = isJsonObject(at) ? at[member] : undefined;
  if (capability === 'apps') return isJsonObject(at) && Array.isArray(at['mimeTypes']) && at['mimeTypes'].includes(APP_MIME_TYPE);
  return isJsonObject(at);
}

/** The needed capabilities that the client has not declared, in the given order. */
export function missingCapabilities(needs: readonly ClientCapability[], capabilities: JsonObject): readonly ClientCapability[] {
  return needs.filter((need) => !hasCapability(capabilities, need));
}

/** The declaration of a client with these capabilities and no others. */
export function declarationOf(capabilities: readonly ClientCapability[]): JsonObject {
  const declaration = {};
  for (const capability of capabilities) {
    let at: Record<string, object> = declaration;
    for (const member of DECLARED_AT[capability]) at = (at[member] ??= {}) as Record<string, object>;
    if (capability === 'apps') at['mimeTypes'] = [APP_MIME_TYPE];
  }
  return declaration;
}
