import { describe, expect, it } from 'vitest';
import { EXIT } from '../api/exit-codes.js';
import { answerQuestion } from '../verbs/questions.js';
import { exportTask, writeResult } from '../verbs/histories.js';
import { showTask } from '../verbs/show-task.js';
import { scriptedContext } from '../verbs/verb-context.fixture.js';
import { taskIdOf } from './task-argument.js';

describe('the id of a task on the command line', () => {
  it('is a UUID', () => {
    expect(taskIdOf('0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11')).toBe('0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11');
  });

  it.each([
    ['tasks show', showTask],
    ['answer', answerQuestion],
    ['tasks export', exportTask],
    ['tasks result', writeResult],
  ])('is asked for by %s only if it is one: the stream of all tasks has no end', async (_verb, run) => {
    const context = scriptedContext(() => undefined, { words: ['events'], flags: { reason: 'to try it' } });
    await expect(run(context)).rejects.toMatchObject({
      exitCode: EXIT.notFound,
      message: 'there is no task "events": the id of a task is a UUID',
    });
    expect(context.asked).toEqual([]);
  });
});
