/** The tools that the conformance suite calls for the tasks extension of revision 2026-07-28, and the one that is never a task. */
import { defineTool, errorResult, ProtocolError } from '@longhaul/mcp-features';
import { z } from 'zod';

const INTERNAL_ERROR = -32603;

const SECOND_MS = 1_000;

const nothing = z.object({});

const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  input: z.object({ name: z.string().describe('Who is greeted') }),
  run: ({ name }) => `Hello, ${name}!`,
});

const slowCompute = defineTool({
  name: 'slow_compute',
  description: 'Takes as long as its argument says.',
  input: z.object({
    seconds: z.number().min(0).max(3_600).describe('How long it takes'),
    label: z.string().default('').describe('A text for its result'),
  }),
  task: 'optional',
  async run({ seconds, label }, context) {
    if (seconds > 0) await context.sleep('compute', seconds * SECOND_MS);
    return `Computed ${label} in ${seconds} seconds.`;
  },
});

const failingJob = defineTool({
  name: 'failing_job',
  description: 'Ends after a second with a result that says it has failed.',
  input: nothing,
  task: 'required',
  async run(_, context) {
    await context.sleep('work', SECOND_MS);
    return errorResult('This job always fails.');
  },
});

const protocolErrorJob = defineTool({
  name: 'protocol_error_job',
  description: 'Ends with an error of the protocol.',
  input: nothing,
  task: 'optional',
  run: () => Promise.reject(new ProtocolError(INTERNAL_ERROR, 'This job ends without a result.')),
});

const confirmDelete = defineTool({
  name: 'confirm_delete',
  description: 'Asks the user before it deletes a file that there is none of.',
  input: z.object({ filename: z.string().describe('The name of the file') }),
  task: 'optional',
  async run({ filename }, context) {
    const { action, content } = await context.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
    });
    return action === 'accept' && content?.['confirm'] === true ? `Deleted ${filename}.` : `Kept ${filename}.`;
  },
});

const multiInput = defineTool({
  name: 'multi_input',
  description: 'Asks the user two things at the same time.',
  input: nothing,
  task: 'optional',
  async run(_, context) {
    const [name, confirmation] = await Promise.all([
      context.elicit({
        message: 'What is your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      }),
      context.elicit({
        message: 'Go on?',
        requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
      }),
    ]);
    return `Name: ${JSON.stringify(name.content ?? {})}, confirmation: ${JSON.stringify(confirmation.content ?? {})}`;
  },
});

const withTask = defineTool({
  name: 'test_tool_with_task',
  description: 'Asks the user for a name before it becomes a task.',
  input: z.object({ name: z.string().optional().describe('The name; without it, the user is asked') }),
  task: 'required',
  async prepare(args, context) {
    if (args['name'] !== undefined) return args;
    const params = {
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    };
    const { content } = await context.ask('user_name', { method: 'elicitation/create', params });
    return { ...args, ...z.object({ name: z.string() }).parse(content) };
  },
  async run({ name }, context) {
    await context.sleep('work', SECOND_MS);
    return `Done for ${name}.`;
  },
});

/** Clients without the extension wait for the results of those that need not be tasks. */
export const taskTools = [greet, slowCompute, failingJob, protocolErrorJob, confirmDelete, multiInput, withTask];
