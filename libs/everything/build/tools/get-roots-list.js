import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
const NONE = 'The client supports roots but no roots are currently configured.\n\n' +
    'This could mean:\n' +
    "1. The client hasn't provided any roots yet\n" +
    '2. The client provided an empty roots list\n' +
    '3. The roots configuration is still being loaded';
const NOTE = "Note: This server demonstrates the roots protocol capability but doesn't actually access files. " +
    'The roots are provided by the MCP client and can be used by servers that need file system access.';
/** The roots of the client, which is asked each time: it may have changed them since. */
export const getRootsList = defineTool({
    name: 'get-roots-list',
    title: 'Get Roots List Tool',
    description: 'Lists the current MCP roots provided by the client. Demonstrates the roots protocol capability ' +
        "even though this server doesn't access files.",
    input: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    needs: ['roots'],
    async run(_args, context) {
        const roots = await context.roots();
        if (roots.length === 0)
            return NONE;
        const lines = roots.map(({ name, uri }, index) => `${index + 1}. ${name || 'Unnamed Root'}\n   URI: ${uri}`);
        return `Current MCP Roots (${roots.length} total):\n\n${lines.join('\n\n')}\n\n${NOTE}`;
    },
});
//# sourceMappingURL=get-roots-list.js.map