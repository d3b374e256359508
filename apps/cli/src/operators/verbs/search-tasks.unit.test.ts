import { describe, expect, it } from 'vitest';
import { listTasks } from './list-tasks.js';
import { scriptedContext } from './verb-context.fixture.js';

const task = (taskId: string) => ({
  taskId,
  tool: 'charge',
  status: 'completed',
  createdAt: new Date(Date.now() - 7_200_000).toISOString(),
  match: { place: 'arguments', excerpt: `order\n${taskId}` },
});
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const FOUND =
  event('task', task('one')) +
  event('progress', { looked: 1_200, unreadable: 0, reached: '2026-01-31T12:00:00.000Z', cursor: 'x' }) +
  event('task', task('two')) +
  event('progress', { looked: 34, unreadable: 2 }) +
  event('end', {});

describe('a search for a text', () => {
  it('prints each task with the place where it is, and then how far the search went', async () => {
    const context = scriptedContext(() => FOUND, { flags: { text: 'order', tool: 'charge' } });
    expect(await listTasks(context)).toBe(0);
    expect(context.asked).toEqual(['STREAM /tasks/search?tool=charge&text=order']);
    expect(context.out).toEqual(['one  charge  Completed  2h  arguments: order one', 'two  charge  Completed  2h  arguments: order two']);
    expect(context.err).toEqual(['2 found in all 1,234 tasks that fit. 2 tasks could not be read.']);
  });

  it('ends at the limit, and says that there may be more', async () => {
    const context = scriptedContext(() => FOUND, { flags: { text: 'order', limit: '1' } });
    expect(await listTasks(context)).toBe(0);
    expect(context.out).toHaveLength(1);
    expect(context.err).toEqual([
      expect.stringMatching(
        /^1 found in 1,200 tasks, back to \S+\. Older tasks may have the text too: raise --limit, or continue with --before\.$/,
      ),
    ]);
  });

  it('is one value for programs', async () => {
    const context = scriptedContext(() => FOUND, { flags: { text: 'order' } }, 'json');
    expect(await listTasks(context)).toBe(0);
    expect(JSON.parse(context.out.join(''))).toMatchObject({
      tasks: [{ taskId: 'one' }, { taskId: 'two' }],
      searched: { looked: 1_234, unreadable: 2, isAtEnd: true },
    });
    expect(context.err).toEqual([]);
  });
});
