import { z } from 'zod';
import { definePrompt } from '@longhaul/mcp-features';
import { userMessage } from './user-message.js';
/** A question made of its arguments; one of them is optional. */
export const argsPrompt = definePrompt({
    name: 'args-prompt',
    title: 'Arguments Prompt',
    description: 'A prompt with two arguments, one required and one optional',
    arguments: z.object({
        city: z.string().describe('Name of the city'),
        // Without a description, as the reference server lists it.
        state: z.string().optional(),
    }),
    run({ city, state = '' }) {
        const location = state === '' ? city : `${city}, ${state}`;
        return { messages: [userMessage(`What's weather in ${location}?`)] };
    },
});
//# sourceMappingURL=args-prompt.js.map