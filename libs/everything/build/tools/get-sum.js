import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
/** Adds two numbers. */
export const getSum = defineTool({
    name: 'get-sum',
    title: 'Get Sum Tool',
    description: 'Returns the sum of two numbers',
    input: z.object({ a: z.number().describe('First number'), b: z.number().describe('Second number') }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: ({ a, b }) => `The sum of ${a} and ${b} is ${a + b}.`,
});
//# sourceMappingURL=get-sum.js.map