import { defineTool } from '@longhaul/mcp-features';
import type { Clock } from '@longhaul/tasks';
import { z } from 'zod';
import { DYNAMIC_RESOURCE_TYPES, dynamicResource, dynamicResourceIdOf } from '../resources/dynamic-resources.js';

/** Returns a dynamic resource, embedded in the result. */
export function getResourceReference(clock: Clock) {
  return defineTool({
    name: 'get-resource-reference',
    title: 'Get Resource Reference Tool',
    description: 'Returns a resource reference that can be used by MCP clients',
    input: z.object({
      resourceType: z.enum(DYNAMIC_RESOURCE_TYPES).default('Text'),
      resourceId: z.number().default(1).describe('ID of the text resource to fetch'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run({ resourceType, resourceId }) {
      const id = dynamicResourceIdOf(resourceId);
      if (id === undefined) throw new RangeError(`Invalid resourceId: ${resourceId}. Must be a finite positive integer.`);
      const resource = dynamicResource(resourceType, id, clock);
      return {
        content: [
          { type: 'text', text: `Returning resource reference for Resource ${id}:` },
          { type: 'resource', resource },
          { type: 'text', text: `You can access this resource using the URI: ${resource.uri}` },
        ],
      };
    },
  });
}
