/**
 * Tests the actions of the operator page: log in, find, cancel, retry, many tasks at once. It also tests the keyboard, and users
 * who may only read.
 */
import { randomUUID } from 'node:crypto';
import { createOwnerStore } from '@longhaul/sessions';
import type { TaskId } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../support/operated.js';
import { accessibilityProblems, type Desk, leave, openDesk, sidewaysOnTelephone } from './desk.js';
import { failedTask, WrittenTask } from './written-tasks.js';

const REASON = 'asked for by phone';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterEach(() => desk.closePages());
afterAll(() => desk?.close());

/** Fills in the reason of the open dialog, and continues. */
async function confirm(page: Page, label: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: label });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await dialog.getByRole('button', { name: label }).click();
}

const statusOf = async (taskId: TaskId): Promise<unknown> => (await desk.api.get(`/api/v1/tasks/${taskId}`)).body['status'];

describe('a login', () => {
  it('takes a token that is known, lasts while the page is loaded again, and ends when somebody logs out', async () => {
    const page = await desk.visit('');
    await page.getByRole('button', { name: 'Log out' }).click();
    const token = page.getByLabel('Token of an operator');
    await token.fill('a.token.that.nobody.has');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('The token is not known.').waitFor();
    await token.fill(TOKENS.ada);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('button', { name: 'Log out' }).click();
    await token.waitFor();
    await leave(page);
  });
});

describe('the list', () => {
  it('is filtered by what the fields say, and by the address', async () => {
    const [wanted] = [await desk.api.create('filtered', { topic: 'spring tides' }), await desk.api.create('other')];
    const failed = await desk.api.fail('filtered', 'NO_WORKER');
    const page = await desk.visit('tasks');
    await page.getByRole('search').getByLabel('Tool').fill('filtered');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await page.getByRole('checkbox', { name: 'Failed' }).check();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.locator(`a[href$="${failed}"]`).waitFor();
    expect(new URL(page.url()).hash).toBe('#/tasks?status=failed&tool=filtered');
    await page.goto(`${desk.url}#/tasks?text=SPRING`);
    await page.locator(`a[href$="${wanted}"]`).waitFor();
    await page.getByText('spring tides').waitFor();
    await page.getByText(/^1 found in all \d+ tasks\.$/).waitFor();
    await leave(page);
  });
});

describe('a task', () => {
  it('is cancelled with a reason, which the audit log has', async () => {
    const taskId = await desk.api.create('cancelled');
    const page = await desk.visit(`tasks/${taskId}`);
    await page.getByText('It waits for a worker').waitFor();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await confirm(page, 'Cancel the task');
    await page.getByRole('heading', { level: 1 }).getByText('cancelled').last().waitFor();
    await page.getByText('operator:ada').first().waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('row').filter({ hasText: taskId }).filter({ hasText: REASON }).getByText('task.cancel').waitFor();
    await leave(page);
  });

  it('is done again from a step, with other arguments', async () => {
    const origin = await failedTask(desk.store);
    const page = await desk.visit(`tasks/${origin}`);
    await page.getByText('The bank has refused').first().waitFor();
    await page.getByRole('button', { name: 'Retry the task' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').selectOption('another step');
    await dialog.getByRole('combobox', { name: 'Step', exact: true }).fill('reserve');
    await dialog.getByRole('checkbox', { name: 'with other arguments' }).check();
    await dialog.getByLabel('Arguments, as JSON').fill('{ "customer": "c-18", ');
    await confirm(page, 'Retry the task');
    await dialog.getByText('The arguments are no JSON').waitFor();
    await dialog.getByLabel('Arguments, as JSON').fill('{ "customer": "c-18" }');
    await dialog.getByRole('button', { name: 'Retry the task' }).click();
    await page.getByRole('region', { name: 'Arguments' }).getByText('c-18').waitFor();
    expect(page.url()).not.toContain(origin);
    expect(await statusOf(origin)).toBe('failed');
    await leave(page);
  });

  it('shows its webhooks', async () => {
    const task = new TaskHistory();
    await desk.api.append(task.create({ webhooks: [{ endpoint: 'crm', events: ['task.cancelled'] }] }));
    await desk.api.append(task.cancel());
    const page = await desk.visit(`tasks/${task.taskId}`);
    await page
      .getByRole('region', { name: 'Webhooks of the task' })
      .getByRole('row')
      .filter({ hasText: 'crm' })
      .getByText('pending')
      .waitFor();
    await leave(page);
  });

  it('shows its passes, steps, attempts and waits, with what came out of them, and the worker that was lost', async () => {
    const page = await desk.visit(`tasks/${await failedTask(desk.store)}`);
    const tree = page.getByRole('treegrid', { name: 'What the task did' });
    await tree.getByRole('row', { name: 'question: $elicit completed' }).waitFor();
    expect(await tree.locator('rect.lost').count()).toBe(2);
    await tree.getByRole('button', { name: 'Passes and waits' }).click();
    await tree.getByRole('row', { name: 'Pass 1 at worker worker-a-7f3c91, version 1.4.0: its worker was lost' }).waitFor();
    await tree.getByRole('button', { name: 'reserve' }).click();
    await tree.getByRole('row', { name: 'Attempt 1 The bank is away' }).waitFor();
    await tree.getByLabel('Output of reserve').getByText('r-90').waitFor();
    await leave(page);
  });

  it('shows in place what a task does that it has called, while that goes on', async () => {
    const child = await new WrittenTask(desk.store).create('lookup', { harbour: 'Husum' });
    const parent = await new WrittenTask(desk.store).create('research', {});
    await parent.claim('worker-a-7f3c91');
    await parent.does((at, epoch) => [
      { type: 'StartChild', at, epoch, key: 'look up', taskId: child.taskId, tool: 'lookup', bond: 'bound' },
      { type: 'ConfirmChild', at, epoch, key: 'look up' },
      { type: 'SuspendPass', at, epoch, waitingFor: ['look up'] },
    ]);
    const page = await desk.visit(`tasks/${parent.taskId}`);
    const tree = page.getByRole('treegrid', { name: 'What the task did' });
    await tree.getByRole('button', { name: 'child: look up (lookup)' }).click();
    await tree.getByLabel('Input of look up').getByText('Husum').waitFor();
    await child.claim('worker-b-02d4aa');
    await child.does((at, epoch, began) => [{ type: 'CompleteStep', at, epoch, key: 'tides', value: 'high', ...began }]);
    await tree.getByRole('button', { name: 'tides' }).click();
    await tree.getByLabel('Output of tides').getByText('high').waitFor();
    expect(await sidewaysOnTelephone(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await leave(page);
  });
});

describe('many tasks', () => {
  it('are counted before they are done again, and are done again', async () => {
    for (let count = 0; count < 3; count++) await desk.api.fail('bulk', 'NO_WORKER');
    const page = await desk.visit('failures');
    await page.getByRole('row').filter({ hasText: 'bulk' }).getByRole('button', { name: 'Retry these' }).click();
    await page.getByRole('dialog').getByText('3 tasks').waitFor();
    await confirm(page, 'Retry these');
    await page.getByText('3 of 3 tasks: 3 done').waitFor();
    await page.getByRole('heading', { name: 'retry: done' }).waitFor();
    await page.getByText('Running, queued or scheduled: 3').waitFor();
    const { body } = await desk.api.get('/api/v1/tasks?tool=bulk&status=working');
    expect(body['tasks']).toHaveLength(3);
    await leave(page);
  });

  it('are cancelled by a filter', async () => {
    const many = 30;
    for (let count = 0; count < many; count++) await desk.api.create('cancelled-by-filter');
    const page = await desk.visit('tasks?tool=cancelled-by-filter');
    await page.getByRole('button', { name: 'Cancel all of them' }).click();
    await page.getByRole('dialog').getByText(`${many} tasks`).waitFor();
    await confirm(page, 'Cancel all of them');
    await page.getByText(`${many} of ${many} tasks: ${many} done`).waitFor();
    await leave(page);
  });

  it('are left alone from when an operation on them is aborted, though another process does it', async () => {
    const id = randomUUID();
    const record = { id, action: 'cancel', filter: {}, who: 'bob', reason: REASON, createdAt: Date.now(), matched: 900, state: 'running' };
    const progress = {
      done: 300,
      skipped: 0,
      failed: 0,
      failures: [],
      made: [],
      pending: [],
      isLast: false,
      heldUntil: Date.now() + 60_000,
    };
    const records = createOwnerStore(desk.store.ownerRecords).of({ id: 'longhaul/operators' }).collection('bulk');
    await records.update(() => ({ changes: [{ id, value: { ...record, ...progress } }], result: undefined }));
    const page = await desk.visit(`operations/${id}`);
    await page.getByText('300 of 900 tasks').waitFor();
    await page.getByRole('button', { name: 'Abort the operation' }).click();
    await confirm(page, 'Abort the operation');
    await page.getByRole('heading', { name: 'cancel: aborted' }).waitFor();
    await leave(page);
  });
});

describe('who may only read', () => {
  it('sees every view, and nothing to act with', async () => {
    const taskId = await desk.api.ask();
    await desk.api.fail('unread', 'NO_WORKER');
    for (const path of [
      '',
      'tasks',
      'tools/unread',
      `tasks/${taskId}`,
      'questions',
      'failures',
      'operations',
      'schedules',
      'servers',
      'workers',
      'audit',
    ]) {
      const page = await desk.visit(path, 'reader');
      await page.getByText('reader (reads only)').waitFor();
      const names = await page.locator('main button').allTextContents();
      const acts = names.filter((name) => /^(add|cancel|do it|retry|answer|decline|dismiss|pause|resume|abort|start)/i.test(name));
      expect({ path, acts }).toEqual({ path, acts: [] });
      await desk.closePages();
    }
  });
});

describe('the keyboard alone', () => {
  it('reaches a task from the list, and cancels it', async () => {
    const taskId = await desk.api.create('by-keyboard');
    const page = await desk.visit('tasks?tool=by-keyboard');
    await page.locator(`a[href$="${taskId}"]`).waitFor();
    const tabTo = async (isThere: () => Promise<boolean>): Promise<void> => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        if (await isThere()) return;
      }
      throw new Error('The focus did not come there.');
    };
    const isFocused = (text: string) => async (): Promise<boolean> =>
      (await page.locator('a:focus, button:focus').filter({ hasText: text }).count()) > 0;
    await page.keyboard.press('Tab');
    await tabTo(isFocused('by-keyboard'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel the task' }).waitFor();
    await tabTo(isFocused('Cancel the task'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await isFocused('Cancel the task')()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(REASON);
    await page.keyboard.press('Enter');
    await expect.poll(() => statusOf(taskId)).toBe('cancelled');
    await leave(page);
  });
});
