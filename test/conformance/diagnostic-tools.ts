/** The tools by which the conformance suite finds out how a server of revision 2026-07-28 treats requests and streams. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const nothing = z.object({});

const missingCapability = defineTool({
  name: 'test_missing_capability',
  description: "Needs the client's model.",
  input: nothing,
  needs: ['sampling'],
  run: () => 'The client can sample.',
});

const streamingElicitation = defineTool({
  name: 'test_streaming_elicitation',
  description: 'Asks the user, with progress on the stream of its answer.',
  input: nothing,
  async run(_, context) {
    context.progress(50);
    const { action } = await context.elicit(z.object({ name: z.string() }), 'What is your name?');
    return `The user has chosen: ${action}`;
  },
});

const logging = defineTool({
  name: 'test_logging_tool',
  description: 'Logs a message of each level, to a client that wants them.',
  input: nothing,
  run(_, context) {
    context.debug('A detail');
    context.info('An event');
    context.warning('A warning');
    return 'Logged.';
  },
});

const listChange = (kind: 'tool' | 'prompt') =>
  defineTool({
    name: `test_trigger_${kind}_change`,
    description: `Notifies all clients that the list of ${kind}s has changed.`,
    input: nothing,
    run(_, context) {
      context.everyone.listChanged(`${kind}s`);
      return 'Notified.';
    },
  });

const paramHeader = defineTool({
  name: 'test_x_mcp_header',
  description: 'Has an argument that clients send in a header as well.',
  input: z.object({ region: z.string().meta({ description: 'Where the call is routed to', 'x-mcp-header': 'Region' }) }),
  run: ({ region }) => `Region: ${region}`,
});

/** What they are for is looked at in revision 2026-07-28 only; they work in the others as well. */
export const diagnosticTools = [missingCapability, streamingElicitation, logging, listChange('tool'), listChange('prompt'), paramHeader];
