/** What every result of this revision has beside what its method says: its type, whose it is, and how long it may be kept. */
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { MethodTraits } from '../rpc/method.js';
import { SERVER_INFO } from '../rpc/server-info.js';

/** What results say of their server. */
export const SERVER_META = { [SERVER_INFO_META_KEY]: SERVER_INFO };

const SCOPES: ReadonlySet<unknown> = new Set(['public', 'private']);

/** The result as it goes out. What a feature has said itself stays, as far as it can be understood. */
export function encoded(result: Result, { keptMs }: Pick<MethodTraits, 'keptMs'>): Result {
  const { resultType = 'complete', _meta } = result;
  return {
    ...result,
    resultType,
    ...(keptMs !== undefined && resultType === 'complete' && cacheHints(result, keptMs)),
    ...(_meta === undefined ? { _meta: SERVER_META } : { _meta: { ...SERVER_META, ..._meta } }),
  };
}

/** What a server shows depends on who asks, unless it says otherwise. */
function cacheHints({ ttlMs, cacheScope }: Result, keptMs: number): object {
  const isTtl = Number.isSafeInteger(ttlMs) && (ttlMs as number) >= 0;
  return { ttlMs: isTtl ? ttlMs : keptMs, cacheScope: SCOPES.has(cacheScope) ? cacheScope : 'private' };
}
