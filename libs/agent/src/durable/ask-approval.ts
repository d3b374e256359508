import { APPROVAL, type DurableContext } from '@longhaul/mcp-features';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { printableLine, visibleJson } from '@longhaul/runtime/printable';
import type { AskApproval } from '../tools/approval.js';
import type { StatusLine } from '@longhaul/servers/durable';

/** Longer arguments than these are shown in full, but not in a field to be changed. */
const MAX_CHANGED_BYTES = 4_096;
/** No page shows a longer question, and what is not seen cannot be allowed. */
const MAX_SHOWN_BYTES = 128 * 1_024;
const MAX_NAME_CHARACTERS = 200;

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
  const isShort = Buffer.byteLength(shown) <= MAX_CHANGED_BYTES;
  return { type: 'object', properties: { answer, ...(isShort && { arguments: args }) }, required: ['answer'] };
}

/** Asks the person at the client: recorded, so that an "always" holds for the whole task. */
export function createAskApproval(context: DurableContext, status: StatusLine): AskApproval {
  return async ({ tool, arguments: args }, _signal, problem) => {
    // On one line: a server may give a tool a name that looks like a question about another one, and a model may name any server.
    const name = printableLine(tool.listed.name, MAX_NAME_CHARACTERS);
    const server = printableLine(tool.server, MAX_NAME_CHARACTERS);
    if (!context.elicitEnabled)
      throw new Error(`${tool.name} may only be called when a person agrees, and this client cannot ask one. Go on without it.`);
    const written = visibleJson(args);
    if (Buffer.byteLength(written) > MAX_SHOWN_BYTES)
      throw new Error(
        `${tool.name} may only be called when a person agrees, and its arguments are too long to be read. Pass less at once.`,
      );
    const why = problem === undefined ? '' : `Your arguments do not fit: ${problem}\n`;
    const message = `${why}The agent wants to call ${name} of the server "${server}" with ${written}`;
    const { action, content } = await status.during(`Waiting for somebody to allow a call of ${name} (server "${server}")`, () =>
      context.elicit({ mode: 'form', message, requestedSchema: formOf(written), _meta: { [APPROVAL]: true } }),
    );
    const given = action === 'accept' ? answers.parse(content?.['answer']) : 'no';
    const text = changed.parse(content?.['arguments']);
    return given === 'no' || text === '' || text === written ? given : { arguments: text, isAlways: given === 'always' };
  };
}
