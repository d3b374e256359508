import { z } from 'zod';
import { defineTool } from '../../authoring/define-tool.js';

/** Answers with its input, at once. */
export const echo = defineTool({
  name: 'echo',
  title: 'Echo Tool',
  description: 'Echoes back the input string',
  input: z.object({ message: z.string().describe('Message to echo') }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: ({ message }) => `Echo: ${message}`,
});
