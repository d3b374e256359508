import { resultOrError } from '@longhaul/mcp-features';
import { z } from 'zod';
import { invalidParams } from '../errors.js';
import { checkNeeds } from './check-needs.js';
import { checkMembers } from '../param-limits.js';
import { parseParams } from '../params.js';
const Params = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });
/** `prompts/get`. */
export function getPrompt(features, contextOf) {
    return {
        name: 'prompts/get',
        kind: 'waits',
        handle(call) {
            checkMembers(call.params, 'arguments');
            const { name, arguments: args } = parseParams(Params, call.params);
            const prompt = features.prompt(name);
            if (prompt === undefined)
                throw invalidParams(`Prompt ${name} not found`);
            checkNeeds(`Prompt ${name}`, prompt.needs, call.requester);
            const checked = prompt.check(args);
            if (!checked.ok)
                throw invalidParams(`Invalid arguments for prompt ${name}: ${checked.message}`);
            return resultOrError(`Prompt ${name}`, () => prompt.get(checked.value, contextOf(call)));
        },
    };
}
//# sourceMappingURL=get-prompt.js.map