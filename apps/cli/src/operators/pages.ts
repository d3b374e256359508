import type { OperatorApi } from './api/operator-api.js';

/** What a page holds at most. */
const PAGE = 200;

interface Paged {
  readonly cursor?: string;
}

/** Entries of a list, page by page, up to `limit`. */
export async function listed<T, Page extends Paged>(
  api: OperatorApi,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  entriesOf: (page: Page) => readonly T[],
  limit: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page: Page = await api.get<Page>(path, { ...query, cursor, limit: Math.min(PAGE, limit - found.length) });
    found.push(...entriesOf(page));
    cursor = page.cursor;
    if (cursor === undefined || found.length >= limit) return found.slice(0, limit);
  }
}
