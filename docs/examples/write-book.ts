/** A durable tool with slow steps: npm start -- ./docs/examples/write-book.ts */
import { appendFile } from 'node:fs/promises';
import { setTimeout as work } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const writeBook = defineTool({
  name: 'write-book',
  description: 'Writes a book, one slow chapter after the other.',
  input: z.object({ title: z.string().min(1), chapters: z.number().int().min(1).default(6), seconds: z.number().min(0).default(5) }),
  task: 'optional',
  async run({ title, chapters, seconds }, context) {
    if (chapters > 10) {
      const answer = await context.elicit(z.object({ ok: z.boolean() }), `Write ${chapters} chapters?`);
      if (answer.action !== 'accept' || !answer.content.ok) return 'Not written.';
    }
    for (let chapter = 1; chapter <= chapters; chapter++) {
      await context.step('chapter', async () => {
        await work(seconds * 1_000);
        await appendFile(process.env['BOOK_FILE'] ?? 'book.txt', `${title}, chapter ${chapter}\n`);
      });
      context.progress({ progress: chapter, total: chapters });
    }
    return `"${title}" has ${chapters} chapters.`;
  },
});

export const features = [writeBook];
