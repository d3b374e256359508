import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { DYNAMIC_MIME_TYPE, dynamicResourceUri } from '../resources/dynamic-resources.js';

/** Returns links to dynamic resources, blobs and texts alternately. */
export const getResourceLinks = defineTool({
  name: 'get-resource-links',
  title: 'Get Resource Links Tool',
  description: 'Returns up to ten resource links that reference different types of resources',
  input: z.object({ count: z.number().min(1).max(10).default(3).describe('Number of resource links to return (1-10)') }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run({ count }) {
    const content: ContentBlock[] = [{ type: 'text', text: `Here are ${count} resource links to resources available in this server:` }];
    for (let id = 1; id <= count; id++) content.push(linkTo(id));
    return { content };
  },
});

function linkTo(id: number): ContentBlock {
  const type = id % 2 === 0 ? 'Text' : 'Blob';
  return {
    type: 'resource_link',
    uri: dynamicResourceUri(type, id),
    name: `${type} Resource ${id}`,
    description: `Resource ${id}: plaintext resource`,
    mimeType: DYNAMIC_MIME_TYPE,
  };
}
