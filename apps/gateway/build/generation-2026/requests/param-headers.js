import { Refusal, RpcCode } from '../../rpc/errors.js';
import { decodedValue, headerValue } from './header-values.js';
const PREFIX = 'Mcp-Param-';
/** What a header's value may consist of. */
const PLAIN = /^[\t\x20-\x7e]*$/;
/** A whole number in any decimal notation. */
const WHOLE = /^-?\d+(\.0+)?$/;
export function createParamHeaderCheck({ tools }) {
    const paramsOf = new Map(tools.filter(({ headerParams }) => headerParams.length > 0).map((tool) => [tool.name, tool.headerParams]));
    return (headers, { method, params }) => {
        if (method !== 'tools/call')
            return;
        for (const param of paramsOf.get(params['name']) ?? []) {
            const header = `${PREFIX}${param.name}`;
            const problem = problemOf(param, headerValue(headers, header.toLowerCase()), valueAt(params['arguments'], param.path));
            if (problem === undefined)
                continue;
            throw new Refusal(400, RpcCode.HeaderMismatch, `Header mismatch: the ${header} header ${problem}`, {}, { header });
        }
    };
}
/** @returns what is wrong with a header, if anything is */
function problemOf({ path, type }, header, value) {
    const argument = `arguments.${path.join('.')}`;
    const said = header === undefined ? undefined : decoded(header);
    if (header !== undefined && said === undefined)
        return 'is neither plain ASCII nor Base64 of UTF-8';
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
        return `cannot stand for ${argument}, which must be from -(2^53 - 1) to 2^53 - 1`;
    if (!isPrimitive(value)) {
        // No header can say it: an argument of a wrong type is for the tool to refuse.
        return said === undefined ? undefined : `has a value, and ${argument} has none that a header can have`;
    }
    if (said === undefined)
        return `is missing, and ${argument} has a value`;
    const isSame = said === String(value) || (type === 'integer' && typeof value === 'number' && WHOLE.test(said) && Number(said) === value);
    return isSame ? undefined : `has another value than ${argument}`;
}
function isPrimitive(value) {
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
/** @returns undefined for a value that no client may send */
function decoded(header) {
    return PLAIN.test(header) ? decodedValue(header) : undefined;
}
function valueAt(args, path) {
    let at = args;
    for (const name of path) {
        if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name))
            return undefined;
        at = at[name];
    }
    return at;
}
//# sourceMappingURL=param-headers.js.map