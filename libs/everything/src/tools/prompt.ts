import type { CreateMessageRequestParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** The input of every tool that asks the client's model to answer a prompt. */
export const promptInput = z.object({
  prompt: z.string().describe('The prompt to send to the LLM'),
  maxTokens: z.number().default(100).describe('Maximum number of tokens to generate'),
});

/** The request for an answer to the prompt, as the named tool makes it. */
export function promptParams(tool: string, { prompt, maxTokens }: z.output<typeof promptInput>): CreateMessageRequestParams {
  return {
    messages: [{ role: 'user', content: { type: 'text', text: `Resource ${tool} context: ${prompt}` } }],
    systemPrompt: 'You are a helpful test server.',
    maxTokens,
    temperature: 0.7,
  };
}
