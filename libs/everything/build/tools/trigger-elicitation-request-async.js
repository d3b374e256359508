import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { clientTaskStory } from './client-task-story.js';
import { formOutcome } from '../forms/form-outcome.js';
const form = {
    message: 'Please provide inputs for the following fields (async task demo):',
    requestedSchema: {
        type: 'object',
        properties: {
            name: { title: 'Your Name', type: 'string', description: 'Your full name' },
            favoriteColor: {
                title: 'Favorite Color',
                type: 'string',
                description: 'What is your favorite color?',
                enum: ['Red', 'Blue', 'Green', 'Yellow', 'Purple'],
            },
            agreeToTerms: { title: 'Terms Agreement', type: 'boolean', description: 'Do you agree to the terms and conditions?' },
        },
        required: ['name'],
    },
};
/** Asks the user in a task of the client, and shows how that went. */
export const triggerElicitationRequestAsync = defineTool({
    name: 'trigger-elicitation-request-async',
    title: 'Trigger Async Elicitation Request Tool',
    description: 'Trigger an async elicitation request that the CLIENT executes as a background task. ' +
        'Demonstrates bidirectional MCP tasks where the server sends an elicitation request and ' +
        'the client handles user input asynchronously, allowing the server to poll for completion.',
    input: z.object({}),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    needs: ['elicitation.form', 'tasks.elicitation'],
    task: 'optional',
    async run(_args, context) {
        const story = await clientTaskStory(context, {
            request: { method: 'elicitation/create', params: form },
            ttlMs: 600_000,
            maxPolls: 600,
            shown: ['action', 'content'],
            isWorthALine: ({ status }) => status !== 'input_required',
        });
        if (!story.isCompleted)
            return story.text;
        const { progress, result } = story;
        return formOutcome(result, {
            accepted: '[COMPLETED] User provided the requested information!',
            declined: '[DECLINED] User declined to provide the requested information.',
            cancelled: '[CANCELLED] User cancelled the elicitation dialog.',
            labels: { name: 'Name', favoriteColor: 'Favorite Color', agreeToTerms: 'Agreed to terms' },
            closing: `\nProgress:\n${progress}\n\nRaw result: ${JSON.stringify(result, null, 2)}`,
        });
    },
});
//# sourceMappingURL=trigger-elicitation-request-async.js.map