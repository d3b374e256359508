/**
 * Adds the members that every result of this revision has, in addition to the method's: its type, its server, and how long it may be kept.
 */
import type { Implementation, Result } from '@modelcontextprotocol/sdk/types.js';
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { MethodTraits } from '../../rpc/methods.js';

/** The description of the server in the metadata of results. */
export type ServerMeta = Readonly<Record<typeof SERVER_INFO_META_KEY, Implementation>>;

/** @param info is called for each result: it may become another one */
export function serverMetaOf(info: () => Implementation): ServerMeta {
  return {
    get [SERVER_INFO_META_KEY]() {
      return info();
    },
  };
}

const SCOPES: ReadonlySet<unknown> = new Set(['public', 'private']);

/** The result in the form that is sent. The feature's own members stay, if they can be understood. */
export function encoded(result: Result, { keptMs }: Pick<MethodTraits, 'keptMs'>, serverMeta: ServerMeta): Result {
  const { resultType = 'complete', _meta } = result;
  return {
    ...result,
    resultType,
    ...(keptMs !== undefined && resultType === 'complete' && cacheHints(result, keptMs)),
    _meta: _meta === undefined ? serverMeta : { ...serverMeta, ..._meta },
  };
}

/** By default, a result depends on the caller, unless the server says otherwise. */
function cacheHints({ ttlMs, cacheScope }: Result, keptMs: number): object {
  const isTtl = Number.isSafeInteger(ttlMs) && (ttlMs as number) >= 0;
  return { ttlMs: isTtl ? ttlMs : keptMs, cacheScope: SCOPES.has(cacheScope) ? cacheScope : 'private' };
}
