import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
export function defineSessionJobToggle({ job, started, stopped, ...tool }) {
    return defineTool({
        ...tool,
        input: z.object({}),
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
        needsSession: true,
        async run(_args, { session }) {
            if (session === undefined)
                throw new Error(`${tool.name} needs a session.`);
            // Whether it runs is asked by starting it: of two calls at the same time, one starts and one stops.
            if (await session.startJob(job))
                return started(session.id);
            await session.stopJob(job);
            return stopped(session.id);
        },
    });
}
//# sourceMappingURL=session-job-toggle.js.map