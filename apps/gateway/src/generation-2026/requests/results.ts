/** What every result of this revision has beside what its method says: its type, whose it is, and how long it may be kept. */
import type { Implementation, Result } from '@modelcontextprotocol/sdk/types.js';
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { MethodTraits } from '../../rpc/methods.js';

/** What results say of their server, in their metadata. */
export type ServerMeta = Readonly<Record<typeof SERVER_INFO_META_KEY, Implementation>>;

export function serverMetaOf(info: Implementation): ServerMeta {
  return { [SERVER_INFO_META_KEY]: info };
}

const SCOPES: ReadonlySet<unknown> = new Set(['public', 'private']);

/** The result as it goes out. What a feature has said itself stays, as far as it can be understood. */
export function encoded(result: Result, { keptMs }: Pick<MethodTraits, 'keptMs'>, serverMeta: ServerMeta): Result {
  const { resultType = 'complete', _meta } = result;
  return {
    ...result,
    resultType,
    ...(keptMs !== undefined && resultType === 'complete' && cacheHints(result, keptMs)),
    _meta: _meta === undefined ? serverMeta : { ...serverMeta, ..._meta },
  };
}

/** What a server shows depends on who asks, unless it says otherwise. */
function cacheHints({ ttlMs, cacheScope }: Result, keptMs: number): object {
  const isTtl = Number.isSafeInteger(ttlMs) && (ttlMs as number) >= 0;
  return { ttlMs: isTtl ? ttlMs : keptMs, cacheScope: SCOPES.has(cacheScope) ? cacheScope : 'private' };
}
