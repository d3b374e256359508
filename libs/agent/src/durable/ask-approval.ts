import { APPROVAL, type DurableContext } from '@longhaul/mcp-features';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { AskApproval } from '../tools/approval.js';
import type { StatusLine } from '@longhaul/servers/durable';

/** How much of the arguments a person sees. Longer ones cannot be changed in a form. */
const MAX_SHOWN_BYTES = 4_096;

const answers = z.enum(['once', 'always', 'no']);
const changed = z.string().default('');

const answer = {
  type: 'string',
  enum: answers.options,
  description: 'once: only this call. always: each call of this tool for the rest of this task. no: not this call',
} as const;

/** The form: the answer, and the arguments, which may be changed. */
function formOf(shown: string): ElicitRequestFormParams['requestedSchema'] {
  const args = { type: 'string', title: 'Arguments', description: 'The arguments as JSON. You may change them', default: shown } as const;
  const isWhole = Buffer.byteLength(shown) <= MAX_SHOWN_BYTES;
  return { type: 'object', properties: { answer, ...(isWhole && { arguments: args }) }, required: ['answer'] };
}

/** Asks the person at the client: recorded, so that an "always" holds for the whole task. */
export function createAskApproval(context: DurableContext, status: StatusLine): AskApproval {
  return async ({ tool, arguments: args }, _signal, problem) => {
    const { name } = tool.listed;
    if (!context.elicitEnabled)
      throw new Error(`${tool.name} may only be called when a person agrees, and this client cannot ask one. Go on without it.`);
    const written = JSON.stringify(args);
    const shown = cutWithNote(written, MAX_SHOWN_BYTES);
    const why = problem === undefined ? '' : `Your arguments do not fit: ${problem}\n`;
    const message = `${why}The agent wants to call ${name} of the server "${tool.server}" with ${shown}`;
    const { action, content } = await status.during(`Waiting for somebody to allow a call of ${name} (server "${tool.server}")`, () =>
      context.elicit({ mode: 'form', message, requestedSchema: formOf(written), _meta: { [APPROVAL]: true } }),
    );
    const given = action === 'accept' ? answers.parse(content?.['answer']) : 'no';
    const text = changed.parse(content?.['arguments']);
    return given === 'no' || text === '' || text === written ? given : { arguments: text, isAlways: given === 'always' };
  };
}
