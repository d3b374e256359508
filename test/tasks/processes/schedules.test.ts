/** Tests that a schedule of the file starts its tool once for each time, while workers are killed, and the example of the documents. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorService, createScheduleService } from '@longhaul/tasks';
import type { Store } from '@longhaul/sessions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Deployment } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const EXAMPLES = new URL('../../../docs/examples/', import.meta.url).pathname;
const STARTS = 6;

let folder: string;
let deployment: Deployment;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-schedules-'));
  deployment = Deployment.create({ LONGHAUL_FEATURES: join(EXAMPLES, 'nightly-report.ts'), REPORT_FILE: join(folder, 'report.txt') });
  store = await deployment.store.open({ role: 'worker' });
});
afterAll(async () => {
  await store.close();
  await deployment.close();
  await rm(folder, { recursive: true, force: true });
});

const service = () => createScheduleService({ store, limits: { all: 9, ofTenant: 9 }, keepEvents: 1_000 });

it('starts its tool once for each time, while workers are killed', async () => {
  const often = { tool: 'nightly-report', every: '1s', overlap: 'allow' };
  const env = { LONGHAUL_SCHEDULES: JSON.stringify({ schedules: { often } }) };
  const workers = await Promise.all([deployment.worker(env), deployment.worker(env)]);
  const started = async () => {
    const kept = await store.schedules.read('often');
    if (kept === undefined) return [];
    const { history } = await service().get('often', { times: 1, events: 1_000 });
    return history.flatMap(({ event }) => (event.type === 'Started' ? [event] : []));
  };
  await waitUntil(async () => (await started()).length >= 2, { description: 'it has started twice' });
  await workers[0].kill();
  await Promise.all([deployment.worker(env), workers[1].kill()]);
  await waitUntil(async () => (await started()).length >= STARTS, { description: 'another worker starts it too' });
  await service().pause('often', 'the test has seen enough', { by: 'operator:test' });
  await waitUntil(async () => (await store.schedules.read('often'))?.state.starting === undefined, { description: 'it has come to rest' });
  const events = await started();
  const times = events.map(({ dueAt }) => dueAt).toSorted((left, right) => left - right);
  const first = times[0] ?? 0;
  expect(times).toEqual(times.map((_, at) => first + 1_000 * at));
  const { tasks } = await createOperatorService(store, { onError: () => undefined }).list({
    filter: { tool: 'nightly-report' },
    limit: 200,
  });
  expect(new Set(tasks.map(({ row }) => row.taskId))).toEqual(new Set(events.map(({ taskId }) => taskId)));
});

it('runs the example of the documents', async () => {
  await deployment.worker({ LONGHAUL_SCHEDULES: join(EXAMPLES, 'schedules.json') });
  const names = async () => (await store.schedules.list(10)).schedules.map(({ name }) => name);
  await waitUntil(async () => (await names()).join() === 'nightly-report', { description: 'the file takes the place of the earlier one' });
  const { upcoming } = await service().get('nightly-report', { times: 10, events: 10 });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' });
  expect(upcoming).toHaveLength(10);
  for (const time of upcoming) expect(['02:30', '03:00']).toContain(clock.format(time));
  await rm(join(folder, 'report.txt'), { force: true });
  await service().run('nightly-report', { by: 'operator:test' });
  const report = () => readFile(join(folder, 'report.txt'), 'utf8').catch(() => '');
  await waitUntil(async () => (await report()) !== '', { description: 'the report is written' });
  expect(await report()).toBe('24 hours\n');
});
