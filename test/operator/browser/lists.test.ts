/** Tests lists of the operator page beyond their first page, addresses that are shared or wrong, and forms that accept only valid input. */
import type { JsonObject } from '@longhaul/tasks';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, openDesk, sidewaysOnTelephone } from './desk.js';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterEach(() => desk.closePages());
afterAll(() => desk?.close());

describe('older tasks', () => {
  it('are shown at the first click, once each, also when newer ones push others off the live end', async () => {
    const many = 130;
    for (let count = 0; count < many; count++) await desk.api.create('older');
    const page = await desk.visit('tasks?tool=older');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show older tasks' }).click();
    await expect.poll(() => rows.count()).toBe(many);
    const created = await desk.api.create('older');
    await page.locator(`a[href$="${created}"]`).waitFor();
    await expect.poll(() => rows.count()).toBe(many + 1);
  });
});

describe('an address', () => {
  it('that names no status, no instant or no task says so, in place of a lost connection', async () => {
    for (const path of ['tasks?status=foo', 'tasks?since=2026-11-23T10:00', 'tasks/%']) {
      const page = await desk.visit(path);
      await page.locator('main').getByRole('alert').waitFor();
      await expect.poll(() => page.getByText('Nothing comes from the server').count()).toBe(0);
      await page.close();
    }
  });

  it('has the instant of a time that was entered', async () => {
    const page = await desk.visit('tasks');
    await page.getByText('More filters').click();
    await page.getByLabel('Created from').fill('2026-11-23T10:00:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const instant = await page.evaluate<string>(`new Date('2026-11-23T10:00:00').toISOString()`);
    await expect.poll(() => new URLSearchParams(page.url().split('?')[1]).get('since')).toBe(instant);
  });
});

describe('a form', () => {
  it('takes an empty text that is required, and an empty choice', async () => {
    const properties = {
      product: { type: 'string', title: 'Product' },
      note: { type: 'string', title: 'Note' },
      size: { type: 'string', title: 'Size', enum: ['', 'large'] },
    };
    const params: JsonObject = { message: 'Which?', requestedSchema: { type: 'object', properties, required: Object.keys(properties) } };
    const taskId = await desk.api.ask(params);
    const page = await desk.visit(`tasks/${taskId}`);
    const form = page.getByRole('article', { name: 'Which?' });
    await form.getByLabel('Product').fill('PROD-12');
    await form.getByLabel('Size').selectOption('(empty)');
    await form.getByRole('textbox', { name: 'Reason' }).fill('asked for by phone');
    await form.getByRole('button', { name: 'Answer' }).click();
    await form.waitFor({ state: 'detached' });
    const { body } = await desk.api.get(`/api/v1/tasks/${taskId}/history?after=4`);
    expect(JSON.stringify(body)).toContain(JSON.stringify({ product: 'PROD-12', note: '', size: '' }));
  });
});

describe('a list of tasks', () => {
  const firstTools = async (page: Page): Promise<string[]> =>
    (await page.locator('tbody tr a').allTextContents()).map((text) => text.split(' ')[0] ?? '');

  it('is sorted, has other columns and less room by its address, which a saved view keeps', async () => {
    for (const tool of ['sorted-b', 'sorted-a', 'sorted-c']) await desk.api.create(tool);
    const page = await desk.visit('tasks');
    await page.getByRole('button', { name: 'Tool', exact: true }).click();
    await expect
      .poll(async () => (await firstTools(page)).filter((tool) => tool.startsWith('sorted')))
      .toEqual(['sorted-a', 'sorted-b', 'sorted-c']);
    await page.getByRole('button', { name: 'Tool', exact: true }).click();
    await expect
      .poll(async () => (await firstTools(page)).filter((tool) => tool.startsWith('sorted')))
      .toEqual(['sorted-c', 'sorted-b', 'sorted-a']);
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByRole('checkbox', { name: 'Owner' }).uncheck();
    await page.getByRole('button', { name: 'Compact' }).click();
    const address = new URL(page.url()).hash;
    expect(Object.fromEntries(new URLSearchParams(address.split('?')[1]))).toEqual({
      sort: '-tool',
      columns: 'status,tool,standing,version,created,lasts',
      rows: 'compact',
    });
    await page.getByText('Views', { exact: true }).click();
    await page.getByLabel('Name of the view').fill('mine');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.goto(`${desk.url}#/tasks`);
    await page.reload();
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('link', { name: 'mine' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe(address);
    await page.getByRole('columnheader', { name: 'Tool' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Owner' }).count()).toBe(0);
    await page.close();
  });

  it('has rows that are selected, and acted on together; what is refused stays selected', async () => {
    const ids = [await desk.api.create('selected'), await desk.api.create('selected'), await desk.api.create('selected')];
    const page = await desk.visit('tasks?tool=selected');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    await page.getByText('3 selected').waitFor();
    await desk.api.post(`/api/v1/tasks/${ids[0]}/cancel`, { reason: 'before' });
    await page.getByRole('button', { name: 'Cancel selected' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('all of them');
    await dialog.getByRole('button', { name: 'Cancel selected' }).click();
    await dialog.getByRole('alert').getByText('1 of 3 were refused').waitFor();
    for (const id of ids) expect((await desk.api.get(`/api/v1/tasks/${id}`)).body).toMatchObject({ status: 'cancelled' });
    await page.close();
  });

  it('is moved through by keys, and a palette goes anywhere', async () => {
    for (let at = 0; at < 2; at += 1) await desk.api.create('by-key');
    const page = await desk.visit('tasks?tool=by-key');
    const links = page.locator('tbody tr a');
    await expect.poll(() => links.count()).toBe(2);
    // Tasks of one millisecond have no order of their own.
    const [first = '', second = ''] = await links.evaluateAll((all) =>
      all.map((link) => link.getAttribute('href')?.split('/').at(-1) ?? ''),
    );
    await page.keyboard.press('j');
    await page.locator(`a[href$="${first}"]:focus`).waitFor();
    await page.keyboard.press('j');
    await page.locator(`a[href$="${second}"]:focus`).waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).getByRole('textbox').fill(second);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'by-key' }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/tasks/${second}`);
    await page.close();
  });

  it('shows its first row in the upper half of a telephone, which it does not scroll sideways', async () => {
    await desk.api.create('on-telephone');
    const page = await desk.visit('tasks');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    expect((await page.locator('tbody tr').first().boundingBox())?.y).toBeLessThan(400);
    expect(await sidewaysOnTelephone(page)).toBe(0);
    // Nor is the list itself: it has no column that is out of sight.
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table'))`;
    expect(await page.evaluate<number>(hidden)).toBe(0);
    await page.close();
  });

  it('says what to do when it is empty', async () => {
    const page = await desk.visit('tasks?tool=nobody-has-it');
    await page.getByText('No task fits these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all tasks' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/tasks');
    await page.close();
  });
});

it('a paused tool is seen on every view that it concerns', async () => {
  await desk.api.post('/api/v1/queue/pause', { tool: 'charge', reason: 'the bank is away' });
  for (const path of ['', 'questions', 'tools/charge', 'tasks?tool=charge']) {
    const page = await desk.visit(path);
    await page.getByRole('status').getByText('Paused: charge.').waitFor();
    await page.close();
  }
  const other = await desk.visit('tools/research');
  await other.getByRole('heading', { name: 'Latest tasks' }).waitFor();
  expect(await other.getByText('Paused: charge.').count()).toBe(0);
  await desk.api.post('/api/v1/queue/resume', { tool: 'charge', reason: 'it is back' });
});
