import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
/** Waits in equal parts and reports progress after each; while it waits it holds no worker. */
export const triggerLongRunningOperation = defineTool({
    name: 'trigger-long-running-operation',
    title: 'Trigger Long Running Operation Tool',
    description: 'Demonstrates a long running operation with progress updates.',
    input: z.object({
        duration: z.number().min(0).max(86_400).default(10).describe('Duration of the operation in seconds'),
        steps: z.number().int().min(1).max(1000).default(5).describe('Number of steps in the operation'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    task: 'optional',
    async run({ duration, steps }, context) {
        for (let done = 1; done <= steps; done++) {
            await context.sleep('step', (duration / steps) * 1000);
            context.progress({ progress: done, total: steps });
        }
        return `Long running operation completed. Duration: ${duration} seconds, Steps: ${steps}.`;
    },
});
//# sourceMappingURL=trigger-long-running-operation.js.map