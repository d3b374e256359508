/** Tests the view of schedules: what it shows, and what operators do there. */
import { defineTool } from '@longhaul/mcp-features';
import { scheduleShape } from '@longhaul/runtime/schedules';
import { createScheduleService, reconcileSchedules } from '@longhaul/tasks';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { accessibilityProblems, type Desk, notedIn, openDesk, sidewaysOnTelephone } from './desk.js';

const REASON = 'the books are closed';
const NAME = 'Nightly 🌙';

const WORKER = { workerId: 'worker', version: '1', tools: ['moons'], lockToken: 'worker', slots: 1, startedAt: 0 };

let desk: Desk;
let beating: NodeJS.Timeout;
beforeAll(async () => {
  const moons = defineTool({
    name: 'moons',
    description: 'Counts moons.',
    input: z.object({ planet: z.string().meta({ title: 'Of planet' }) }),
    task: 'required',
    run: async ({ planet }) => planet,
  });
  desk = await openDesk([moons]);
  const { schedules } = desk.store;
  const service = createScheduleService({ store: desk.store, limits: { all: 9, ofTenant: 9 }, keepEvents: 100 });
  const nightly = scheduleShape.parse({ tool: 'research', cron: '30 2 * * *', timeZone: 'Europe/Berlin', arguments: { topic: 'tides' } });
  await reconcileSchedules({ schedules, service }, { [NAME]: nightly });
  await desk.store.workers.beat(WORKER);
  beating = setInterval(() => void desk.store.workers.beat(WORKER), desk.store.workers.times.beatMs);
});
afterEach(() => desk.closePages());
afterAll(async () => {
  clearInterval(beating);
  await desk?.close();
});

async function confirm(page: Page, label: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: label });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await dialog.getByRole('button', { name: label }).click();
}

async function leave(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  expect((await notedIn(page)).violations).toEqual([]);
}

it('lists schedules, and shows one with its next ten times, which is paused and resumed', async () => {
  const page = await desk.visit('schedules');
  const row = page.getByRole('row', { name: NAME });
  await row.getByText('30 2 * * * (Europe/Berlin)').waitFor();
  await row.getByText('No worker that is alive has the tool research.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await row.getByRole('link', { name: NAME }).click();
  await page.getByRole('heading', { name: NAME }).waitFor();
  const times = page.getByRole('region', { name: 'Next times' }).getByRole('listitem');
  await times.first().waitFor();
  expect(await times.count()).toBe(10);
  expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await confirm(page, 'Pause');
  await page.getByText(`Paused by operator:ada: ${REASON}`).first().waitFor();
  await page.getByText('None.').waitFor();
  await page.getByRole('button', { name: 'Run now' }).click();
  await confirm(page, 'Run now');
  await page.getByText('operator:ada asked for a run').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await confirm(page, 'Resume');
  await times.first().waitFor();
  await leave(page);
});

it('adds a schedule, says what is wrong with it, backfills and removes it', async () => {
  const page = await desk.visit('schedules');
  await page.getByRole('button', { name: 'Add a schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a schedule' });
  await dialog.getByLabel('Name').fill('often');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByLabel('Tool').fill('moons');
  await dialog.getByLabel('Of planet').fill('Mars');
  await dialog.getByLabel('When').selectOption('In an interval');
  await dialog.getByRole('textbox', { name: 'Interval' }).fill('0s');
  await confirm(page, 'Add a schedule');
  await dialog.getByText('schedule.every: must be a duration from 1s to 366d').waitFor();
  await dialog.getByLabel('When').selectOption('By cron');
  await dialog.getByLabel('Minute, hour').fill('0 * * * *');
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByLabel('If an earlier task').selectOption('wait for its end');
  await dialog.getByText('More').click();
  await dialog.getByLabel('Jitter').fill('5s');
  expect(await sidewaysOnTelephone(page)).toBe(0);
  await confirm(page, 'Add a schedule');
  await page.getByRole('heading', { name: 'often' }).waitFor();
  const { body } = await desk.api.get('/api/v1/schedules/often');
  const added = {
    tool: 'moons',
    arguments: { planet: 'Mars' },
    cron: '0 * * * *',
    timeZone: 'Europe/Berlin',
    overlap: 'queue',
    jitter: '5s',
  };
  expect(body).toMatchObject(added);
  await page.getByRole('button', { name: 'Backfill' }).click();
  const backfill = page.getByRole('dialog', { name: 'Backfill' });
  await backfill.getByLabel('From').fill('2026-01-01T00:00');
  await backfill.getByLabel('To').fill('2026-01-01T06:00');
  await confirm(page, 'Backfill');
  await page.getByText('operator:ada asked for the times from').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await confirm(page, 'Remove');
  await page.getByRole('heading', { name: 'Schedules' }).waitFor();
  await page.getByRole('row', { name: 'often' }).waitFor({ state: 'detached' });
  await leave(page);
});
