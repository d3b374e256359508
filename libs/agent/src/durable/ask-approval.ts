import { APPROVAL, type DurableContext } from '@longhaul/mcp-features';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { AskApproval } from '../tools/approval.js';
import type { StatusLine } from '@longhaul/servers/durable';

/** How much of the arguments a person sees. */
const MAX_SHOWN_BYTES = 4_096;

const answers = z.enum(['once', 'always', 'no']);

const requestedSchema: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    answer: {
      type: 'string',
      enum: answers.options,
      description: 'once: only this call. always: each call of this tool for the rest of this task. no: not this call',
    },
  },
  required: ['answer'],
};

/** Asks the person at the client: recorded, so that an "always" holds for the whole task. */
export function createAskApproval(context: DurableContext, status: StatusLine): AskApproval {
  return async ({ tool, arguments: args }) => {
    const { name } = tool.listed;
    if (!context.elicitEnabled)
      throw new Error(`${tool.name} may only be called when a person agrees, and this client cannot ask one. Go on without it.`);
    const shown = cutWithNote(JSON.stringify(args), MAX_SHOWN_BYTES);
    const message = `The agent wants to call ${name} of the server "${tool.server}" with ${shown}`;
    const { action, content } = await status.during(`Waiting for somebody to allow a call of ${name} (server "${tool.server}")`, () =>
      context.elicit({ mode: 'form', message, requestedSchema, _meta: { [APPROVAL]: true } }),
    );
    return action === 'accept' ? answers.parse(content?.['answer']) : 'no';
  };
}
