import { definePrompt, ProtocolError } from '@longhaul/mcp-features';
import { JsonRpcCode } from '@longhaul/tasks';
import { z } from 'zod';
import { DYNAMIC_RESOURCE_TYPES, dynamicResource, dynamicResourceIdOf } from '../resources/dynamic-resources.js';
import { userMessage } from './user-message.js';
/** A prompt that brings a dynamic resource along. */
export function resourcePrompt(clock) {
    return definePrompt({
        name: 'resource-prompt',
        title: 'Resource Prompt',
        description: 'A prompt that includes an embedded resource reference',
        arguments: z.object({
            resourceType: z.string().describe('Type of resource to fetch'),
            resourceId: z.string().describe('ID of the text resource to fetch'),
        }),
        complete: {
            resourceType: (typed) => DYNAMIC_RESOURCE_TYPES.filter((type) => type.startsWith(typed)),
            resourceId: (typed) => (dynamicResourceIdOf(typed) === undefined ? [] : [typed]),
        },
        run({ resourceType, resourceId }) {
            const type = typeOf(resourceType);
            const id = dynamicResourceIdOf(resourceId);
            if (id === undefined)
                throw new ProtocolError(JsonRpcCode.InvalidParams, `Invalid resourceId: ${resourceId}. Must be a finite positive integer.`);
            return {
                messages: [
                    userMessage(`This prompt includes the ${type} resource with id: ${id}. Please analyze the following resource:`),
                    { role: 'user', content: { type: 'resource', resource: dynamicResource(type, id, clock) } },
                ],
            };
        },
    });
}
function typeOf(text) {
    const type = DYNAMIC_RESOURCE_TYPES.find((known) => known === text);
    if (type === undefined)
        throw new ProtocolError(JsonRpcCode.InvalidParams, `Invalid resourceType: ${text}. Must be ${DYNAMIC_RESOURCE_TYPES.join(' or ')}.`);
    return type;
}
//# sourceMappingURL=resource-prompt.js.map