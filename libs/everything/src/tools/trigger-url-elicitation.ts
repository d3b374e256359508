import { defineTool, UrlElicitationRequired } from '@longhaul/mcp-features';
import type { TaskContext } from '@longhaul/tasks';
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { FORM_LIMIT_MS } from '../forms/form-limit.js';

const NAME = 'trigger-url-elicitation';

const input = z.object({
  url: z.url().describe('The URL the user should open'),
  message: z.string().default('Please open the link to complete this action.').describe('Message shown to the user before opening the URL'),
  elicitationId: z.string().optional().describe('Optional explicit elicitation ID. Defaults to a random UUID.'),
  errorPath: z
    .boolean()
    .default(false)
    .describe(
      'Controls which elicitation mechanism is used. ' +
        'When false (default), sends an elicitation/create request (request path). ' +
        'When true, throws a UrlElicitationRequiredError (MCP error code -32042) so the client handles ' +
        'the URL elicitation via the error path rather than waiting for a response. ' +
        'To clear the error, satisfy the prerequisite and retry this call with the same arguments; the ' +
        'retry ignores errorPath and proceeds, so the client does not loop on the same error.',
    ),
});

/** Sends the user to a page, asking either by a request or by the error that names it. */
export const triggerUrlElicitation = defineTool({
  name: NAME,
  title: 'Trigger URL Elicitation Tool',
  description:
    'Trigger a URL elicitation so the client can direct the user to a browser flow. ' +
    "Supports two mechanisms: the request path (elicitation/create, default) which awaits the user's " +
    'response, and the error path (UrlElicitationRequiredError, -32042) which signals the client ' +
    'to handle URL elicitation via the error response. Set errorPath=true to use the error path.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needs: ['elicitation.url'],
  task: 'optional',
  maxWaitMs: FORM_LIMIT_MS,
  async run(args, context) {
    const { url, message, elicitationId = context.randomUUID() } = args;
    if (args.errorPath) await demandPrerequisite(args, context);
    const answer = await context.elicit({ mode: 'url', url, message, elicitationId });
    if (answer.action === 'accept') context.elicitationComplete(elicitationId);
    return outcome(answer, elicitationId, url);
  },
});

/**
 * Throws on the first of two calls. A client that was asked to open a page calls again with the same arguments, without a sign that it is a
 * repetition. So the session remembers the request by its arguments, and the next call passes.
 */
async function demandPrerequisite({ url, elicitationId = '' }: z.output<typeof input>, context: TaskContext): Promise<void> {
  const { session } = context;
  const key = JSON.stringify([NAME, url, elicitationId]);
  if ((await session.get(key)) !== undefined) return session.delete(key);
  await session.set(key, true);
  throw new UrlElicitationRequired(
    [
      {
        mode: 'url',
        url: 'https://modelcontextprotocol.io',
        message: 'Open this link to satisfy the prerequisite, then retry the request.',
        elicitationId: context.randomUUID(),
      },
    ],
    'This request requires browser-based authorization.',
  );
}

function outcome(answer: ElicitResult, elicitationId: string, url: string): CallToolResult {
  const texts = {
    accept: `✅ User completed the URL elicitation flow.\nElicitation ID: ${elicitationId}\nURL: ${url}`,
    decline: `❌ User declined to open the URL (Elicitation ID: ${elicitationId}).`,
    cancel: `⚠️ User cancelled the URL elicitation (Elicitation ID: ${elicitationId}).`,
  };
  return {
    content: [
      { type: 'text', text: texts[answer.action] },
      { type: 'text', text: `\nRaw result: ${JSON.stringify(answer, null, 2)}` },
    ],
  };
}
