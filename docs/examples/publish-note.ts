/** A durable tool that asks its user: npm start -- ./docs/examples/publish-note.ts */
import { appendFile } from 'node:fs/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const publishNote = defineTool({
  name: 'publish-note',
  description: 'Asks for approval, waits a while, and appends the note to a file.',
  input: z.object({ text: z.string().min(1), delaySeconds: z.number().min(0).default(60) }),
  task: 'optional',
  async run({ text, delaySeconds }, context) {
    const answer = await context.elicit(z.object({ approved: z.boolean() }), `Publish "${text}"?`);
    if (answer.action !== 'accept' || !answer.content.approved) return 'Not published.';
    await context.sleep('time to think again', delaySeconds * 1_000);
    return context.step('append', async ({ idempotencyKey }) => {
      await appendFile(process.env['NOTES_FILE'] ?? 'notes.txt', `${text} (${idempotencyKey})\n`);
      return `Published as ${idempotencyKey}.`;
    });
  },
});

export const features = [publishNote];
