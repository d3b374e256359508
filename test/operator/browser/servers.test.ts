/** Tests the view of proxied servers: what it shows, and what operators do there. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { reportServers } from '../support/server-reports.js';
import { accessibilityProblems, type Desk, notedIn, openDesk } from './desk.js';

const REASON = 'the disk is full';
/** A report is kept for 30 s. */
const REPEAT_MS = 5_000;

let desk: Desk;
let reporting: NodeJS.Timeout;
beforeAll(async () => {
  desk = await openDesk();
  await reportServers(desk.store);
  reporting = setInterval(() => void reportServers(desk.store), REPEAT_MS);
});
afterEach(() => desk.closePages());
afterAll(async () => {
  clearInterval(reporting);
  await desk?.close();
});

async function act(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: label });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await dialog.getByRole('button', { name: label }).click();
}

it('lists servers, and shows one, which is restarted, and turned off and on, as a whole and by tool', async () => {
  const page = await desk.visit('servers');
  const row = page.getByRole('row', { name: 'files' });
  await row.getByText('exited with 4').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await row.getByRole('link', { name: 'files' }).click();
  await page.getByRole('heading', { name: 'files' }).waitFor();
  await page.getByRole('row', { name: 'gateway two' }).getByText('away').waitFor();
  await page.getByRole('region', { name: 'Last error' }).getByText('<b>no disk</b>').waitFor();
  await act(page, 'Turn write off');
  await page.getByRole('row', { name: 'write' }).getByText(`operator:ada: ${REASON}`).waitFor();
  await act(page, 'Turn write on');
  await page.getByRole('button', { name: 'Turn write off' }).waitFor();
  await act(page, 'Restart');
  await page.getByText('All processes connect it again.').waitFor();
  await act(page, 'Turn off');
  await page.getByText(`Off by operator:ada: ${REASON}`).waitFor();
  expect(await page.getByRole('button', { name: 'Restart' }).count()).toBe(0);
  // Another page shows it too, without a notice that fades.
  const other = await desk.visit('servers/files');
  await other.getByText(`Off by operator:ada: ${REASON}`).waitFor();
  expect(await accessibilityProblems(other)).toEqual([]);
  await act(page, 'Turn on');
  await page.getByRole('button', { name: 'Restart' }).waitFor();
  expect((await notedIn(page)).violations).toEqual([]);
});

it('changes nothing for those who may only read', async () => {
  const page = await desk.visit('servers/files', 'reader');
  await page.getByRole('row', { name: 'write' }).waitFor();
  expect(await page.locator('main button').allTextContents()).toEqual([]);
});
