import { defineTool, hasCapability } from '@longhaul/mcp-features';
import { promptInput, promptParams } from './prompt.js';
const NAME = 'sampleLLM';
/** The reference server's tool before `trigger-sampling-request`: it shows the text of the answer only. */
export const sampleLlm = defineTool({
    name: NAME,
    description: "Samples from an LLM using MCP's sampling feature",
    input: promptInput,
    needs: ['sampling'],
    task: 'optional',
    async run(args, context) {
        const takesContext = hasCapability(context.client.capabilities, 'sampling.context');
        const { content } = await context.sample({ ...promptParams(NAME, args), ...(takesContext && { includeContext: 'thisServer' }) });
        return `LLM sampling result: ${textOf(content)}`;
    },
});
function textOf(content) {
    return content.type === 'text' ? content.text : JSON.stringify(content);
}
//# sourceMappingURL=sample-llm.js.map