import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { TINY_IMAGE_PNG } from './tiny-image.js';

/** Returns an image between two texts. */
export const getTinyImage = defineTool({
  name: 'get-tiny-image',
  title: 'Get Tiny Image Tool',
  description: 'Returns a tiny MCP logo image.',
  input: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: () => ({
    content: [
      { type: 'text', text: "Here's the image you requested:" },
      { type: 'image', data: TINY_IMAGE_PNG, mimeType: 'image/png' },
      { type: 'text', text: 'The image above is the MCP logo.' },
    ],
  }),
});
