import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { TINY_IMAGE_PNG } from './tiny-image.js';

const MESSAGES = {
  error: { text: 'Error: Operation failed', annotations: { priority: 1, audience: ['user', 'assistant'] } },
  success: { text: 'Operation completed successfully', annotations: { priority: 0.7, audience: ['user'] } },
  debug: { text: 'Debug: Cache hit ratio 0.95, latency 150ms', annotations: { priority: 0.3, audience: ['assistant'] } },
} satisfies Record<string, { readonly text: string; readonly annotations: ContentBlock['annotations'] }>;

/** A message with annotations that state its priority and audience. */
export const getAnnotatedMessage = defineTool({
  name: 'get-annotated-message',
  title: 'Get Annotated Message Tool',
  description: 'Demonstrates how annotations can be used to provide metadata about content.',
  input: z.object({
    messageType: z.enum(['error', 'success', 'debug']).describe('Type of message to demonstrate different annotation patterns'),
    includeImage: z.boolean().default(false).describe('Whether to include an example image'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run({ messageType, includeImage }) {
    const content: ContentBlock[] = [{ type: 'text', ...MESSAGES[messageType] }];
    if (includeImage)
      content.push({ type: 'image', data: TINY_IMAGE_PNG, mimeType: 'image/png', annotations: { priority: 0.5, audience: ['user'] } });
    return { content };
  },
});
