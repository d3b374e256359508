/** Tests commands for operators, with the processes of a deployment: faults are found and fixed from a terminal. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Store, ownerOfSubject } from '@longhaul/sessions';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { rowOf, type TaskIndexPosition, type TaskRowPage } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { modern } from '../support/wire-client.js';
import { Workplace } from './support/launcher.js';

/** So many that an operation on them takes longer than it takes to kill its process. */
const TASKS = 600;

/** One tool fails until a file is there, one asks, and one never ends. */
const SHOP = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { defineTool, TerminalError } from '@longhaul/mcp-features';
  import { z } from 'zod';
  const input = z.object({ order: z.string() });
  export const features = [
    defineTool({ name: 'charge', description: 'Charges.', input, task: 'required', searchable: ['order'], async run({ order }, context) {
      await context.step('reserve', () => appendFileSync('ledger', 'reserve ' + order + '\\n'));
      await context.step('charge', () => { if (!existsSync('fixed')) throw new TerminalError('the bank says no'); });
      return 'charged ' + order;
    } }),
    defineTool({ name: 'ask', description: 'Asks.', input, task: 'required', async run(_args, context) {
      const schema = { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] };
      const { action, content } = await context.elicit({ message: 'How many?', requestedSchema: schema });
      return action + ' ' + JSON.stringify(content);
    } }),
    defineTool({ name: 'hold', description: 'Holds.', input, task: 'required', async run(_args, context) {
      await context.sleep('for long', 3_600_000);
      return 'over';
    } }),
  ];`;

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  place.install('@longhaul/mcp-features', 'zod');
  writeFileSync(join(place.folder, 'shop.mjs'), SHOP);
});
afterEach(() => place.close());

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await place.command(args, env);
  return { code, out: stdout, err: stderr };
}
async function json<T>(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
  const { code, out, err } = await run([...args, '--json'], env);
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
  return JSON.parse(out) as T;
}

interface Bulk {
  readonly id: string;
  readonly made: readonly { readonly taskId: string; readonly retriedAs: string }[];
}

interface Listed {
  readonly tasks: readonly { readonly taskId: string; readonly status: string }[];
}

const call = async (url: URL, name: string, order: string): Promise<string> => {
  const { result } = await modern(url.href, 'tools/call', { name, arguments: { order } });
  return String(result?.['taskId']);
};

describe('on the data folder, without a port or a token', () => {
  test('a failed task is found and done again from the step that failed, and a question is answered', async () => {
    const launcher = place.run(['start', 'shop.mjs'], { PORT: '0', LONGHAUL_OPS_PORT: '0' });
    const url = await launcher.endpoint();
    const opsUrl = /Operators +(\S+) \(token in /.exec(launcher.stdout())?.[1] ?? '';
    expect(await run(['queue'], { LONGHAUL_OPS_URL: opsUrl })).toMatchObject({ code: 4, err: expect.stringContaining('token') as string });
    const failed = await call(url, 'charge', 'o1');
    expect(await run(['wait', failed, '--timeout', '20s'])).toMatchObject({
      code: 10,
      out: expect.stringContaining('the bank says no') as string,
    });
    const { groups } = await json<{ groups: { id: string }[] }>(['failures']);
    expect(groups).toMatchObject([{ tool: 'charge', step: 'charge', what: 'the bank says no', count: 1 }]);
    const group = groups[0]?.id ?? '';
    expect(await run(['failures', 'show', group])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\n {4}at .*\/shop\.mjs:9:\d+\)?\n/) as string,
    });
    expect(await run(['tasks', 'show', failed])).toMatchObject({
      out: expect.stringMatching(/failed step +charge[^]*shop\.mjs:9/) as string,
    });
    expect(await json<Listed>(['tasks', 'list', '--status', 'failed'])).toMatchObject({ tasks: [{ taskId: failed }] });
    expect(await json<Listed>(['tasks', 'list', '--group', group])).toMatchObject({ tasks: [{ taskId: failed }] });
    expect(await json<Listed>(['tasks', 'list', '--where', 'order=o1'])).toMatchObject({ tasks: [{ taskId: failed }] });
    expect(await json<Listed>(['tasks', 'list', '--where', 'order=o2'])).toEqual({ tasks: [] });
    expect(await run(['failures', 'snooze', group, '--reason', 'known'])).toMatchObject({ code: 2 });
    expect(await run(['failures', 'snooze', group, '--until', '2h', '--reason', 'known'])).toMatchObject({ code: 0 });
    expect(await run(['failures', 'dismiss', group, '--reason', 'known'])).toMatchObject({ code: 0 });
    expect(await json(['failures'])).toEqual({ groups: [], total: 0, tasks: 0 });
    expect(await json(['failures', '--state', 'all'])).toMatchObject({ groups: [{ state: 'dismissed' }] });
    expect(await run(['failures', 'reopen', group, '--reason', 'not known'])).toMatchObject({ code: 0 });
    expect(await run(['failures', 'show', '0000000000000000'])).toMatchObject({ code: 3 });
    expect(await json(['webhooks'])).toEqual({ webhooks: [] });

    writeFileSync(join(place.folder, 'fixed'), '');
    expect(await run(['tasks', 'retry', failed, '--from', 'charge'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--reason') as string,
    });
    const bulk = await json<Bulk>(['failures', 'retry', group, '--from', 'failed-step', '--reason', 'it is back', '--yes']);
    const { made } = await json<Bulk>(['bulk', 'made', bulk.id]);
    expect(made).toMatchObject(bulk.made);
    const again = { taskId: made[0]?.retriedAs ?? '' };
    expect(made).toMatchObject([{ taskId: failed }]);
    expect(await run(['wait', again.taskId, '--timeout', '20s'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.folder, 'ledger'), 'utf8')).toBe('reserve o1\n');

    const asking = await call(url, 'ask', 'o2');
    const questions = await waitUntil(
      async () => {
        const { questions } = await json<{ questions: { taskId: string; key: string }[] }>(['questions']);
        return questions.length > 0 && questions;
      },
      { description: 'the question is there' },
    );
    expect(questions).toMatchObject([{ taskId: asking }]);
    expect(await run(['answer', asking, 'count=0', '--reason', 'by phone'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('count') as string,
    });
    expect(await run(['answer', asking, 'count=3', '--reason', 'by phone'])).toMatchObject({ code: 0 });
    expect(await run(['wait', asking, '--timeout', '20s'])).toMatchObject({ code: 0 });
    expect(await json(['tasks', 'show', asking])).toMatchObject({ result: { content: [{ text: 'accept {"count":3}' }] } });
    const result = { content: [{ type: 'text', text: 'accept {"count":3}' }] };
    expect(await run(['tasks', 'result', asking, 'result.json'])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(place.folder, 'result.json'), 'utf8'))).toEqual(result);
    expect(await run(['answer', asking, 'count=3', '--reason', 'again'])).toMatchObject({ code: 5 });
    expect(await json(['audit'])).toMatchObject({
      entries: expect.arrayContaining(
        [
          { action: 'question.accept', outcome: 'done', reason: 'by phone' },
          { outcome: 'ANSWER_DOES_NOT_FIT' },
          { action: 'bulk.retry.end', details: expect.objectContaining({ made: bulk.made }) as object },
          { action: 'failure.snooze', target: group, reason: 'known' },
        ].map((entry) => expect.objectContaining(entry) as object),
      ) as object[],
    });
    const heads = await run(['audit', 'verify', '--json']);
    expect(heads).toMatchObject({ code: 0 });
    writeFileSync(join(place.folder, 'heads.json'), heads.out);
    expect(await run(['audit', 'verify', '--anchors', 'heads.json'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('whole') as string,
    });
    writeFileSync(join(place.folder, 'heads.json'), heads.out.replace(/"number": [1-9]/, '"number": 99'));
    expect(await run(['audit', 'verify', '--anchors', 'heads.json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('truncated') as string,
    });
    expect(await run(['audit', 'export', 'audit.jsonl', '--since', '1d'])).toMatchObject({ code: 0 });
    await expect.poll(() => readFileSync(join(place.folder, 'audit.jsonl'), 'utf8')).toContain('"reason":"by phone"');
    expect(await run(['audit', 'export', 'audit-ocsf.jsonl', '--format', 'ocsf'])).toMatchObject({ code: 0 });
    await expect.poll(() => readFileSync(join(place.folder, 'audit-ocsf.jsonl'), 'utf8')).toContain('"class_uid":6003');
    expect(await json(['warnings'])).toEqual({ warnings: [] });
    expect(await json(['workers'])).toMatchObject({ workers: [{ tools: expect.arrayContaining(['charge']) as string[] }] });
  });

  test('tasks are followed, watched, exported and counted, and shells complete the commands', async () => {
    const store = await openSqliteStore({
      path: join(place.folder, '.longhaul', 'longhaul.db'),
      sync: 'normal',
      onError: () => undefined,
    });
    const [taskId = ''] = await seed(store, 1);
    const followed = await run(['tasks', 'follow', taskId, '--jsonl']);
    expect(
      followed.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['TaskCreated', 'TaskFailed']);
    expect(await run(['tasks', 'show', taskId, '--history'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/2 +\S+ +TaskFailed/) as string,
    });
    expect(await run(['tasks', 'export', taskId, 'history.json'])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(place.folder, 'history.json'), 'utf8'))).toMatchObject({
      format: 'longhaul-history',
      taskId,
      events: [{ version: 1 }, { version: 2 }],
    });
    const watch = place.run(['tasks', 'watch', '--status', 'failed']);
    await waitUntil(() => watch.stdout().includes(taskId), { description: 'the task is shown' });
    watch.signal('SIGINT');
    expect(await watch.ended).toMatchObject({ code: 0 });
    expect(await run(['queue'])).toMatchObject({ code: 0, out: expect.stringMatching(/tasks failed +1/) as string });
    expect(await json(['bulk', 'list'])).toEqual({ operations: [] });
    for (const verb of ['abort', 'resume']) expect(await run(['bulk', verb, 'nowhere', '--reason', 'x'])).toMatchObject({ code: 3 });
    const ada = ['--issuer', 'https://login.example.com', '--subject', 'ada'];
    expect(await run(['principals', 'show', ...ada])).toMatchObject({ code: 0, out: expect.stringMatching(/revoked +no/) as string });
    await store.sessionSlots.take(ownerOfSubject({ issuer: 'https://login.example.com', tenant: 'acme', name: 'ada' }), 'its-id', 1);
    const held = (await run(['principals', 'show', ...ada])).out;
    expect(held).toMatch(/sessions open +1\n/);
    expect(held).toMatch(/session +[0-9a-f]{12}, opened \S+Z, until \S+Z unless used, of subject:\S+:ada\n/);
    expect(held).not.toContain('its-id');
    expect(await json(['principals', 'show', ...ada])).toMatchObject({
      openSessions: 1,
      sessions: [{ session: expect.stringMatching(/^[0-9a-f]{12}$/) as string }],
    });
    expect(await run(['principals', 'revoke', ...ada, '--issued-before', '1h', '--reason', 'left the company'])).toMatchObject({ code: 0 });
    expect(await json(['principals', 'list'])).toMatchObject({
      revocations: [{ principal: { subject: 'ada' }, reason: 'left the company' }],
    });
    expect(await run(['principals', 'restore', ...ada, '--reason', 'x'])).toMatchObject({ code: 0 });
    expect(await run(['principals', 'restore', ...ada, '--reason', 'x'])).toMatchObject({ code: 3 });
    expect(await run(['principals', 'revoke', '--reason', 'x'])).toMatchObject({ code: 2 });
    for (const shell of ['bash', 'zsh', 'fish'])
      expect(await run(['completion', shell])).toMatchObject({ code: 0, out: expect.stringMatching(/failure/) as string });
    expect(await run(['tasks', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('longhaul tasks retry [TASK…] [flags]') as string,
    });
    await store.close();
  });

  test('what cannot be done has an exit code and one line that says why', async () => {
    const path = join(place.folder, '.longhaul', 'longhaul.db');
    expect(await run(['queue'])).toMatchObject({ code: 6, out: '', err: expect.stringContaining(`no data file at ${path}`) as string });
    expect(existsSync(dirname(path))).toBe(false);
    await (await openSqliteStore({ path, sync: 'normal', onError: () => undefined })).close();
    expect(await run(['tasks', 'show', 'nowhere'])).toMatchObject({ code: 3 });
    expect(await run(['tasks', 'cancel', '--all', '--tool', 'hold', '--reason', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--all') as string,
    });
    expect(await run(['tasks', 'list', '--limit', 'many'])).toMatchObject({ code: 2, err: expect.stringContaining('--limit') as string });
    expect(await run(['tasks', 'cancel', '--reason', 'x'])).toMatchObject({ code: 2 });
    expect(await run(['queue'], { LONGHAUL_OPS_URL: 'http://127.0.0.1:9' })).toMatchObject({
      code: 6,
      err: expect.stringContaining('LONGHAUL_OPS_URL') as string,
    });
  });
});

describe('against the operator API of a process of its own', () => {
  test('a bulk retry whose process is killed goes on in the next one: no task is left out, none is done twice', async () => {
    const launcher = place.run(['operator'], { LONGHAUL_OPS_PORT: '0' });
    const opsUrl = await waitUntil(() => /listens on (\S+)\./.exec(launcher.stdout())?.[1], {
      description: 'it says where it listens',
    });
    const tokenFile = join(place.folder, '.longhaul', 'operator.token');
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    const env = { LONGHAUL_OPS_URL: opsUrl, LONGHAUL_OPS_TOKEN: readFileSync(tokenFile, 'utf8').trim() };
    const latest = async (): Promise<Operation | undefined> => {
      const headers = { authorization: `Bearer ${env.LONGHAUL_OPS_TOKEN}` };
      const response = await fetch(`${opsUrl}/api/v1/bulk`, { headers }).catch(() => undefined);
      return response === undefined ? undefined : ((await response.json()) as { operations: Operation[] }).operations[0];
    };
    const store = await openSqliteStore({
      path: join(place.folder, '.longhaul', 'longhaul.db'),
      sync: 'normal',
      onError: () => undefined,
    });
    const tasks = await seed(store);

    const words = ['tasks', 'retry', '--tool', 'hold', '--reason', 'they are stuck'];
    expect(await run(words, { LONGHAUL_OPS_URL: opsUrl })).toMatchObject({ code: 4 });
    expect(await run([...words, '--dry-run'], env)).toMatchObject({ code: 0, out: `${TASKS} tasks fit\n` });
    expect(await run(words, env)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string });
    const bulk = place.run([...words, '--yes'], env);
    await waitUntil(
      async () => {
        const operation = await latest();
        return operation?.state === 'running' && operation.done > 0;
      },
      { description: 'a part of it is done' },
    );
    process.kill(place.appOf(launcher, 'operator'), 'SIGKILL');
    await bulk.ended;

    const ended = await waitUntil(
      async () => {
        const operation = await latest();
        return operation?.state === 'done' && operation;
      },
      { description: 'the next process has ended the operation' },
    );
    expect(ended).toMatchObject({ done: TASKS, skipped: 0, failed: 0, matched: TASKS });
    await expect.poll(() => launcher.stderr()).toContain('the operator has ended (SIGKILL) and is started again');
    expect(await originsOfForks(store)).toEqual(tasks.toSorted());
    await store.close();
  }, 120_000);
});

interface Operation {
  readonly state: string;
  readonly done: number;
}

/** Tasks that have failed. */
async function seed({ events }: Store, many = TASKS): Promise<readonly string[]> {
  const tasks: string[] = [];
  for (let count = 0; count < many; count++) {
    const history = new TaskHistory();
    const error = { code: -32_603, message: 'It failed.' };
    const requests = [
      history.create({ tool: 'hold', ttlMs: 3_600_000, owner: `owner ${count % 10}` }),
      history.append([{ type: 'FailPermanently', at: Date.now(), error }]),
    ];
    for (const request of requests) await events.append({ ...request, row: rowOf(request.projection.view) });
    tasks.push(history.taskId);
  }
  return tasks;
}

async function originsOfForks({ operators, events }: Store): Promise<readonly string[]> {
  const origins: string[] = [];
  for (let after: TaskIndexPosition | undefined; ;) {
    const { rows, next }: TaskRowPage = await operators.page({ status: ['working'] }, 500, after);
    for (const { taskId } of rows) {
      const [first] = await events.read(taskId);
      if (first?.type === 'TaskCreated') origins.push(first.data.forkedFrom?.taskId ?? '');
    }
    if (next === undefined) return origins.toSorted();
    after = next;
  }
}
