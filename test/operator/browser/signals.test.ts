/** Tests that operators send signals from the page of a task that waits for them. */
import type { JsonObject, TaskId } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems, type Desk, notedIn, openDesk, sidewaysOnTelephone } from './desk.js';

const REASON = 'said on the phone';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterEach(() => desk.closePages());
afterAll(() => desk?.close());

/** A task that waits for signals. @param waits the names and the schema of each wait */
async function waiting(...waits: readonly { readonly names: readonly string[]; readonly schema?: JsonObject }[]): Promise<TaskId> {
  const task = new TaskHistory();
  await desk.api.append(task.create());
  await desk.api.append(task.claim());
  const { startedAt: at } = task;
  const { epoch } = task.state;
  const commands = waits.map(
    (wait, index) => ({ type: 'AwaitSignal', at, epoch, key: `$signal:${index}`, misfitOf: () => undefined, ...wait }) as const,
  );
  const waitingFor = commands.map(({ key }) => key);
  await desk.api.append(task.append([...commands, { type: 'SuspendPass', at, epoch, waitingFor }], epoch));
  return task.taskId;
}

async function send(form: Locator): Promise<void> {
  await form.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await form.getByRole('button', { name: 'Send' }).click();
}

async function leave(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  expect((await notedIn(page)).violations).toEqual([]);
}

/** The signals of a task, from its history. */
async function sentTo(taskId: TaskId): Promise<readonly unknown[]> {
  const { body } = await desk.api.get(`/api/v1/tasks/${taskId}/history`);
  const events = body['events'] as { type: string; data: { name: string; value: unknown; via: string } }[];
  return events.flatMap(({ type, data: { name, value, via } }) => (type === 'SignalSent' ? [{ name, value, via }] : []));
}

it('sends a signal with the fields of its schema, and says which one does not fit', async () => {
  const schema = {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['paid', 'refused'], title: 'Status' },
      amount: { type: 'number', exclusiveMinimum: 0, title: 'Amount' },
    },
    required: ['status', 'amount'],
  };
  const taskId = await waiting({ names: ['payment'], schema });
  const page = await desk.visit(`tasks/${taskId}`);
  const form = page.getByRole('article', { name: 'Signal payment' });
  await form.getByLabel('Status').selectOption('paid');
  await form.getByLabel('Amount').fill('0');
  await send(form);
  await form.getByRole('alert').getByText('amount').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await sidewaysOnTelephone(page)).toBe(0);
  await form.getByLabel('Amount').fill('5');
  await send(form);
  await form.waitFor({ state: 'detached' });
  expect(await sentTo(taskId)).toEqual([{ name: 'payment', value: { status: 'paid', amount: 5 }, via: 'operator:ada' }]);
  await leave(page);
});

it('sends any JSON to a wait without a schema, by one of its names, and the audit log has it', async () => {
  const taskId = await waiting({ names: ['approve', 'reject'] });
  const page = await desk.visit(`tasks/${taskId}`);
  const form = page.getByRole('article', { name: 'Signal approve or reject' });
  await form.getByRole('combobox').selectOption('reject');
  await form.getByLabel('Value, as JSON').fill('{ "by": ');
  await send(form);
  await form.locator('.failure').waitFor();
  await form.getByLabel('Value, as JSON').fill('{ "by": "Ada 🌙" }');
  await send(form);
  await form.waitFor({ state: 'detached' });
  expect(await sentTo(taskId)).toMatchObject([{ name: 'reject', value: { by: 'Ada 🌙' } }]);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('row').filter({ hasText: taskId }).filter({ hasText: REASON }).getByText('signal.send').waitFor();
  await leave(page);
});

it('has a form for each wait, and takes a plain value', async () => {
  const taskId = await waiting({ names: ['count'], schema: { type: 'integer', minimum: 1, title: 'How many' } }, { names: ['other'] });
  const page = await desk.visit(`tasks/${taskId}`);
  const form = page.getByRole('article', { name: 'Signal count' });
  await form.getByLabel('How many').fill('7');
  await send(form);
  await form.waitFor({ state: 'detached' });
  await page.getByRole('article', { name: 'Signal other' }).waitFor();
  expect(await sentTo(taskId)).toMatchObject([{ name: 'count', value: 7 }]);
  await leave(page);
});

it('shows those who may only read what fits, and nothing to send with', async () => {
  const taskId = await waiting({ names: ['count'], schema: { type: 'integer' } });
  const page = await desk.visit(`tasks/${taskId}`, 'reader');
  const form = page.getByRole('article', { name: 'Signal count' });
  await form.getByText('integer').waitFor();
  expect(await form.getByRole('button', { name: 'Send' }).count()).toBe(0);
  await leave(page);
});
