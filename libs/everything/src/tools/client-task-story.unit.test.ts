import type { ClientTaskOptions, ClientTaskResult, ClientTaskStatus, TaskContext } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { type ClientTaskPlan, clientTaskStory } from './client-task-story.js';

const plan: ClientTaskPlan = {
  request: { method: 'elicitation/create', params: {} },
  ttlMs: 1_000,
  maxPolls: 60,
  shown: ['action', 'content'],
};
const task = (status: string, statusMessage?: string): ClientTaskStatus => ({
  taskId: 'theirs',
  status,
  ...(statusMessage !== undefined && { statusMessage }),
});

/** A context with a client that runs a task through the statuses. The first status is the one at its creation. */
function contextWith(statuses: readonly ClientTaskStatus[], outcome: ClientTaskResult): TaskContext {
  const clientTask = async (_request: unknown, { onStatus }: ClientTaskOptions = {}): Promise<ClientTaskResult> => {
    for (const status of statuses) onStatus?.(status);
    return outcome;
  };
  return { clientTask } as TaskContext;
}

describe('the story of a request that the client runs as a task', () => {
  it('has a line for its beginning and for each poll', async () => {
    const statuses = [task('working'), task('input_required', 'thinking'), task('completed')];
    const context = contextWith(statuses, { kind: 'ended', task: task('completed'), result: { action: 'decline' } });
    expect(await clientTaskStory(context, plan)).toEqual({
      isCompleted: true,
      result: { action: 'decline' },
      progress: 'Task created: theirs\nPoll 1: input_required - thinking\nPoll 2: completed',
    });
  });

  it('leaves out what is not worth a line, but for the first poll and each tenth', async () => {
    const polls = Array.from({ length: 21 }, () => task('input_required'));
    const context = contextWith([task('working'), ...polls, task('completed')], {
      kind: 'ended',
      task: task('completed'),
      result: {},
    });
    const story = await clientTaskStory(context, { ...plan, isWorthALine: ({ status }) => status !== 'input_required' });
    expect(story).toMatchObject({
      progress: [
        'Task created: theirs',
        'Poll 1: input_required',
        'Poll 10: input_required',
        'Poll 20: input_required',
        'Poll 22: completed',
      ].join('\n'),
    });
  });

  it.each<[string, ClientTaskResult, string]>([
    ['failed with a message', { kind: 'ended', task: task('failed', 'no model') }, '[FAILED] no model'],
    ['was cancelled without one', { kind: 'ended', task: task('cancelled') }, '[CANCELLED] No message'],
    ['did not end', { kind: 'unfinished', task: task('working') }, '[TIMEOUT] Task timed out after 60 poll attempts'],
  ])('says that the task %s', async (_what, outcome, beginning) => {
    const story = await clientTaskStory(contextWith([task('working'), task('working')], outcome), plan);
    expect(story).toEqual({ isCompleted: false, text: `${beginning}\n\nProgress:\nTask created: theirs\nPoll 1: working` });
  });

  it('shows an answer that came at once, in its usual order and without what belongs to the protocol', async () => {
    const context = contextWith([], { kind: 'immediate', result: { _meta: {}, content: { name: 'Ada' }, action: 'accept' } });
    expect(await clientTaskStory(context, plan)).toEqual({
      isCompleted: false,
      text: '[SYNC] Client executed synchronously:\n{\n  "action": "accept",\n  "content": {\n    "name": "Ada"\n  }\n}',
    });
  });
});
