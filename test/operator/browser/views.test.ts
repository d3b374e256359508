/**
 * Tests every view of the operator page, in light and dark: axe-core finds no mistake, and the policy of the page blocks nothing. With
 * LONGHAUL_TEST_IMAGES=1 it takes the pictures of the documents again.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RegisteredWorker } from '@longhaul/tasks';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reportUsualServers } from '../support/server-reports.js';
import { accessibilityProblems, type Desk, notedIn, openDesk } from './desk.js';
import { failedTask } from './written-tasks.js';

const TAKES_IMAGES = process.env['LONGHAUL_TEST_IMAGES'] === '1';
const IMAGES = new URL('../../../docs/images/', import.meta.url).pathname;

/** A report is kept for 30 s. */
const REPEAT_MS = 5_000;

const WORKER: RegisteredWorker = {
  workerId: 'worker-b-02d4aa',
  version: '1.4.1',
  tools: ['charge', 'report', 'research'],
  lockToken: 'worker-b',
  slots: 4,
  startedAt: Date.now() - 3_600_000,
};

let desk: Desk;
let failed: string;
let beating: NodeJS.Timeout;
let reporting: NodeJS.Timeout;
beforeAll(async () => {
  desk = await openDesk();
  failed = await failedTask(desk.store);
  for (const tool of ['charge', 'charge', 'report']) await desk.api.fail(tool, tool === 'charge' ? 'BANK_REFUSED' : 'TOOL_ERROR');
  await desk.api.ask();
  for (const topic of ['tides', 'moons']) await desk.api.create('research', { topic });
  await desk.store.workers.beat(WORKER);
  beating = setInterval(() => void desk.store.workers.beat(WORKER), desk.store.workers.times.beatMs);
  await reportUsualServers(desk.store);
  reporting = setInterval(() => void reportUsualServers(desk.store), REPEAT_MS);
  const cancelled = await desk.api.create('research', { topic: 'stars' });
  await desk.api.post(`/api/v1/tasks/${cancelled}/cancel`, { reason: 'asked for by phone' });
  const schedule = { tool: 'research', cron: '30 2 * * *', timeZone: 'Europe/Berlin', arguments: { topic: 'tides' } };
  await desk.api.post('/api/v1/schedules', { name: 'nightly', schedule, reason: 'for the harbour' });
  await desk.api.post('/api/v1/bulk', { action: 'retry', filter: { tool: 'report' }, reason: 'the printer is back' });
});
afterEach(() => desk.closePages());
afterAll(async () => {
  clearInterval(beating);
  clearInterval(reporting);
  await desk?.close();
});

/** Each with what it shows once it is there. */
const VIEWS: readonly (readonly [name: string, path: () => string, shown: string])[] = [
  ['overview', () => '', 'What fails most'],
  ['tasks', () => 'tasks', 'asked for by phone'],
  ['tools', () => 'tools', 'charge'],
  ['tool', () => 'tools/charge', 'Latest tasks of charge'],
  ['task', () => `tasks/${failed}`, 'Timeline of the task'],
  ['questions', () => 'questions', 'How many?'],
  ['failures', () => 'failures', 'BANK_REFUSED'],
  ['operations', () => 'operations', 'the printer is back'],
  ['schedules', () => 'schedules', '30 2 * * * (Europe/Berlin)'],
  ['servers', () => 'servers', 'connect ECONNREFUSED'],
  ['workers', () => 'workers', '1.4.1'],
  ['audit', () => 'audit', 'task.cancel'],
  ['start', () => 'start', 'Start a tool'],
];

/** Views whose pictures are also taken in dark, and on a telephone. */
const IN_DARK = new Set(['overview', 'task']);
const ON_TELEPHONE = new Set(['tasks', 'task']);

/** On how many lines the links to the views are. */
const LINES_OF_VIEWS = "new Set([...document.querySelectorAll('header nav a')].map((link) => link.offsetTop)).size";

/** What came out of a step is in order too. */
async function openStep(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'reserve', exact: true }).click();
  await page.getByLabel('Output of reserve').waitFor();
}

async function takeImage(page: Page, name: string): Promise<void> {
  if (!TAKES_IMAGES) return;
  mkdirSync(IMAGES, { recursive: true });
  await page.screenshot({ path: join(IMAGES, `operators-${name}.png`), fullPage: false });
}

/** The list begins as it does there, and the timeline is in sight. */
async function takeImageOnTelephone(page: Page, name: string): Promise<void> {
  if (name === 'tasks') {
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
  }
  await page.evaluate("document.getElementById('timeline')?.scrollIntoView()");
  await takeImage(page, `${name}-telephone`);
  await page.evaluate('scrollTo(0, 0)');
}

describe.each(VIEWS)('the view %s', (name, path, shown) => {
  it('is in order, in dark on a screen and in light on a telephone', async () => {
    const page = await desk.visit(path());
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText(shown).or(page.getByLabel(shown)).first().waitFor();
    expect(await page.evaluate<number>(LINES_OF_VIEWS)).toBe(1);
    if (name === 'task') await openStep(page);
    if (TAKES_IMAGES && name === 'overview') await page.getByRole('img', { name: /In the last hour [1-9]/ }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems(page)).toEqual([]);
    if (IN_DARK.has(name)) await takeImage(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await accessibilityProblems(page)).toEqual([]);
    if (ON_TELEPHONE.has(name)) await takeImageOnTelephone(page, name);
    await page.setViewportSize({ width: 1280, height: 800 });
    await takeImage(page, name);
    expect((await notedIn(page)).violations).toEqual([]);
  });
});

describe('what was spent', () => {
  it('is shown of a task with its budget, of its tool, and of its owner', async () => {
    const page = await desk.visit(`tasks/${failed}`);
    await page.getByText('0.25, 1,200 tokens').waitFor();
    await page.getByText('5,000 tokens').waitFor();
    await page.getByRole('link', { name: 'login.example.com' }).click();
    await page.locator('.facts div', { hasText: 'Spent, latest 1,000 tasks' }).getByText('0.25, 1,200 tokens').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const tools = await desk.visit('tools');
    await tools.locator('tr', { hasText: 'charge' }).getByText('0.25, 1,200 tokens').waitFor();
    expect(await tools.locator('tr', { hasText: 'report' }).locator('td').last().textContent()).toBe('–');
  });
});

describe('the login', () => {
  it('is in order too', async () => {
    const page = await desk.visit('');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Token of an operator').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takeImage(page, 'login');
  });
});

describe('all of it', () => {
  it('comes from one place', () => {
    expect([...desk.origins]).toEqual([new URL(desk.url).origin]);
  });
});

describe('a dialog', () => {
  it('is in order as well', async () => {
    const page = await desk.visit(`tasks/${failed}`);
    await page.getByRole('button', { name: 'Retry the task' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
