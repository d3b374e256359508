import { definePrompt } from '@longhaul/mcp-features';
import { userMessage } from './user-message.js';
/** Always the same text. */
export const simplePrompt = definePrompt({
    name: 'simple-prompt',
    title: 'Simple Prompt',
    description: 'A prompt with no arguments',
    run: () => ({ messages: [userMessage('This is a simple prompt without arguments.')] }),
});
//# sourceMappingURL=simple-prompt.js.map