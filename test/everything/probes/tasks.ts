import type { McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import type { Answers, Message } from '../support/asked-client.js';
import type { FullClient } from '../support/full-client.js';
import { call, type Probe, request } from '../support/probe.js';

const TOOL = 'simulate-research-query';

async function createTask(
  client: FullClient,
  args: Record<string, unknown>,
  ttl = 300_000,
): Promise<{ readonly taskId: string; readonly created: unknown }> {
  const created = await client.request('tools/call', { name: TOOL, arguments: args, task: { ttl } });
  return { taskId: z.object({ task: z.object({ taskId: z.string() }) }).parse(created).task.taskId, created };
}

/** From the handle to the result, and what is then said of the task. */
function research(args: Record<string, unknown>, answers: Answers = {}, note = ''): Probe {
  return {
    name: `${TOOL} ${JSON.stringify(args)} as a task${note === '' ? '' : `, ${note}`}`,
    answers,
    async run(client) {
      const { taskId, created } = await createTask(client, args);
      const result = await client.request('tasks/result', { taskId });
      const after = await client.request('tasks/get', { taskId });
      await untilNotifiedOf(client, taskId, String(after['status']));
      return { created, result, after };
    },
  };
}

/** Resolves when the client has been notified that the task has this status. */
function untilNotifiedOf(client: FullClient, taskId: string, status: string): Promise<true> {
  const isIt = ({ method, params }: Message): boolean =>
    method === 'notifications/tasks/status' && JSON.stringify(params).includes(`"${taskId}","status":"${status}"`);
  return waitUntil(() => client.recorded().notified.some(isIt), {
    description: `the client is notified that the task is ${status}`,
  });
}

/** Cancels a task whose work has begun. */
async function cancelTask(client: FullClient, taskId: string): Promise<object> {
  await waitUntil(async () => (await client.request('tasks/get', { taskId }))['statusMessage'] === 'Gathering sources...', {
    description: 'the first stage runs',
  });
  const cancelled = await client.request('tasks/cancel', { taskId });
  return { cancelled, isNotified: await untilNotifiedOf(client, taskId, 'cancelled').catch(() => false) };
}

async function listedTask(client: FullClient, taskId: string) {
  const listed = await client.request('tasks/list', {});
  const { tasks } = z.object({ tasks: z.array(z.looseObject({ taskId: z.string(), ttl: z.number() })) }).parse(listed);
  return tasks.find((task) => task.taskId === taskId);
}

const choosing = (interpretation: string): Answers => ({ elicit: () => ({ action: 'accept', content: { interpretation } }) });

/** Tools as tasks, and the methods of tasks. */
export const tasks: readonly Probe[] = [
  research({ topic: 'tides' }),
  research({ topic: 'tides', ambiguous: true }, choosing('historical'), 'clarified'),
  research({ topic: 'Python', ambiguous: true }, { elicit: () => ({ action: 'decline' }) }, 'declined'),
  research({ topic: 'tides', ambiguous: true }, { elicit: () => ({ action: 'cancel' }) }, 'cancelled'),
  research({}),
  call(TOOL, { topic: 'tides' }, {}, 'not as a task'),
  { name: 'echo as a task', run: (client) => client.request('tools/call', { name: 'echo', arguments: { message: 'Hi' }, task: {} }) },
  {
    name: 'cancelling a task, and again',
    async run(client) {
      const { taskId } = await createTask(client, { topic: 'tides' });
      const cancellation = await cancelTask(client, taskId);
      const again = await client.request('tasks/cancel', { taskId }).catch(({ code, message }: McpError) => ({ code, message }));
      return { cancellation, again, after: await client.request('tasks/get', { taskId }) };
    },
  },
  request('tasks/get', { taskId: 'no-such-task' }),
  request('tasks/result', { taskId: 'no-such-task' }),
  request('tasks/cancel', { taskId: 'no-such-task' }),
  request('tasks/get', {}),
  {
    name: 'tasks/list, one of the tasks',
    async run(client) {
      const { taskId } = await createTask(client, { topic: 'tides' });
      await cancelTask(client, taskId);
      return listedTask(client, taskId);
    },
  },
  {
    name: 'the ttl of a task that asks for less',
    async run(client) {
      const { taskId } = await createTask(client, { topic: 'tides' }, 60_000);
      await cancelTask(client, taskId);
      return { ttl: (await listedTask(client, taskId))?.ttl };
    },
  },
  request('tasks/list', { cursor: 'no-such-cursor' }),
];
