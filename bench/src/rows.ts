/** Defines the measured operations of each subject. */
import { once } from 'node:events';
import { McpClient } from './clients/mcp-client.js';
import { ModernClient } from './clients/modern-client.js';
import { load as runLoad, type Load, type LoadResult } from './measure/load.js';
import { seedTasks } from './seed-tasks.js';
import type { RedisSubject, Subject } from './subjects/subjects.js';

/** An operation that is measured. */
export interface Row {
  readonly id: string;
  /** As the report names it. */
  readonly name: string;
  readonly subject: Subject;
  readonly concurrency: number;
  run(load: Load): Promise<LoadResult>;
}

/** Rows, and a function that closes what was opened for them. */
export interface Rows {
  readonly rows: readonly Row[];
  close(): void;
}

const PAGE = 50;
const MANY_TASKS = 100_000;
const ECHO = { name: 'answer', arguments: { message: 'hello' } };
/** How many of the last created tasks must end before other rows are measured. */
const LAST = 64;

export function rawRows(subject: Subject, concurrency: number): Rows {
  const run = async (load: Load): Promise<LoadResult> => {
    const child = subject.children['producer']?.child;
    if (child === undefined) throw new Error('Raw BullMQ has a producer.');
    child.send({ type: 'run', load });
    for (;;) {
      const [said] = (await once(child, 'message')) as [{ type: string; result: LoadResult }];
      if (said.type === 'result') return said.result;
    }
  };
  const rows = [
    { id: 'raw', name: 'raw BullMQ: add → process → completed', subject, concurrency, run },
    { id: 'raw one', name: 'the same, one at a time', subject, concurrency: 1, run },
  ];
  return { rows, close: () => undefined };
}

export async function scriptRows(subject: Subject, concurrency: number): Promise<Rows> {
  const client = await McpClient.connect(subject.url, concurrency);
  const run = (load: Load): Promise<LoadResult> => runLoad(load, async () => void (await client.resultOf(await client.createTask('noop'))));
  const rows = [
    { id: 'script', name: 'a bare script of the design: create → result', subject, concurrency, run },
    { id: 'script one', name: 'the same, one at a time', subject, concurrency: 1, run },
  ];
  return { rows, close: () => client.close() };
}

export function fastifyRows(subject: Subject, concurrency: number): Rows {
  const [echo, get] = ['echo', 'get'].map((path) => new ModernClient(`${subject.url}/${path}`, concurrency)) as [
    ModernClient,
    ModernClient,
  ];
  const rows: Row[] = [
    {
      id: 'fastify echo',
      name: 'a bare Fastify route',
      subject,
      concurrency,
      run: (load) => runLoad(load, async () => void (await echo.call('tools/call', ECHO))),
    },
    {
      id: 'fastify get',
      name: 'a bare Fastify route with one `HGETALL`',
      subject,
      concurrency,
      run: (load) => runLoad(load, async () => void (await get.call('tasks/get', { taskId: 'bare' }))),
    },
  ];
  return { rows, close: () => [echo, get].forEach((client) => client.close()) };
}

/** A client of one protocol version, and how it waits for a task. */
interface TaskClient {
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  createTask(name: string): Promise<string>;
  resultOf(taskId: string): Promise<string>;
  close(): void;
}

/** @param mark prefix of the rows' ids, if it is not the only Longhaul */
export async function longhaulRows(subject: Subject, concurrency: number, mark = ''): Promise<Rows> {
  const modern = new ModernClient(subject.url, concurrency);
  const clients: readonly (readonly [version: string, client: TaskClient])[] = [
    ['2025', await McpClient.connect(subject.url, concurrency)],
    ['2026', Object.assign(modern, { resultOf: (taskId: string) => modern.endOf(taskId) })],
  ];
  const rows = clients.flatMap(([version, client]) => {
    const row = (id: string, name: string, run: Row['run'], atOnce = concurrency): Row => {
      return { id: `${mark}${id} ${version}`, name: `${mark}${name}, ${version}`, subject, concurrency: atOnce, run };
    };
    const task = (load: Load): Promise<LoadResult> =>
      runLoad(load, async () => void (await client.resultOf(await client.createTask('noop'))));
    const lag = (tool: string) => (load: Load) =>
      runLoad(load, async () => {
        const returnedAt = Number(await client.resultOf(await client.createTask(tool)));
        return performance.timeOrigin + performance.now() - returnedAt;
      });
    return [
      row('task', 'a task: `tools/call` → result', task),
      row('one', 'the same, one at a time', task, 1),
      row('create', '`tools/call` as a task', (load) => created(client, load)),
      row('get', '`tasks/get`', (load) => statusAsked(client, load)),
      row('echo', 'a call within the request', (load) => runLoad(load, async () => void (await client.call('tools/call', ECHO)))),
      row('lag 4', 'lag from the return of a tool of 50 ms, 4 at once', lag('timed'), 4),
      row('lag', `lag from the return of a tool, ${concurrency} at once`, lag('stamped')),
    ];
  });
  return { rows, close: () => clients.forEach(([, client]) => client.close()) };
}

/** The first page of `tasks/list`, of an owner with a page of tasks and of one with many. */
export async function listRows(subject: RedisSubject, concurrency: number): Promise<Rows> {
  const lists = await Promise.all(
    [PAGE, MANY_TASKS].map(async (count) => {
      const client = await McpClient.connect(subject.url, concurrency);
      await seedTasks(subject.redis.url, client.owner, count);
      return { count, client };
    }),
  );
  const rows = lists.map(({ count, client }): Row => {
    const name = `\`tasks/list\`, a page of ${PAGE} of ${count.toLocaleString('en')} tasks`;
    return {
      id: `list ${count}`,
      name,
      subject,
      concurrency,
      run: (load) => runLoad(load, async () => void (await client.call('tasks/list', {}))),
    };
  });
  return { rows, close: () => lists.forEach(({ client }) => client.close()) };
}

/** Ends when the tasks have ended. */
async function created(client: TaskClient, load: Load): Promise<LoadResult> {
  const last: string[] = [];
  const result = await runLoad(load, async () => {
    last.push(await client.createTask('noop'));
    if (last.length > LAST) last.shift();
  });
  await Promise.all(last.map((taskId) => client.resultOf(taskId)));
  return result;
}

async function statusAsked(client: TaskClient, load: Load): Promise<LoadResult> {
  const taskId = await client.createTask('noop');
  await client.resultOf(taskId);
  return runLoad(load, async () => void (await client.call('tasks/get', { taskId })));
}
