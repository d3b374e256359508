import { defineTool } from '@longhaul/mcp-features';
import type { JsonObject } from '@longhaul/tasks';
import { clientTaskStory } from './client-task-story.js';
import { promptInput, promptParams } from './prompt.js';

const NAME = 'trigger-sampling-request-async';

/** Asks the client's model to answer a prompt in a task of the client, and shows the course of the task. */
export const triggerSamplingRequestAsync = defineTool({
  name: NAME,
  title: 'Trigger Async Sampling Request Tool',
  description:
    'Trigger an async sampling request that the CLIENT executes as a background task. ' +
    'Demonstrates bidirectional MCP tasks where the server sends a request and the client ' +
    'executes it asynchronously, allowing the server to poll for progress and results.',
  input: promptInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needs: ['sampling', 'tasks.sampling'],
  task: 'optional',
  async run(args, context) {
    const story = await clientTaskStory(context, {
      request: { method: 'sampling/createMessage', params: promptParams(NAME, args) as JsonObject },
      ttlMs: 300_000,
      maxPolls: 60,
      shown: ['role', 'content', 'model', 'stopReason'],
    });
    if (!story.isCompleted) return story.text;
    const { progress, result } = story;
    return `[COMPLETED] Async sampling completed!\n\n**Progress:**\n${progress}\n\n**Result:**\n${JSON.stringify(result, null, 2)}`;
  },
});
