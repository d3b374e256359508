/**
 * Removes parts from a server's results for which the SDK would refuse the whole result: a tool with an invalid schema, or a block of
 * content of a kind from a later protocol version. A warning names each of them.
 */
import { type JSONRPCMessage, specTypeSchemas } from '@modelcontextprotocol/client';

type Members = Record<string, unknown>;
type Schema = (typeof specTypeSchemas)[keyof typeof specTypeSchemas];

const MAX_WARNING_CHARACTERS = 300;

/** The lists of results, and the required shape of their entries. */
const LISTS: Readonly<Record<string, { readonly entry: string; readonly schemas: readonly Schema[] }>> = {
  tools: { entry: 'tool', schemas: [specTypeSchemas.Tool] },
  prompts: { entry: 'prompt', schemas: [specTypeSchemas.Prompt] },
  resources: { entry: 'resource', schemas: [specTypeSchemas.Resource] },
  resourceTemplates: { entry: 'resource template', schemas: [specTypeSchemas.ResourceTemplate] },
  content: { entry: 'block of content', schemas: [specTypeSchemas.ContentBlock] },
  contents: { entry: 'content of a resource', schemas: [specTypeSchemas.TextResourceContents, specTypeSchemas.BlobResourceContents] },
  messages: { entry: 'message of a prompt', schemas: [specTypeSchemas.PromptMessage] },
};

/** Their names. */
export const LIST_NAMES: readonly string[] = Object.keys(LISTS);

/** The kinds of content that the SDK knows. */
const KNOWN_BLOCKS: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** Whether a block of content is of a kind from a later protocol version. */
export function isUnknownBlock(block: unknown): boolean {
  return isObject(block) && typeof block['type'] === 'string' && !KNOWN_BLOCKS.has(block['type']);
}

export interface UsableOptions {
  /** Whether blocks of content of unknown kinds stay in results of tools. */
  readonly keepsUnknown: boolean;
  /** Receives a line about each entry that is left out. */
  readonly warn: (line: string) => void;
}

/**
 * @param message as the transport has parsed it: its lists are changed
 */
export function withoutUnusable<T extends JSONRPCMessage>(message: T, options: UsableOptions): T {
  const { result, params } = message as { readonly result?: unknown; readonly params?: unknown };
  // The result of a task stands in the task.
  for (const holder of [result, isObject(result) ? result['result'] : undefined, isObject(params) ? params['result'] : undefined])
    if (isObject(holder)) removeUnusable(holder, options);
  return message;
}

function removeUnusable(holder: Members, { warn, keepsUnknown }: UsableOptions): void {
  for (const [name, { entry, schemas }] of Object.entries(LISTS)) {
    const list = holder[name];
    if (!Array.isArray(list)) continue;
    const kept = list.filter((one: unknown, index) => {
      if (keepsUnknown && name === 'content' && isUnknownBlock(one)) return true;
      const problem = problemOf(name === 'tools' ? withSchemaType(one) : one, schemas);
      if (problem !== undefined)
        warn(`The ${entry} ${described(one, index)} is left out: ${problem}`.slice(0, MAX_WARNING_CHARACTERS).toWellFormed());
      return problem === undefined;
    });
    if (kept.length < list.length) holder[name] = kept;
  }
}

/** Arguments are an object in any case, also where a server does not say so. */
function withSchemaType(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  for (const schema of [tool['inputSchema'], tool['outputSchema']])
    if (isObject(schema) && schema['type'] === undefined) (schema as Members)['type'] = 'object';
  return tool;
}

/** The mistake of an entry by the first of its schemas, if it fits none. */
function problemOf(entry: unknown, schemas: readonly Schema[]): string | undefined {
  const results = schemas.map((schema) => schema['~standard'].validate(entry));
  const [first] = results;
  if (first?.issues === undefined || results.some(({ issues }) => issues === undefined)) return undefined;
  const [issue] = first.issues;
  const path = (issue?.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return [path, issue?.message ?? 'it is not valid'].filter((part) => part !== '').join(': ');
}

function described(entry: unknown, index: number): string {
  const { name, uri, uriTemplate, type } = isObject(entry) ? entry : ({} as Members);
  const title = [name, uri, uriTemplate].find((one) => typeof one === 'string');
  if (title !== undefined) return JSON.stringify(title);
  return typeof type === 'string' ? `${index + 1} of the type ${JSON.stringify(type)}` : `${index + 1}`;
}

/** Checks whether a value from `JSON.parse` is an object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
