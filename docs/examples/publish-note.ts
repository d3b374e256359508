/** A durable tool: LONGHAUL_FEATURES=./docs/examples/publish-note.ts npm start */
import { appendFile } from 'node:fs/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const FILE = process.env['NOTES_FILE'] ?? 'notes.txt';

const publishNote = defineTool({
  name: 'publish-note',
  description: 'Asks for approval, waits a while, and appends the note to a file.',
  input: z.object({ text: z.string().min(1), delaySeconds: z.number().min(0).default(60) }),
  task: 'optional',
  async run({ text, delaySeconds }, context) {
    const { action, content } = await context.elicit({
      message: `Publish "${text}"?`,
      requestedSchema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
    });
    if (action !== 'accept' || content?.['approved'] !== true) return 'Not published.';
    await context.sleep('time to think again', delaySeconds * 1000);
    return context.step('append', async ({ idempotencyKey }) => {
      await appendFile(FILE, `${text} (${idempotencyKey})\n`);
      return `Published as ${idempotencyKey}.`;
    });
  },
});

/** Gateways and workers load what is exported under this name. */
export const features = [publishNote];
