/** Does the exercise of docs/operating.md with only the page, served by the processes of `longhaul start`. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workplace } from '../../cli/support/launcher.js';
import { breakDeployment, type BrokenDeployment, FAILED, isPutRight, REASON } from '../support/broken-deployment.js';
import { waitUntil } from '../../support/wait-until.js';
import { type Browser, openChromium } from '../../support/chromium.js';

let place: Workplace;
let browser: Browser;
let broken: BrokenDeployment;
beforeAll(async () => {
  place = new Workplace();
  [broken, browser] = await Promise.all([breakDeployment(place), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await place.close();
});

/** Somebody at the page. Each view that is opened and each act with its dialog counts. */
class Operator {
  actions = 0;

  constructor(readonly page: Page) {}

  async open(link: Locator): Promise<void> {
    this.actions += 1;
    await link.click();
  }

  view(name: string): Promise<void> {
    return this.open(this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }));
  }

  async act(button: Locator, label: string, reason: string): Promise<void> {
    await this.open(button);
    const dialog = this.page.getByRole('dialog', { name: label });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
    await dialog.getByRole('button', { name: label }).click();
    await dialog.waitFor({ state: 'detached' });
  }
}

it('finds and puts right what is wrong in a deployment, in at most 15 actions', async () => {
  const page = await browser.context.newPage();
  const operator = new Operator(page);
  await page.goto(broken.ops.url);
  await page.getByLabel('Token of an operator').fill(broken.ops.token);
  await operator.open(page.getByRole('button', { name: 'Log in' }));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  // Nothing gets through, because the two slots of the worker are taken for good.
  for (const left of [1, 0]) {
    await operator.view('Workers');
    const running = page.getByRole('main').getByRole('link', { name: 'crawl' });
    await expect.poll(() => running.count()).toBe(left + 1);
    await operator.open(running.first());
    await operator.act(page.getByRole('button', { name: 'Cancel the task' }), 'Cancel the task', 'it never ends');
  }

  await operator.view('Failures');
  const group = page.getByRole('row').filter({ hasText: 'charge' }).filter({ hasText: REASON });
  await group.getByText(String(FAILED), { exact: true }).waitFor();
  await operator.act(group.getByRole('button', { name: 'Retry these' }), 'Retry these', 'the bank is back');

  await operator.view('Questions');
  const question = page.getByRole('article').first();
  await question.getByRole('spinbutton').fill('3');
  await question.getByRole('checkbox', { name: 'The same to all' }).check();
  await question.getByRole('textbox', { name: 'Reason' }).fill('counted by hand');
  await operator.open(question.getByRole('button', { name: 'Answer' }));
  await page.getByRole('heading', { name: 'answer: done' }).waitFor();

  await operator.view('Failures');
  await operator.open(page.getByRole('row').filter({ hasText: 'ship' }).getByRole('link', { name: 'ship' }));
  await operator.open(page.locator(`a[href$="${broken.shipping}"]`));
  // Its record has a step that the code has no more.
  await page.getByText('wrap').first().waitFor();
  await operator.act(page.getByRole('button', { name: 'Retry the task' }), 'Retry the task', 'the code has changed');
  expect(operator.actions).toBeLessThanOrEqual(15);

  await waitUntil(() => isPutRight(place), { description: 'all is well' });
});
