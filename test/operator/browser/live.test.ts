/** Tests that the operator page updates itself: changes are pushed, a lost connection costs nothing, a long history is light. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTcpProxy } from '../../support/tcp-proxy.js';
import { type Desk, openDesk } from './desk.js';
import { longTask, WrittenTask } from './written-tasks.js';

const WRITTEN = 20;
const OFFLINE_MS = 10_000;
const LONG_HISTORY = 10_000;
/** Of 10,000 events, the page draws the window in front and a little around it. */
const MAX_DRAWN = 200;
const MAX_PAGE_BYTES = 70 * 1024;

/** Through all events, in a hundred strides. */
const SCROLL = `(async () => {
  const list = document.querySelector('.virtual');
  for (let stride = 1; stride <= 100; stride++) {
    list.scrollTop = (stride / 100) * list.scrollHeight;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterEach(() => desk.closePages());
afterAll(() => desk?.close());

const step = (key: string) => (at: number, epoch: number) => [{ type: 'CompleteStep', at, epoch, key, value: key }] as const;

describe('what is pushed', () => {
  it('the value that a task shows is on its page, and the next one takes its place', async () => {
    const task = await new WrittenTask(desk.store, Date.now()).create('showing');
    await task.claim('worker');
    const shows = (page: number) => task.does((at, epoch) => [{ type: 'ExposeValue', at, epoch, value: { page }, seq: page }], 0);
    const view = await desk.visit(`tasks/${task.taskId}`);
    await view.getByText('2 of 2 events').waitFor();
    for (const page of [1, 2]) {
      await shows(page);
      await view.getByLabel('Shown value').getByText(`"page": ${page}`).waitFor();
    }
  });

  it('an event is in the history of its task, and a task in the list, without a reload', async () => {
    const task = await new WrittenTask(desk.store, Date.now()).create('pushed');
    await task.claim('worker');
    const [history, list] = [await desk.visit(`tasks/${task.taskId}`), await desk.visit('tasks?tool=pushed-too')];
    await history.getByText('2 of 2 events').waitFor();
    await list.getByText('No task fits these filters.').waitFor();
    for (let written = 3; written < 3 + WRITTEN; written++) {
      await task.does(step(`step:${written}`), 0);
      await history.getByText(`${written} of ${written} events`).waitFor();
    }
    for (let created = 1; created <= WRITTEN; created++) {
      await desk.api.fail('pushed-too', `topic ${created}.`);
      await list.getByText(`topic ${created}.`).waitFor();
    }
  });

  it('counts on the overview go on with what happens', async () => {
    const page = await desk.visit('');
    const asked = page.locator('.numbers > div').filter({ hasText: 'Waiting for an answer' }).locator('dd');
    const before = Number(await asked.textContent());
    await desk.api.ask();
    await expect.poll(() => asked.textContent()).toBe(String(before + 1));
    const drawn = page.getByRole('figure', { name: 'Tasks per minute' });
    await drawn.locator('canvas').waitFor();
    await page.getByRole('button', { name: 'Last week' }).click();
    await page.getByRole('figure', { name: 'Tasks per hour' }).locator('canvas').waitFor();
    expect(new URL(page.url()).hash).toBe('#/?over=week');
  });
});

describe('ten seconds without the network', () => {
  it('lose no event and double none, in a history and in a list', async () => {
    const task = await new WrittenTask(desk.store, Date.now()).create('offline');
    await task.claim('worker');
    const network = await openTcpProxy(desk.url);
    const page = await desk.visit(`tasks/${task.taskId}`, 'ada', network.url);
    const list = await desk.visit('tasks?tool=offline-too', 'ada', network.url);
    await page.getByText('2 of 2 events').waitFor();
    await list.getByText('No task fits these filters.').waitFor();
    network.cut();
    const offlineAt = performance.now();
    const created: string[] = [];
    for (let count = 0; performance.now() - offlineAt < OFFLINE_MS; count++) {
      await task.does(step(`offline:${count}`), 0);
      if (count % 10 === 0) created.push(await desk.api.create('offline-too'));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await page.getByRole('alert').getByText('Nothing comes from the server').waitFor();
    network.restore();
    const written = (await desk.store.events.read(task.taskId)).length;
    await page.getByText(`${written.toLocaleString('en')} of ${written.toLocaleString('en')} events`).waitFor();
    for (const taskId of created) await list.locator(`a[href$="${taskId}"]`).waitFor();
    expect(await list.locator('tbody tr').count()).toBe(created.length);
    // Only the window in front is drawn.
    await list.close();
    await page.evaluate(SCROLL);
    await page.getByRole('button', { name: new RegExp(`^${written} `) }).waitFor();
    const versions = await page.locator('.event .number').allTextContents();
    expect(versions.map(Number)).toEqual(Array.from({ length: versions.length }, (_, at) => written - versions.length + at + 1));
    await network.close();
  });
});

describe('a history of 10,000 events', () => {
  it('is scrolled with only its window drawn, and searched', async () => {
    const task = await longTask(desk.store, LONG_HISTORY);
    const page = await desk.visit(`tasks/${task.taskId}`);
    await page.getByText('10,000 of 10,000 events').waitFor();
    await page.evaluate(SCROLL);
    await page.getByRole('button', { name: /^10000 / }).waitFor();
    expect(await page.locator('.event').count()).toBeLessThan(MAX_DRAWN);
    await page.getByRole('searchbox', { name: 'Events with the text' }).fill('row:9876');
    await page.getByText('1 of 10,000 events').waitFor();
    await page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'row:9876' }).click();
    await page.getByRole('complementary', { name: 'Selected event' }).getByText('"key": "row:9876"').waitFor();
  });
});

describe('the page', () => {
  it('takes 70 kB at most, with the charts', () => {
    const folder = new URL('../../../apps/operator/dist/page/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(html|js|css|svg)$/.test(name));
    const bytes = files.map((name) => gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length);
    expect(files.length).toBeGreaterThan(2);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_PAGE_BYTES);
  });
});
