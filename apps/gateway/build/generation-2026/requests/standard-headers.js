import { Refusal, RpcCode } from '../../rpc/errors.js';
import { GENERATION } from './extension.js';
import { decodedValue, headerValue } from './header-values.js';
const MISSING = '(missing)';
/**
 * A tolerance: requests about a task may come without `Mcp-Name`. The specification has clients send it, and a client
 * in wide use does not (docs/clients.md). It only serves those who route by it.
 *
 * @param subject the member of the params that `Mcp-Name` repeats, if any
 * @throws Refusal 400
 */
export function checkStandardHeaders(headers, { method, params }, subject) {
    if (headers['mcp-protocol-version'] === undefined)
        throw mismatch(MISSING, `the body envelope names protocol version ${GENERATION} but the required MCP-Protocol-Version header is absent`);
    // What it says has been compared with the body.
    if (headers['mcp-method'] === undefined)
        throw mismatch(MISSING, `the body names method ${method} but the required Mcp-Method header is absent`);
    if (subject === undefined)
        return;
    const given = params[subject];
    const value = typeof given === 'string' ? given : undefined;
    const header = headerValue(headers, 'mcp-name');
    if (header === undefined) {
        if (value === undefined || subject === 'taskId')
            return;
        throw mismatch(MISSING, `the body carries params.${subject}="${value}" but the required Mcp-Name header is absent`);
    }
    const named = decodedValue(header);
    if (named === undefined)
        throw mismatch(header, 'the Mcp-Name header carries an invalid Base64 sentinel value');
    if (value !== undefined && named !== value)
        throw mismatch(header, `the body carries params.${subject}="${value}" but the Mcp-Name header names "${named}"`);
}
function mismatch(header, body) {
    const message = `Bad Request: the request headers and body disagree: ${body}`;
    return new Refusal(400, RpcCode.HeaderMismatch, message, {}, { mismatch: { header, body } });
}
//# sourceMappingURL=standard-headers.js.map