import { defineTool } from '@longhaul/mcp-features';
import { promptInput, promptParams } from './prompt.js';

const NAME = 'trigger-sampling-request';

/** Asks the client's model to answer a prompt, and shows the client's whole answer. */
export const triggerSamplingRequest = defineTool({
  name: NAME,
  title: 'Trigger Sampling Request Tool',
  description: 'Trigger a Request from the Server for LLM Sampling',
  input: promptInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needs: ['sampling'],
  task: 'optional',
  async run(args, context) {
    const result = await context.sample(promptParams(NAME, args));
    return `LLM sampling result: \n${JSON.stringify(result, null, 2)}`;
  },
});
