/** Tests lists of the operator page beyond their first page, addresses that are shared or wrong, and forms that accept only valid input. */
import type { JsonObject } from '@longhaul/tasks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, openDesk } from './desk.js';

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
