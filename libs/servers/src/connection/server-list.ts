/**
 * Reads one of the lists of a server, page by page. Servers repeat cursors, give out new ones without end, list a name twice, or declare a
 * list that they do not have: what can be read is kept, and a warning names the rest.
 */
import { RpcError, type TaskClient } from '@longhaul/client';
import { firstCharacters } from '@longhaul/tasks/text';
import { METHOD_NOT_FOUND, ProtocolError } from '@modelcontextprotocol/client';
import type { Prompt, Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';

/** The lists of a server, with their entries. */
export interface ListEntries {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplate;
}

export type ListKind = keyof ListEntries;

type Capability = 'tools' | 'prompts' | 'resources';

interface ListDescription {
  readonly method: string;
  readonly capability: Capability;
  /** The member that names an entry. */
  readonly key: string;
}

/** Each list of the protocol. */
export const LISTS: Readonly<Record<ListKind, ListDescription>> = {
  tools: { method: 'tools/list', capability: 'tools', key: 'name' },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name' },
  resources: { method: 'resources/list', capability: 'resources', key: 'uri' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources', key: 'uriTemplate' },
};

/** Most pages of a list, and most entries: more than any client shows. */
const MAX_PAGES = 64;
const MAX_ENTRIES = 10_000;
/** Of one entry, and of a list, bytes of JSON: what is larger is of no use to a client. */
const MAX_ENTRY_BYTES = 256 * 1024;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_NAMED = 3;
const MAX_NAME_CHARACTERS = 100;

/** A list as it was read. */
export interface ReadList<Kind extends ListKind> {
  readonly entries: readonly ListEntries[Kind][];
  readonly warnings: readonly string[];
}

/** Reads the list. A server that does not know the method has none. @throws Error if the server cannot be asked, or refuses */
export async function readList<Kind extends ListKind>(kind: Kind, { client }: TaskClient, signal: AbortSignal): Promise<ReadList<Kind>> {
  const { method, key } = LISTS[kind];
  const found = new Map<string, ListEntries[Kind]>();
  const repeated = new Set<string>();
  const tooLarge = new Set<string>();
  let bytes = 0;
  const warnings: string[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await pageOf((asked, options) => client.request(asked as never, options), { method, params }, signal);
    const before = found.size + tooLarge.size;
    const { [kind]: entries = [], nextCursor } = page as { readonly [kind in Kind]?: readonly ListEntries[Kind][] } & {
      readonly nextCursor?: string;
    };
    for (const entry of entries) {
      const name = (entry as unknown as Readonly<Record<string, string>>)[key] ?? '';
      if (found.has(name)) repeated.add(name);
      else if (found.size < MAX_ENTRIES && !tooLarge.has(name)) {
        const size = bytesOf(entry);
        if (size > MAX_ENTRY_BYTES || bytes + size > MAX_LIST_BYTES) tooLarge.add(name);
        else {
          found.set(name, entry);
          bytes += size;
        }
      }
    }
    if (nextCursor === undefined) break;
    const isNew = found.size + tooLarge.size > before;
    const stop = whyStop({ isKnown: cursors.has(nextCursor), isNew, pages: cursors.size + 1, entries: found.size });
    if (stop !== undefined) {
      warnings.push(`${method} ${stop}: the ${found.size} entries up to there are used`);
      repeated.clear();
      break;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  if (repeated.size > 0) warnings.push(`${method} has ${named(repeated)} more than once: the first is used`);
  if (tooLarge.size > 0)
    warnings.push(
      `${method} has ${named(tooLarge)} left out: an entry has at most ${MAX_ENTRY_BYTES} bytes, and all of them ${MAX_LIST_BYTES}`,
    );
  return { entries: [...found.values()], warnings };
}

function named(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, MAX_NAMED).map((name) => JSON.stringify(firstCharacters(name, MAX_NAME_CHARACTERS)));
  return `${shown.join(', ')}${names.size > MAX_NAMED ? ', …' : ''}`;
}

/** Infinity for what is nested too deeply to be written. */
function bytesOf(entry: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(entry));
  } catch {
    return Infinity; // A RangeError: the stack has no room for it.
  }
}

type Ask = (asked: { method: string; params: object }, options: { readonly signal: AbortSignal }) => Promise<object>;

/** The SDK's client reads a list to its end by itself, and fails where that never comes. */
async function pageOf(request: Ask, asked: { method: string; params: object }, signal: AbortSignal): Promise<object> {
  try {
    return await request(asked, { signal });
  } catch (error) {
    if (isUnknownMethod(error)) return {};
    throw error;
  }
}

interface Walk {
  readonly isKnown: boolean;
  readonly isNew: boolean;
  readonly pages: number;
  readonly entries: number;
}

/** Why the walk over the pages ends before the last one. */
function whyStop({ isKnown, isNew, pages, entries }: Walk): string | undefined {
  if (isKnown) return 'gives out the same cursor twice';
  if (!isNew) return 'has a page without anything new';
  if (entries >= MAX_ENTRIES) return `has more than ${MAX_ENTRIES} entries`;
  return pages >= MAX_PAGES ? `has more than ${MAX_PAGES} pages` : undefined;
}

/** Whether a server declares what it does not have. */
function isUnknownMethod(error: unknown): boolean {
  return (error instanceof ProtocolError || error instanceof RpcError) && error.code === METHOD_NOT_FOUND;
}
