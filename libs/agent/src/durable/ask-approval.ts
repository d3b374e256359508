import type { DurableContext } from '@longhaul/mcp-features';
import { z } from 'zod';
import { cutWithNote } from '../conversation/cut-bytes.js';
import type { AskApproval } from '../tools/approval.js';

/** Of the arguments, what a person is shown. */
const MAX_SHOWN_BYTES = 4_096;

const form = z.object({
  answer: z
    .enum(['once', 'always', 'no'])
    .describe('once: only this call. always: each call of this tool for the rest of this task. no: not this call'),
});

/** Asks the person at the client: recorded, so that an "always" holds for the whole task. */
export function createAskApproval(context: DurableContext): AskApproval {
  return async ({ tool, arguments: args }) => {
    const { name } = tool.listed;
    if (!context.elicitEnabled)
      throw new Error(`${tool.name} may only be called when a person agrees, and this client cannot ask one. Go on without it.`);
    context.status(`Waiting for somebody to allow a call of ${name} (server "${tool.server}")`);
    const shown = cutWithNote(JSON.stringify(args), MAX_SHOWN_BYTES);
    const answer = await context.elicit(form, `The agent wants to call ${name} of the server "${tool.server}" with ${shown}`);
    return answer.action === 'accept' ? answer.content.answer : 'no';
  };
}
