import type { OperatorApi } from '../api/operator-api.js';

/** The most entries of a page. */
const PAGE = 200;

/** A page: its entries under their own name, and where the next one begins. */
type Page<T> = { readonly cursor?: string } & Readonly<Record<string, readonly T[] | undefined>>;

/** Which list, and what of it. */
export interface ListRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Of the member of a page that has the entries. */
  readonly name: string;
}

/** Entries of a list, page by page, up to `limit`. */
export async function* entriesOf<T>(api: OperatorApi, { path, query, name }: ListRequest, limit = Infinity): AsyncGenerator<T> {
  let left = limit;
  for (let cursor: string | undefined; left > 0;) {
    const page: Page<T> = await api.get(path, { ...query, cursor, limit: Math.min(PAGE, left) });
    const entries = (page[name] ?? []).slice(0, left);
    yield* entries;
    left -= entries.length;
    ({ cursor } = page);
    if (cursor === undefined) return;
  }
}

/** The same as a list. */
export async function listed<T>(api: OperatorApi, request: ListRequest, limit: number): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const entry of entriesOf<T>(api, request, limit)) found.push(entry);
  return found;
}
