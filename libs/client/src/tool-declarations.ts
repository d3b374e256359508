import type { Connection } from './connection.js';
import { ProtocolViolationError } from './errors.js';

/** As many as the SDK's client reads; the cursors of a server may never end. */
const MAX_PAGES = 64;

/** The listed members of a tool on which calls depend. */
export interface ToolDeclaration {
  readonly name: string;
  readonly inputSchema?: unknown;
  readonly execution?: { readonly taskSupport?: unknown };
}

interface Page {
  readonly tools: readonly ToolDeclaration[];
  readonly nextCursor?: string;
}

/**
 * The server's tools, listed when the first one is called and kept until the server says that they changed. Asked
 * for with requests of this library, because the SDK's client drops what it does not know in its protocol version.
 */
export class ToolDeclarations {
  #declarations: Promise<ReadonlyMap<string, ToolDeclaration>> | undefined;

  constructor(private readonly connection: Connection) {
    connection.notifications.listen(({ method }) => {
      if (method === 'notifications/tools/list_changed') this.forget();
    });
  }

  async find(name: string): Promise<ToolDeclaration | undefined> {
    this.#declarations ??= this.#list();
    const declarations = this.#declarations;
    try {
      return (await declarations).get(name);
    } catch (error) {
      if (this.#declarations === declarations) this.forget();
      throw error;
    }
  }

  /** Lists them again when the next one is needed. */
  forget(): void {
    this.#declarations = undefined;
  }

  async #list(): Promise<ReadonlyMap<string, ToolDeclaration>> {
    const found = new Map<string, ToolDeclaration>();
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const params = cursor === undefined ? {} : { cursor };
      const page = pageOf(await this.connection.request({ method: 'tools/list', params, isRepeatable: true, timeoutMs: 30_000 }));
      for (const tool of page.tools) found.set(tool.name, tool);
      cursor = page.nextCursor;
      if (cursor === undefined) return found;
      if (cursors.has(cursor)) throw new ProtocolViolationError('tools/list gave out the same cursor twice.');
      cursors.add(cursor);
      if (cursors.size === MAX_PAGES) throw new ProtocolViolationError(`tools/list has more than ${MAX_PAGES} pages.`);
    }
  }
}

function pageOf(result: unknown): Page {
  const { tools, nextCursor } = result as { tools?: unknown; nextCursor?: unknown };
  if (!Array.isArray(tools)) throw new ProtocolViolationError('The result of tools/list has no array "tools".');
  return { tools: tools as ToolDeclaration[], ...(typeof nextCursor === 'string' && { nextCursor }) };
}
