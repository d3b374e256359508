import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import { invalidParams } from './errors.js';
/** The params of a request in the shape that the schema gives them. @throws ProtocolError -32602 that names each wrong field */
export function parseParams(schema, params) {
    const parsed = parseUntrusted(schema, params ?? {});
    if (!parsed.success)
        throw invalidParams(`Invalid params: ${describeIssues(parsed.error, 'params')}`);
    return parsed.data;
}
//# sourceMappingURL=params.js.map