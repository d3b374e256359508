import type { ToolDescription } from '../model/chat-model.js';
import type { AgentTool } from './toolbox.js';

/** A tool as it is described to the model. Endpoints want `properties` also where there are none. */
export function toolDescription({ name, listed }: AgentTool): ToolDescription {
  const description = listed.description ?? listed.title ?? listed.annotations?.title;
  const { inputSchema } = listed;
  const parameters = { ...inputSchema, properties: inputSchema.properties ?? {} } as ToolDescription['parameters'];
  return { name, ...(description !== undefined && { description }), parameters };
}
