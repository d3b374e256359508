import { ProtocolError, resultOrError } from '@longhaul/mcp-features';
import { z } from 'zod';
import { RpcCode } from '../errors.js';
import { checkNeeds } from './check-needs.js';
import { parseParams } from '../params.js';
const Params = z.object({ uri: z.string() });
/** `resources/read`. */
export function readResource(features, contextOf) {
    return {
        name: 'resources/read',
        kind: 'waits',
        async handle(call) {
            const { uri } = parseParams(Params, call.params);
            const found = features.findResource(uri);
            const what = `Resource ${uri}`;
            if (found !== undefined)
                checkNeeds(what, needsOf(found), call.requester);
            const result = found === undefined ? undefined : await resultOrError(what, () => read(found, uri, call, contextOf), nameOf(found));
            if (result === undefined)
                throw new ProtocolError(RpcCode.ResourceNotFound, `${what} not found`, { uri });
            return result;
        },
    };
}
/** As its author knows it: what a URI of a template names is what the caller says. */
function nameOf(found) {
    return `Resource ${'resource' in found ? found.resource.uri : found.template.uriTemplate}`;
}
function needsOf(found) {
    return 'resource' in found ? found.resource.needs : found.template.needs;
}
function read(found, uri, call, contextOf) {
    return 'resource' in found ? found.resource.read(uri, contextOf(call)) : found.template.read(found.variables, contextOf(call), uri);
}
//# sourceMappingURL=read-resource.js.map