import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
/** Answers with its input, at once. */
export const echo = defineTool({
    name: 'echo',
    title: 'Echo Tool',
    description: 'Echoes back the input string',
    input: z.object({ message: z.string().describe('Message to echo') }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: ({ message }) => `Echo: ${message}`,
});
//# sourceMappingURL=echo.js.map