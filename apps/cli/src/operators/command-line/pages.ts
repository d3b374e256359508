import type { OperatorApi } from '../api/operator-api.js';

/** What a page holds at most. */
const PAGE = 200;

/** A page: its entries under their own name, and where the next one begins. */
type Page<T> = { readonly cursor?: string } & Readonly<Record<string, readonly T[] | undefined>>;

/** Entries of a list, page by page, up to `limit`. @param name of the member of a page that has them */
export async function listed<T>(
  api: OperatorApi,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  name: string,
  limit: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page: Page<T> = await api.get(path, { ...query, cursor, limit: Math.min(PAGE, limit - found.length) });
    found.push(...(page[name] ?? []));

    ({ cursor } = page);
    if (cursor === undefined || found.length >= limit) return found.slice(0, limit);
  }
}
