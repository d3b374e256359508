import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
export function serverMetaOf(info) {
    return { [SERVER_INFO_META_KEY]: info };
}
const SCOPES = new Set(['public', 'private']);
/** The result as it goes out. What a feature has said itself stays, as far as it can be understood. */
export function encoded(result, { keptMs }, serverMeta) {
    const { resultType = 'complete', _meta } = result;
    return {
        ...result,
        resultType,
        ...(keptMs !== undefined && resultType === 'complete' && cacheHints(result, keptMs)),
        _meta: _meta === undefined ? serverMeta : { ...serverMeta, ..._meta },
    };
}
/** What a server shows depends on who asks, unless it says otherwise. */
function cacheHints({ ttlMs, cacheScope }, keptMs) {
    const isTtl = Number.isSafeInteger(ttlMs) && ttlMs >= 0;
    return { ttlMs: isTtl ? ttlMs : keptMs, cacheScope: SCOPES.has(cacheScope) ? cacheScope : 'private' };
}
//# sourceMappingURL=results.js.map