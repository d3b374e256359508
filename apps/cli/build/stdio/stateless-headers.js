import { traitsOf } from '@longhaul/gateway/methods';
import { isJsonObject } from '@longhaul/tasks/json';
const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Headers may have these only, and a text that looks like an encoded one has to be encoded. */
const PLAIN = /^(?!=\?base64\?)(?! )[ -~]*(?<! )$/;
/** @returns undefined for everything else than a single request that says which revision it is of */
export function statelessHeaders({ requests: [request], isBatch }) {
    if (isBatch || request === undefined || !isJsonObject(request.params))
        return undefined;
    const { method, params } = request;
    const meta = params['_meta'];
    const version = isJsonObject(meta) ? meta[PROTOCOL_VERSION_KEY] : undefined;
    if (typeof version !== 'string')
        return undefined;
    const { subject } = traitsOf(method);
    const name = subject === undefined ? undefined : params[subject];
    return {
        'mcp-protocol-version': encoded(version),
        'mcp-method': encoded(method),
        ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
    };
}
function encoded(text) {
    return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
//# sourceMappingURL=stateless-headers.js.map