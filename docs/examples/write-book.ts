/** A durable tool with slow steps: npm start -- ./docs/examples/write-book.ts */
import { appendFile } from 'node:fs/promises';
import { setTimeout as work } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const SECONDS = Number(process.env['SECONDS_A_CHAPTER'] ?? 5);

const writeBook = defineTool({
  name: 'write-book',
  description: 'Writes a book, one slow chapter after the other.',
  input: z.object({ title: z.string().min(1), chapters: z.number().int().min(1).max(50).default(6) }),
  task: 'optional',
  async run({ title, chapters }, context) {
    for (let chapter = 1; chapter <= chapters; chapter++) {
      await context.step('chapter', async () => {
        await work(SECONDS * 1_000);
        await appendFile('book.txt', `${title}, chapter ${chapter}\n`);
      });
      context.progress({ progress: chapter, total: chapters });
    }
    return `"${title}" has ${chapters} chapters.`;
  },
});

export const features = [writeBook];
