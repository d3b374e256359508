import type { OperatorApi } from '../api/operator-api.js';

/** What a page holds at most. */
const PAGE = 200;

/** A page: its entries under their own name, and where the next one begins. */
type Page<Name extends string, T> = Readonly<Record<Name, readonly T[]>> & { readonly cursor?: string };

/** Entries of a list, page by page, up to `limit`. @param name of the member of a page that has them */
export async function listed<T, Name extends string>(
  api: OperatorApi,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  name: Name,
  limit: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page: Page<Name, T> = await api.get(path, { ...query, cursor, limit: Math.min(PAGE, limit - found.length) });
    found.push(...page[name]);
    cursor = page.cursor;
    if (cursor === undefined || found.length >= limit) return found.slice(0, limit);
  }
}
