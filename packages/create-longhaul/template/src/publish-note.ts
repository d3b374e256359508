/** A tool that asks. While it waits for the answer no process holds its task: everything may be restarted in the meantime. */
import { appendFile } from 'node:fs/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { notesFile } from './notes-file.ts';

export const publishNote = defineTool({
  name: 'publish-note',
  description: 'Asks for approval, and appends the note to a file.',
  input: z.object({ text: z.string().min(1) }),
  task: 'optional',
  needs: ['elicitation.form'],
  async run({ text }, context) {
    const answer = await context.elicit(z.object({ approved: z.boolean() }), `Publish "${text}"?`);
    if (answer.action !== 'accept' || !answer.content.approved) return 'Not published.';
    // A step runs once, and its value is recorded. If its worker dies before that, it runs again, with the same key.
    return context.step('append', async ({ idempotencyKey }) => {
      await appendFile(notesFile(), `${text} (${idempotencyKey})\n`);
      return 'Published.';
    });
  },
});
