/** A tool that works in steps. One that is recorded does not run again, no matter what dies. */
import { readFile } from 'node:fs/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { notesFile } from './notes-file.ts';

export const buildReport = defineTool({
  name: 'build-report',
  description: 'Counts the notes and their words.',
  input: z.object({ pauseSeconds: z.number().min(0).default(1) }),
  output: z.object({ notes: z.number(), words: z.number() }),
  task: 'optional',
  async run({ pauseSeconds }, context) {
    const notes = await context.step('read', async () => {
      const text = await readFile(notesFile(), 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    });
    context.progress({ progress: 1, total: 2, message: `${notes.length} notes` });
    // Nothing is held while a task sleeps, for a second or for a week.
    await context.sleep('pause', pauseSeconds * 1_000);
    const words = await context.step('count', () => notes.flatMap((note) => note.split(/\s+/)).length);
    context.progress({ progress: 2, total: 2, message: `${words} words` });
    return { notes: notes.length, words };
  },
});
